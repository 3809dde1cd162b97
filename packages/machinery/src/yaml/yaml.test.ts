import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepEqual } from '../deep-equal.ts';
import type { JsonValue } from '../json-value.ts';
import { compareYamlKeys } from './key-order.ts';
import { parseYaml, parseYamlDocuments, strictYamlText } from './parse.ts';
import { printYaml } from './print.ts';

const parsed = (text: string) => parseYaml(text).value;

describe('parseYaml', () => {
  it('reads plain scalars as YAML 1.1, except dates', () => {
    expect(
      parsed(
        '[yes, on, true, "yes", null, ~, 0x10, 1_000, 1.0, 012, 2024-01-01, 08, -0b11, .5, 1e3, !!str 1, 1:30]',
      ),
    ).toEqual([
      true,
      true,
      true,
      'yes',
      null,
      null,
      16,
      1000,
      1,
      10,
      '2024-01-01',
      8,
      -3,
      0.5,
      1000,
      '1',
      '1:30',
    ]);
    expect(parsed('[9007199254740993, 18446744073709551615]')).toEqual([9007199254740993n, 2 ** 64]);
  });

  it.each(['a: 1e400\n', '{"a":1e400}', 'a: .inf\n'])(
    'refuses a number that JSON cannot hold: %j',
    (text) => {
      expect(() => parseYamlDocuments(text)).toThrow('json: unsupported value: +Inf');
    },
  );

  it('converts keys to strings', () => {
    expect(parsed('1: a\ntrue: b\n1.5: c\n')).toEqual({ 1: 'a', true: 'b', 1.5: 'c' });
    expect(() => parsed('~: a\n')).toThrow('unsupported map key');
    expect(() => parsed('{[1]: a}')).toThrow('unsupported map key');
  });

  it('reads blocks, anchors, aliases and merge keys', () => {
    expect(parsed('text: |\n  line\n  other\n')).toEqual({ text: 'line\nother\n' });
    expect(parsed('a: &x {k: v}\nb: *x\nc: {<<: *x, k: w, l: m}\nd: {<<: [*x, {m: o}]}\n')).toEqual({
      a: { k: 'v' },
      b: { k: 'v' },
      c: { k: 'w', l: 'm' },
      d: { k: 'v', m: 'o' },
    });
    const value = parsed('a: &x {k: v}\nb: *x\n') as Record<string, object>;
    expect(value['a']).not.toBe(value['b']);
    expect(parsed('&k a: b\n*k : c\n')).toEqual({ a: 'c' });
  });

  it('reports a hundred duplicate keys and no more', () => {
    const { duplicates } = parseYaml('a: b\n'.repeat(1_000));
    expect(duplicates).toHaveLength(100);
    expect(duplicates.at(-1)).toBe('line 101: key "a" already set in map');
  });

  it('reports duplicate keys by line but keeps the last', () => {
    expect(parseYaml('a: 1\nb:\n  text: a\n  text: b\n1: x\n1: z\n')).toEqual({
      value: { 1: 'z', a: 1, b: { text: 'b' } },
      duplicates: ['line 4: key "text" already set in map', 'line 6: key 1 already set in map'],
    });
    expect(strictYamlText(['line 7: key "text" already set in map'])).toBe(
      'yaml: unmarshal errors:\n  line 7: key "text" already set in map',
    );
  });

  it('reads several documents or only the first', () => {
    expect(parseYamlDocuments('a: 1\n---\n---\nb: 2\n').map(({ value }) => value)).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
    expect(parsed('a: 1\n---\nb: 2\n')).toEqual({ a: 1 });
    expect(parsed('')).toBeNull();
    expect(parsed('# nothing\n')).toBeNull();
  });

  it('accepts closing brackets and quoted text at any indentation', () => {
    expect(parsed('a:\n  b: {\n    c: [\n  1,\n2\n]\n  }\n  d: \'x\n  y\'\n  e: "x\ny"\n')).toEqual({
      a: { b: { c: [1, 2] }, d: 'x y', e: 'x y' },
    });
  });

  it('refuses aliases that would make a small text a huge value', () => {
    const levels = 'abcdefghij'.split('');
    const laughs = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...levels.slice(1).map((l, i) => `${l}: &${l} [${Array(9).fill(`*${levels[i]}`).join(',')}]`),
    ];
    expect(() => parsed(laughs.join('\n'))).toThrow('yaml: document contains excessive aliasing');
    expect(() => parsed('a: &a [*a]')).toThrow("yaml: anchor 'a' value contains itself");
    expect(() => parsed('a: *b')).toThrow("yaml: unknown anchor 'b' referenced");
    expect(() => parsed('['.repeat(10_000))).toThrow('yaml: ');
  });

  it.each([
    ['a: 1\nspec: [a\n', "yaml: line 2: did not find expected ',' or ']'"],
    ['x: 1\na: b: c\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a:\n\t- b\n', 'yaml: line 2: found character that cannot start any token'],
    ['a: .nan', 'json: unsupported value: NaN'],
  ])('says of %j what go-yaml says', (text, message) => {
    expect(() => parsed(text)).toThrow(expect.objectContaining({ name: 'YamlError', message }));
  });

  it('keeps __proto__ an ordinary key', () => {
    expect(Object.keys(parsed('__proto__: {x: 1}') as object)).toEqual(['__proto__']);
  });
});

