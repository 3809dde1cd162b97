import { describe, expect, it } from 'vitest';
import { parseGoDuration } from './duration.ts';

describe('parseGoDuration', () => {
  // The results of time.ParseDuration of Go 1.26.
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['1s', 1_000_000_000n],
    ['+1s', 1_000_000_000n],
    ['1.s', 1_000_000_000n],
    ['.5s', 500_000_000n],
    ['1h30m', 5_400_000_000_000n],
    ['1.5h', 5_400_000_000_000n],
    ['-10ms', -10_000_000n],
    ['1us1\u00b5s1\u03bcs', 3_000n],
    ['00000000000000000000000001s', 1_000_000_000n],
    ['0.3333333333333333333333h', 1_200_000_000_000n],
    ['2562047h47m16.854775807s', 2n ** 63n - 1n],
    ['-9223372036854775808ns', -(2n ** 63n)],
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['s1', 'time: invalid duration "s1"'],
    ['1h-1m', 'time: unknown unit "h-" in duration "1h-1m"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['9999999999999999999999s', 'time: invalid duration "9999999999999999999999s"'],
    ['1', 'time: missing unit in duration "1"'],
    ['1..5s', 'time: missing unit in duration "1..5s"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1\u00e9"', 'time: unknown unit "\\xc3\\xa9\\"" in duration "1\\xc3\\xa9\\""'],
  ] as const)('reads %j as Go does', (text, expected) => {
    expect(parseGoDuration(text)).toBe(expected);
  });
});
