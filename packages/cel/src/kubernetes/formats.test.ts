import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Timestamp } from '../values.ts';
import { escapeName, unescapeName } from './escaping.ts';
import { readDate, readDateTime } from './string-formats.ts';

describe('string formats', () => {
  it('reads dates and times', () => {
    expect(readDate('1970-01-02')).toBe(86_400_000_000_000n);
    expect(readDateTime('1970-01-01T00:00:01.5Z')).toEqual(new Timestamp(1_500_000_000n));
    expect(readDateTime('1970-01-01T01:00:00+01:00')).toEqual(new Timestamp(0n, 3600));
    expect(readDateTime('1970-01-01T00:00:00')).toEqual(new Timestamp(0n));
    expect(readDateTime('1970-01-01T00:00:00.1234567899Z')).toEqual(new Timestamp(123_456_789n));
    expect(readDateTime('1970-01-01t00:00:00z')).toBe(undefined);
    expect(readDateTime('1970-01-01T00:00:00ZZ')).toBe(undefined);
    expect(readDateTime('')).toEqual(new Timestamp(0n));
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

  it('returns undefined for names that no identifier can represent', () => {
    for (const name of ['', '1a', 'a b', 'é', '$ref']) expect(escapeName(name), name).toBe(undefined);
    for (const identifier of ['__foo__', 'a__namespace__', '__dash__b__x__'])
      expect(unescapeName(identifier)).toBe(undefined);
  });

  it('is reversible', () => {
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