describe('printYaml', () => {
  it('formats as Go does', () => {
    const value = {
      spec: { text: 'a', rows: [{ text: 'b', n: [1, [2]] }, 'x'], count: 3, none: null, empty: {}, list: [] },
      apiVersion: 'v1',
    };
    expect(printYaml(value)).toBe(
      'apiVersion: v1\nspec:\n  count: 3\n  empty: {}\n  list: []\n  none: null\n  rows:\n  - "n":\n    - 1\n    - - 2\n    text: b\n  - x\n  text: a\n',
    );
  });

  it.each([
    ['plain', 'plain'],
    ['', '""'],
    ['yes', '"yes"'],
    ['1', '"1"'],
    ['1.5', '"1.5"'],
    ['null', '"null"'],
    ['2024-01-01T00:00:00Z', '"2024-01-01T00:00:00Z"'],
    ['a: b', "'a: b'"],
    ['- a', "'- a'"],
    ["it's", "it's"],
    ['#x', "'#x'"],
    ["'x", "'''x'"],
    [' x', "' x'"],
    ['a #b', "'a #b'"],
    ['{a}', "'{a}'"],
    ['a\tb', '"a\\tb"'],
    ['é日', 'é日'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n', '|+\n  a\n'],
    ['a \nb', '"a \\nb"'],
    ['a:b', 'a:b'],
    ['*', "'*'"],
  ])('writes %j as %j', (text, printed) => {
    expect(printYaml({ k: text })).toBe(`k: ${printed}\n`);
  });

  it('folds long lines at spaces', () => {
    const text = 'word '.repeat(30).trim();
    const lines = printYaml({ description: text }).split('\n');
    expect(lines[1]).toMatch(/^ {2}word/);
    expect(parsed(lines.join('\n'))).toEqual({ description: text });
  });

  it('orders numbers in keys by their value', () => {
    expect(['a10', 'a2', 'b', 'a', '1', 'A', 'a_b'].sort(compareYamlKeys)).toEqual([
      '1',
      'A',
      'a',
      'a_b',
      'a2',
      'a10',
      'b',
    ]);
  });

  it('prints text that parses to the same value', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'a :#-\n\'"0.?[{!'.split('')) }),
    );
    const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.boolean(),
        fc.integer(),
        fc.constant(null),
        fc.bigInt({ min: 2n ** 60n, max: 2n ** 62n }),
        fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((n) => n + 0),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => deepEqual(parsed(printYaml(value)), value)),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a: |\n  x', 'x'],
    ['a: |\n  x\n', 'x\n'],
    ['a: >\n  x\n  y', 'x y'],
  ])('ends a block of text as its last line ends: %j', (text, a) => {
    expect(parseYaml(text).value).toEqual({ a });
  });
});
