import { describe, expect, it } from 'vitest';
import { duration, durationText } from './flag-values.ts';

describe('durations', () => {
  it.each([
    [0, '0s'],
    [250, '250ms'],
    [90_000, '90s'],
    [300_000, '5m'],
    [3_600_000, '1h'],
  ])('of %d ms are written as %s, and read again', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
    expect(duration(text)).toBe(milliseconds);
  });
});
