import { describe, expect, it } from 'vitest';
import { scheduleFault } from './cron-schedule.ts';
import { countIndexes, overlapOf } from './job-indexes.ts';
import { isKnownTimeZone } from './time-zone.ts';

describe('schedules', () => {
  it.each(['* * * * *', '*/5 0-23/2 1,15 jan-DEC ?', '@hourly', '@every 1h30m', '0 0 * * 6', '5/10 * * * *'])(
    'are valid as %j',
    (schedule) => {
      expect(scheduleFault(schedule)).toBeUndefined();
    },
  );

  it.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    [
      '99999999999999999999 * * * *',
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ['@never', 'unrecognized descriptor: @never'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['TZ=Nowhere/X * * * * *', 'provided bad location Nowhere/X: unknown time zone Nowhere/X'],
  ])('have a fault as %j', (schedule, fault) => {
    expect(scheduleFault(schedule)).toBe(fault);
  });
});

describe('time zones', () => {
  it.each(['UTC', 'Europe/Berlin', 'US/Pacific', 'Etc/GMT+5', 'EST5EDT'])('are known by %j', (name) => {
    expect(isKnownTimeZone(name)).toBe(true);
  });

  it.each(['utc', 'europe/berlin', 'PST', 'Mars/Base', ''])('are not known by %j', (name) => {
    expect(isKnownTimeZone(name)).toBe(false);
  });
});

describe('indexes of jobs', () => {
  it.each<[string, number | string]>([
    ['', 0],
    ['0', 1],
    ['0,2-4', 4],
    ['5', 'too large index: "5"'],
    ['2,1', 'non-increasing order, previous: 2, current: 1'],
    ['a', 'cannot convert string to integer for index: "a"'],
    [
      '1-2-3',
      'the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by \'-\'',
    ],
  ])('are counted in %j', (text, expected) => {
    expect(countIndexes(text, 5)).toEqual(expected);
  });

  it.each([
    ['0-2', '3,4', undefined],
    ['0-2', '2-3', 2],
    ['0,4', '1-3,4', 4],
    ['x,1', '1', 1],
  ])('overlap in %j and %j at the first common one', (completed, failed, expected) => {
    expect(overlapOf(completed, failed, 5)).toBe(expected);
  });
});
