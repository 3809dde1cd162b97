import { describe, expect, it } from 'vitest';
import { isByte, isDate, isDateTime, isUuid, parseDurationFormat } from './string-formats.ts';

describe('string formats', () => {
  it.each([
    [isUuid, ['123e4567e89b12d3a456426614174000', '123E4567-e89b-12d3-a456-426614174000'], ['123', '']],
    [isByte, ['aGk=', 'YQ==', 'YWJj'], ['', 'aGk', 'aG-=', 'a===', '====']],
    [isDate, ['2024-02-29', '0000-01-01'], ['2023-02-29', '2024-2-1', '2024-13-01', '2024-00-01', '']],
    [
      isDateTime,
      ['2024-02-29T00:00:00Z', '2024-02-29t23:59:59.5+01:00', '2024-02-29T00:00:00Ztail'],
      ['2024-02-29', '2024-02-29T24:00:00Z', '2024-02-29T00:00:00', '2024-02-30T00:00:00Z'],
    ],
  ] as const)('%o accepts valid texts only', (check, good, bad) => {
    for (const text of good) expect([text, check(text)]).toEqual([text, true]);
    for (const text of bad) expect([text, check(text)]).toEqual([text, false]);
  });
});

describe('parseDurationFormat', () => {
  it.each([
    ['1h30m', 5_400_000_000_000n],
    ['3 days', 259_200_000_000_000n],
    ['2weeks', 1_209_600_000_000_000n],
    ['1 hr and 5 Seconds', 3_605_000_000_000n],
    ['PT1H', 3_600_000_000_000n],
    ['three days', undefined],
    ['5 apples', undefined],
    ['99999999999999999999 days', undefined],
    ['', undefined],
  ])('%j is %s nanoseconds', (text, nanos) => {
    expect(parseDurationFormat(text)).toBe(nanos);
  });

  it('skips leading zeros', () => {
    expect(parseDurationFormat(`${'0'.repeat(30)}3 days`)).toBe(259_200_000_000_000n);
  });

  it('finishes for long runs of digits', () => {
    expect(parseDurationFormat('1'.repeat(100_000))).toBe(undefined);
    expect(parseDurationFormat('0'.repeat(100_000))).toBe(undefined);
  });
});
