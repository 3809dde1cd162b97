import { encodeUtf8 } from '@instar/go';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REFUSED } from './own-tokens.ts';
import { ANYTHING } from './shape.ts';
import { isKnownJson } from './skim.ts';
import { Stepper } from './step-over.ts';

const endOf = (text: string): number => new Stepper(encodeUtf8(text)).value(0);

describe('stepping over a value', () => {
  it('ends after it, wherever it begins', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('', ',', ']', '}', '"'),
        (value, before, after) => {
          const json = encodeUtf8(JSON.stringify(value));
          if (!isKnownJson(json, ANYTHING)) return;
          const start = encodeUtf8(before).length;
          const bytes = encodeUtf8(`${before}${JSON.stringify(value)}${after}`);
          expect(new Stepper(bytes).value(start)).toBe(start + json.length);
          // Bytes at any offset of a buffer.
          expect(new Stepper(bytes.subarray(start)).value(0)).toBe(json.length);
        },
      ),
    );
  });

  it('accepts exactly what the skimmer knows, however the text is damaged', () => {
    const damage = fc.record({
      at: fc.nat(60),
      remove: fc.nat(2),
      insert: fc.constantFrom(
        '',
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '0',
        '.',
        '-',
        'e',
        ' ',
        'n',
        '\n',
      ),
    });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(damage, { maxLength: 2 }), (value, damages) => {
        let text = JSON.stringify(value);
        for (const { at, remove, insert } of damages)
          text = text.slice(0, at) + insert + text.slice(at + remove);
        const bytes = encodeUtf8(text);
        expect(new Stepper(bytes).value(0) === bytes.length).toBe(isKnownJson(bytes, ANYTHING));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    '',
    '"',
    '"a',
    '"\\',
    '"\\u003c"',
    '"\n"',
    '{',
    '{}}'.slice(0, 1),
    '[',
    '[1',
    '[1,]',
    '[,]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '{"a":1]',
    '[1}',
    '{"a":1,"a":2}',
    '{"x":{"b":1,"b":1}}',
    '{"\\n":1}',
    '-',
    '-0',
    '01',
    '1.',
    '1.0',
    '0.0000001',
    '1234567890123456',
    'nul',
    'nulL',
    'tru',
    'falsy',
    ' 1',
    '+1',
  ])('refuses %j', (text) => {
    expect(endOf(text)).toBe(REFUSED);
  });

  it('leaves what follows a number to the caller', () => {
    expect([endOf('1e3'), endOf('1 '), endOf('0.25,')]).toEqual([1, 1, 4]);
  });

  it('refuses values that are very deep or have very many keys', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect([endOf(nested(257)), endOf(nested(258))]).toEqual([514, REFUSED]);
    const wide = (keys: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key-${i}`, i])));
    expect([endOf(wide(256)) > 0, endOf(wide(257))]).toEqual([true, REFUSED]);
  });
});
