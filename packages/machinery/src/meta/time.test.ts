import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMicroTime, parseTime, printMicroTime, printTime } from './time.ts';

const faultOf = (text: string) => {
  const parsed = parseTime(text);
  return 'fault' in parsed ? parsed.fault : undefined;
};

describe('times', () => {
  it('reads back what it prints, to the second', () => {
    const moments = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) });
    fc.assert(
      fc.property(moments, (ms) => {
        const parsed = parseTime(printTime(ms));
        return 'milliseconds' in parsed && parsed.milliseconds === Math.floor(ms / 1000) * 1000;
      }),
    );
  });

  it('reads offsets and fractions', () => {
    expect(parseTime('2024-01-01T00:00:00.1234567-01:30')).toEqual({
      milliseconds: Date.UTC(2024, 0, 1, 1, 30, 0, 123),
      microseconds: 456,
    });
  });

  it('keeps microseconds in MicroTime', () => {
    expect(printMicroTime(Date.UTC(2024, 0, 1, 0, 0, 0, 5), 7)).toBe('2024-01-01T00:00:00.005007Z');
    expect(parseMicroTime('2024-01-01T00:00:00.005007Z')).toEqual({ milliseconds: Date.UTC(2024, 0, 1, 0, 0, 0, 5), microseconds: 7 });
    expect(parseMicroTime('2024-01-01T00:00:00Z')).toEqual({
      fault: 'parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    });
  });

  it.each([
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['2024-01-01', 'parsing time "2024-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    ['2024/01', 'parsing time "2024/01" as "2006-01-02T15:04:05Z07:00": cannot parse "/01" as "-"'],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-01T25:00:00Z', 'parsing time "2024-01-01T25:00:00Z": hour out of range'],
    ['2024-01-01T00:00:00', 'parsing time "2024-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'],
    ['2024-01-01T00:00:00Zx', 'parsing time "2024-01-01T00:00:00Zx": extra text: "x"'],
  ])('says of %j what Go says', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });
});
