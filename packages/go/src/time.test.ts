import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPrintedTime, parseMicroTime, parseRfc3339, parseTime, printMicroTime, printTime } from './time.ts';

const faultOf = (text: string) => {
  const parsed = parseTime(text);
  return 'fault' in parsed ? parsed.fault : undefined;
};

describe('times', () => {
  it('are parsed as printed, to the second', () => {
    const moments = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) });
    fc.assert(
      fc.property(moments, (ms) => {
        const parsed = parseTime(printTime(ms));
        return 'milliseconds' in parsed && parsed.milliseconds === Math.floor(ms / 1000) * 1000;
      }),
    );
  });

  it('are recognized as printed only if they are', () => {
    const moments = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) });
    // February 29 is left to the slow path.
    fc.assert(
      fc.property(moments, (ms) => isPrintedTime(printTime(ms)) || printTime(ms).includes('-02-29T')),
    );
    const two = fc.integer({ min: 0, max: 62 }).map((n) => String(n).padStart(2, '0'));
    const likely = fc.tuple(
      fc.constantFrom('0001', '1900', '2000', '2023', '2024'),
      two,
      two,
      two,
      two,
      two,
      fc.constantFrom('Z', '+00:00', ''),
    );
    fc.assert(
      fc.property(likely, ([year, month, day, hour, minute, second, zone]) => {
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
        if (!isPrintedTime(text)) return;
        const parsed = parseTime(text);
        expect('milliseconds' in parsed && printTime(parsed.milliseconds)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
    expect(
      ['2023-02-29T00:00:00Z', '2024-02-30T00:00:00Z', '2024-04-31T00:00:00Z', '2024-01-01T24:00:00Z'].some(
        isPrintedTime,
      ),
    ).toBe(false);
  });

  it('may have offsets and fractions', () => {
    expect(parseTime('2024-01-01T00:00:00.1234567-01:30')).toEqual({
      milliseconds: Date.UTC(2024, 0, 1, 1, 30, 0, 123),
      microseconds: 456,
    });
  });

  it('have microseconds in MicroTime', () => {
    expect(printMicroTime(Date.UTC(2024, 0, 1, 0, 0, 0, 5), 7)).toBe('2024-01-01T00:00:00.005007Z');
    expect(parseMicroTime('2024-01-01T00:00:00.005007Z')).toEqual({
      milliseconds: Date.UTC(2024, 0, 1, 0, 0, 0, 5),
      microseconds: 7,
    });
    expect(parseMicroTime('2024-01-01T00:00:00Z')).toEqual({
      fault:
        'parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    });
  });

  it('keep nanoseconds and the offset', () => {
    expect(parseRfc3339('1970-01-01T01:00:00.1234567899+01:00')).toEqual({
      seconds: 0,
      nanoseconds: 123_456_789,
      offset: 3600,
    });
  });

  it('may deviate from RFC 3339 where Go allows it', () => {
    const midnight = { seconds: 0, nanoseconds: 0, offset: 0 };
    expect(parseRfc3339('1970-01-01T0:00:00Z')).toEqual(midnight);
    expect(parseRfc3339('1970-01-01T00:00:00,5Z')).toEqual({ ...midnight, nanoseconds: 500_000_000 });
    expect(parseRfc3339('1970-01-02T01:00:00+24:60')).toEqual({ ...midnight, offset: 90_000 });
  });

  it.each([
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['2024-01-01', 'parsing time "2024-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    ['2024/01', 'parsing time "2024/01" as "2006-01-02T15:04:05Z07:00": cannot parse "/01" as "-"'],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-01T25:00:00Z', 'parsing time "2024-01-01T25:00:00Z": hour out of range'],
    [
      '2024-01-01T00:00:00',
      'parsing time "2024-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    [
      '2024-01-01T00:00:00+25:00',
      'parsing time "2024-01-01T00:00:00+25:00": time zone offset hour out of range',
    ],
    [
      '2024-01-01T00:00:00é',
      'parsing time "2024-01-01T00:00:00\\xc3\\xa9" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xc3\\xa9" as "Z07:00"',
    ],
    ['2024-01-01T00:00:00Zx', 'parsing time "2024-01-01T00:00:00Zx": extra text: "x"'],
  ])('says of %j what Go says', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });
});
