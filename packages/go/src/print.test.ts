import { describe, expect, it } from 'vitest';
import { type GoValue, goTypeOf, printGo, printGoSyntax } from './print.ts';

// The output of Go 1.26 for %v, %#v and %s of reflect.TypeOf.
const PRINTED: [GoValue, string, string, string][] = [
  [1.5, '1.5', '1.5', 'float64'],
  [1234567.5, '1.2345675e+06', '1.2345675e+06', 'float64'],
  [5, '5', '5', 'int64'],
  [2n ** 60n, '1152921504606846976', '1152921504606846976', 'int64'],
  ['a"b', 'a"b', '"a\\"b"', 'string'],
  [true, 'true', 'true', 'bool'],
  [null, '<nil>', 'interface {}(nil)', '%!s(<nil>)'],
  [[], '[]', '[]interface {}{}', '[]interface {}'],
  [{}, 'map[]', 'map[string]interface {}{}', 'map[string]interface {}'],
  [
    [1.5, 'x', null, { b: 0.00001, a: 'é', '\u{1f600}': 1, '\uff5e': 2 }],
    '[1.5 x <nil> map[a:é b:1e-05 \uff5e:2 \u{1f600}:1]]',
    '[]interface {}{1.5, "x", interface {}(nil), ' +
      'map[string]interface {}{"a":"é", "b":1e-05, "\uff5e":2, "\u{1f600}":1}}',
    '[]interface {}',
  ],
];

describe('values as fmt prints them', () => {
  it.each(PRINTED)('case %#: %%v', (value, printed) => {
    expect(printGo(value)).toBe(printed);
  });

  it.each(PRINTED)('case %#: %%#v', (value, _, syntax) => {
    expect(printGoSyntax(value)).toBe(syntax);
  });

  it.each(PRINTED)('case %#: type', (value, _, __, type) => {
    expect(goTypeOf(value)).toBe(type);
  });
});
