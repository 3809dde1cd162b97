import { decodeUtf8, encodeUtf8 } from '@instar/go';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson } from './encode.ts';
import { parseJson } from './parse.ts';
import { ANYTHING, type JsonShape, MEMBERLESS, type MemberShape, NameTable, VALUE_START } from './shape.ts';
import { isKnownJson } from './skim.ts';

const isKnown = (text: string, shape: JsonShape = ANYTHING): boolean => isKnownJson(encodeUtf8(text), shape);

describe('isKnownJson', () => {
  const number = fc.oneof(
    fc.integer(),
    fc.integer({ min: -999_999, max: 999_999 }).map((n) => n / 1000),
  );
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('\n', '"', '\\', '__proto__'),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, false),
      number.map((n) => n + 0), // no -0
      text,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }));

  const hasEscapedKey = (given: unknown): boolean => {
    if (typeof given !== 'object' || given === null) return false;
    const isEscaped =
      !Array.isArray(given) && Object.keys(given).some((key) => JSON.stringify(key).includes('\\'));
    return isEscaped || Object.values(given).some(hasEscapedKey);
  };

  it('knows what JSON.stringify writes, except \\u escapes and escaped keys', () => {
    fc.assert(
      fc.property(value, (given) => {
        const json = JSON.stringify(given);
        const needsParser = /\\u/.test(json) || hasEscapedKey(given);
        expect(isKnown(json) || needsParser).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses what a parser would refuse or read differently', () => {
    const edit = fc.record({
      at: fc.nat(),
      take: fc.nat(2),
      put: fc.constantFrom('', '0', '1', '.', 'e', '-', '"', '\\', ',', ':', '{', '}', '[', ']', ' ', 'null'),
    });
    fc.assert(
      fc.property(value, fc.array(edit, { minLength: 1, maxLength: 3 }), (given, edits) => {
        let json = JSON.stringify(given);
        for (const { at, take, put } of edits) {
          const position = at % (json.length + 1);
          json = json.slice(0, position) + put + json.slice(position + take);
        }
        // An edit may have split a character.
        json = decodeUtf8(encodeUtf8(json));
        if (!isKnown(json)) return;
        const { value, duplicates } = parseJson(json);
        expect(duplicates).toEqual([]);
        // JavaScript puts keys that are integers first.
        if (!/"\d+":/.test(json)) expect(encodeJson(value)).toBe(json);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    '0',
    '-1',
    '0.5',
    '-0.5',
    '0.000001',
    '123456789012345',
    'true',
    'false',
    'null',
    '""',
    '"\\n\\"\\\\"',
    '{}',
    '[]',
    '[[],{}]',
    '"é😀"',
  ])('knows %s', (text) => expect(isKnown(text)).toBe(true));

  it.each([
    [
      'a number that is written otherwise',
      '1.0',
      '-0',
      '01',
      '1e3',
      '1E3',
      '0.0000001',
      '1.',
      '.5',
      '-',
      '+1',
      '1234567890123456',
    ],
    ['white space', ' 1', '{"a": 1}', '[1, 2]', '1\n'],
    ['an escape that is not needed', '"\\u003c"', '"\\/"'],
    [
      'no JSON',
      '',
      '{',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,}',
      '[1,]',
      '[,]',
      '"a',
      '"\\',
      '"\\"',
      'nul',
      'truth',
      'falsy',
      '{a:1}',
      '1 2',
      '"\t"',
      'undefined',
    ],
    ['a key twice', '{"a":1,"a":2}', '{"a":{},"b":{"a":1},"a":1}'],
  ])('leaves to the parser: %s', (_, ...texts) => {
    for (const text of texts) expect([text, isKnown(text)]).toEqual([text, false]);
  });

  it('finds a duplicate key among many', () => {
    const keys = Array.from({ length: 100 }, (_, i) => `"k${i}":{"a":1}`);
    expect(isKnown(`{${keys.join()}}`)).toBe(true);
    expect(isKnown(`{${[...keys, keys[50]].join()}}`)).toBe(false);
    expect(isKnown(`{${[...keys, keys[99]].join()}}`)).toBe(false);
  });

  it('refuses values that are nested too deep', () => {
    expect(isKnown(`${'['.repeat(200)}${']'.repeat(200)}`)).toBe(true);
    expect(isKnown(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBe(false);
    expect(isKnown(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toBe(false);
  });

  it('checks members, required members and nulls by the shape', () => {
    const member = (shape: JsonShape, more: Partial<MemberShape> = {}): MemberShape => ({
      shape,
      mayBeNull: false,
      start: VALUE_START.any,
      isRequired: false,
      ...more,
    });
    const names = new NameTable(
      new Map([
        ['size', member(ANYTHING, { isRequired: true })],
        ['größe', member(MEMBERLESS, { mayBeNull: true })],
      ]),
    );
    const shape: JsonShape = { names, required: 1, others: undefined, items: member(MEMBERLESS) };
    const known = [
      '{"size":1}',
      '{"size":{"a":null}}',
      '{"größe":{},"size":[1]}',
      '{"größe":null,"size":1}',
      '{"größe":[{}],"size":1}',
      '[]',
      '[{}]',
    ];
    const others = [
      '{}',
      '{"größe":1}',
      '{"size":null}',
      '{"size":1,"x":1}',
      '{"size":1,"größe":{"a":1}}',
      '[null]',
      '[{"a":1}]',
      '{"siz":1}',
    ];
    for (const text of known) expect([text, isKnown(text, shape)]).toEqual([text, true]);
    for (const text of others) expect([text, isKnown(text, shape)]).toEqual([text, false]);
  });
});
