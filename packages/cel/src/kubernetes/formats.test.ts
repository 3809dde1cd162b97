import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Timestamp } from '../values.ts';
import { escapeName, unescapeName } from './escaping.ts';
import {
  isBase64,
  isDate,
  isDateTime,
  isUuid,
  readBase64,
  readDate,
  readDateTime,
} from './string-formats.ts';

describe('string formats', () => {
  it('checks', () => {
    expect([
      isUuid('123e4567e89b12d3a456426614174000'),
      isUuid('123E4567-e89b-12d3-a456-426614174000'),
      isUuid('123'),
    ]).toEqual([true, true, false]);
    expect(['aGk=', 'YQ==', '', 'aGk', 'aG-=', 'a==='].map(isBase64)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(['2024-02-29', '2023-02-29', '2024-2-1', '2024-13-01', '2024-00-01'].map(isDate)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(
      [
        '2024-02-29T00:00:00Z',
        '2024-02-29t23:59:59.5+01:00',
        '2024-02-29',
        '2024-02-29T24:00:00Z',
        '2024-02-29T00:00:00',
      ].map(isDateTime),
    ).toEqual([true, true, false, false, false]);
  });

  it('reads dates and times', () => {
    expect(readDate('1970-01-02')).toBe(86_400_000_000_000n);
    expect(readDateTime('1970-01-01T00:00:01.5Z')).toEqual(new Timestamp(1_500_000_000n));
    expect(readDateTime('1970-01-01T01:00:00+01:00')).toEqual(new Timestamp(0n, 3600));
    expect(readDateTime('1970-01-01T00:00:00')).toEqual(new Timestamp(0n));
    expect(readDateTime('1970-01-01T00:00:00.1234567899Z')).toEqual(new Timestamp(123_456_789n));
    expect(readDateTime('1970-01-01t00:00:00z')).toBe(undefined);
    expect(readDateTime('')).toEqual(new Timestamp(0n));
  });

  it('reads base64 with the alphabet for URLs', () => {
    expect(readBase64('aGVsbG8=')).toEqual(Uint8Array.from([104, 101, 108, 108, 111]));
    expect(readBase64('-_8=')).toEqual(Uint8Array.from([0xfb, 0xff]));
    expect(readBase64('+/8=')).toBe(undefined);
    expect(readBase64('aGk')).toBe(undefined);
    expect(readBase64('')).toEqual(new Uint8Array());
  });
});

describe('escaping', () => {
  it('makes identifiers', () => {
    for (const [name, identifier] of [
      ['namespace', '__namespace__'],
      ['my-field', 'my__dash__field'],
      ['a.b/c', 'a__dot__b__slash__c'],
      ['x__y', 'x__underscores__y'],
      ['_a', '_a'],
      ['a___b', 'a__underscores___b'],
      ['-', '__dash__'],
      ['self', 'self'],
    ] as const) {
      expect(escapeName(name)).toBe(identifier);
      expect(unescapeName(identifier)).toBe(name);
    }
  });

  it('gives up on what no identifier can stand for', () => {
    for (const name of ['', '1a', 'a b', 'é', '$ref']) expect(escapeName(name), name).toBe(undefined);
    for (const identifier of ['__foo__', 'a__namespace__', '__dash__b__x__'])
      expect(unescapeName(identifier)).toBe(undefined);
  });

  it('comes back', () => {
    const name = fc.stringMatching(/^[a-z_./-][a-z0-9_./-]{0,12}$/);
    fc.assert(
      fc.property(name, (text) => {
        const identifier = escapeName(text)!;
        expect(identifier).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]*$/);
        // A run of underscores next to an escape is ambiguous upstream as well.
        if (!/__|_[./-]|[./-]_/.test(text)) expect(unescapeName(identifier)).toBe(text);
      }),
    );
  });
});
