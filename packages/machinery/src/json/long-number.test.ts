import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayHoldLongNumber } from './long-number.ts';

it('finds every number of 16 digits or more', () => {
  const before = fc.string({ maxLength: 40 });
  const digits = fc.bigInt({ min: 10n ** 15n, max: 10n ** 25n }).map(String);
  fc.assert(
    fc.property(before, digits, before, (a, number, b) => {
      expect(mayHoldLongNumber(`{"a":${JSON.stringify(a)},"n":${number},"b":${JSON.stringify(b)}}`)).toBe(
        true,
      );
      expect(mayHoldLongNumber(`[-${number}]`)).toBe(true);
    }),
  );
});

it('ignores short numbers and digits in quotes', () => {
  for (const text of [
    '{"a":123456789012345}',
    '{"a":"12345678901234567890"}',
    '{"uid":"00000000-0000-4000-8000-000000000001"}',
    '',
    '1',
  ]) {
    expect(mayHoldLongNumber(text)).toBe(false);
  }
});
