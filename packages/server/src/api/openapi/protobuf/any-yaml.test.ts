import { expect, it } from 'vitest';
import { printAnyYaml } from './any-yaml.ts';

/** What gnostic-models v0.7.0 makes of each. */
const PRINTED: readonly (readonly [json: string, yaml: string])[] = [
  ['"list"', 'list\n'],
  [
    '[{"fieldPath":"spec.color"},{"fieldPath":"spec.size"}]',
    '- fieldPath: spec.color\n- fieldPath: spec.size\n',
  ],
  ['[{"group":"","kind":"K","version":"v1"}]', '- group: ""\n  kind: K\n  version: v1\n'],
  ['["a","b"]', '- a\n- b\n'],
  ['true', 'true\n'],
  ['1.5', '1.5\n'],
  ['"true"', '"true"\n'],
  ['"1"', '"1"\n'],
  ['""', '""\n'],
  ['"a: b"', "'a: b'\n"],
  ['"- a"', "'- a'\n"],
  ['"#x"', "'#x'\n"],
  ['"it\'s"', "it's\n"],
  ['"say \\"x\\""', 'say "x"\n'],
  ['"null"', '"null"\n'],
  ['"~"', '"~"\n'],
  ['"a #b"', "'a #b'\n"],
  ['"two\\nlines"', '|-\n    two\n    lines\n'],
  ['"two\\nlines\\n"', '|\n    two\n    lines\n'],
  ['"ends\\n\\n"', '|+\n    ends\n\n'],
  ['" lead\\nx"', '|4-\n     lead\n    x\n'],
  ['"trail \\nx"', '"trail \\nx"\n'],
  ['"tab\\there"', '"tab\\there"\n'],
  [
    '"a very long line that goes on and on and on, well beyond the eighty columns of which a terminal is made, and then some more"',
    'a very long line that goes on and on and on, well beyond the eighty columns of which a terminal is made, and then some more\n',
  ],
  [
    '{"a":{"b":{"c":[1,[2,3],{"x":{"y":1},"z":[]}]}},"e":{},"f":[],"n":null}',
    'a:\n    b:\n        c:\n            - 1\n            - - 2\n              - 3\n            - x:\n                y: 1\n              z: []\ne: {}\nf: []\nn: null\n',
  ],
  [
    '[{"message":"must: hold","rule":"self.a == \'x\' && self.b.all(x, x > 0)"},{"rule":"a\\nb"}]',
    "- message: 'must: hold'\n  rule: self.a == 'x' && self.b.all(x, x > 0)\n- rule: |-\n    a\n    b\n",
  ],
  [
    '[[["a"],{"b":{"c":1}}],{"k":[{"l":[1]}]}]',
    '- - - a\n  - b:\n        c: 1\n- k:\n    - l:\n        - 1\n',
  ],
  [
    '{"x":"two\\nlines","y":["p\\nq",{"z":"r\\ns\\n"}]}',
    'x: |-\n    two\n    lines\ny:\n    - |-\n      p\n      q\n    - z: |\n        r\n        s\n',
  ],
  ['"2001-01-01"', '"2001-01-01"\n'],
  ['"yes"', 'yes\n'],
  ['"0x1F"', '"0x1F"\n'],
  ['"1_000"', '"1_000"\n'],
  ['"12:30:45"', '12:30:45\n'],
  ['"<<"', '<<\n'],
  ['"é"', 'é\n'],
  ['"\\u0007"', '"\\a"\n'],
  ['" "', "' '\n"],
  ['"x "', "'x '\n"],
  ['"@a"', "'@a'\n"],
  ['"%"', "'%'\n"],
  ['"a,b"', 'a,b\n'],
  ['"{a}"', "'{a}'\n"],
  ['"="', '=\n'],
  ['".5"', '".5"\n'],
  ['"0o7"', '"0o7"\n'],
  ['"on"', 'on\n'],
  ['"y"', 'y\n'],
  ['"^[a-z]*$"', '^[a-z]*$\n'],
  ['"?"', "'?'\n"],
  ['":"', "':'\n"],
  ['"---"', "'---'\n"],
  ['"a\\u0000b\\nc"', '"a\\0b\\nc"\n'],
  ['"\\ttab"', '"\\ttab"\n'],
  ['["", " x\\ny"]', '- ""\n- |4-\n   x\n  y\n'],
  ['"2001-01-01T00:00:00Z"', '"2001-01-01T00:00:00Z"\n'],
  ['-1', '-1\n'],
  ['0.1', '0.1\n'],
  ['"[a]"', "'[a]'\n"],
  ['"a\\\\b"', 'a\\b\n'],
];

it.each(PRINTED)('prints %s as gnostic does', (json, yaml) => {
  expect(printAnyYaml(JSON.parse(json))).toBe(yaml);
});

it('sorts keys as Go does', () => {
  expect(printAnyYaml({ b: 1, a10: 1, a2: 1, B: 1 })).toBe('B: 1\na10: 1\na2: 1\nb: 1\n');
});
