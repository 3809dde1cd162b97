// Timestamps keep the offset that they were written with, as upstream's do.
import { describe, expect, it } from 'vitest';
import {
  CelError,
  compile,
  Environment,
  listsLibrary,
  optionalLibrary,
  parseAndCheck,
  standardLibrary,
  stringsLibrary,
  validateDurationLiterals,
  validateTimestampLiterals,
} from '../index.ts';

const environment = new Environment({
  libraries: [standardLibrary, optionalLibrary(), stringsLibrary(), listsLibrary()],
});
const resultOf = (text: string): unknown => compile(text, environment).evaluate({}).value;

describe('a timestamp with an offset', () => {
  const at = "timestamp('2024-02-29T23:30:00.5+02:00')";
  const expected: Record<string, unknown> = {
    [`string(${at})`]: '2024-02-29T23:30:00.5+02:00',
    [`string(${at} + duration('1h'))`]: '2024-03-01T00:30:00.5+02:00',
    [`string(duration('1h') + ${at})`]: '2024-03-01T00:30:00.5+02:00',
    [`string(${at} - duration('1h'))`]: '2024-02-29T22:30:00.5+02:00',
    [`${at}.getHours()`]: 23,
    [`${at}.getHours('UTC')`]: 21,
    [`${at}.getHours('-01:00')`]: 20,
    [`${at} == timestamp('2024-02-29T21:30:00.5Z')`]: true,
    [`'%s'.format([${at}])`]: '2024-02-29T21:30:00.5Z',
    [`string(timestamp('2024-02-29T21:30:00+00:00'))`]: '2024-02-29T21:30:00Z',
    [`string(timestamp('2024-02-29T21:30:00-00:00'))`]: '2024-02-29T21:30:00Z',
    [`string(timestamp('1969-12-31T19:00:00.000000001-05:30'))`]: '1969-12-31T19:00:00.000000001-05:30',
    [`string(timestamp(int(${at})))`]: '2024-02-29T21:30:00Z',
  };
  for (const [text, value] of Object.entries(expected))
    it(`${text} is ${value}`, () => expect(resultOf(text)).toBe(value));
});

it('only the beginning of the year 1 is the zero timestamp', () => {
  expect(resultOf("optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')).hasValue()")).toBe(false);
  expect(resultOf('optional.ofNonZeroValue(timestamp(0)).hasValue()')).toBe(true);
});

it('flattens a list of unknown type that holds no lists', () => {
  expect(resultOf('dyn([1, 2]).flatten() == [1, 2]')).toBe(true);
  expect(resultOf('dyn({}).flatten()')).toEqual(new CelError('no such overload: map.flatten()'));
});

it('invalid literals of timestamps and durations are found at compile time', () => {
  const strict = environment.extend({ validators: [validateDurationLiterals, validateTimestampLiterals] });
  const issues = (text: string): string => parseAndCheck(text, strict).issues.format();
  expect(issues('timestamp(253402300800) == timestamp(0)')).toContain('1:11: invalid timestamp argument');
  expect(issues("timestamp('today') == timestamp(0)")).toContain('1:11: invalid timestamp argument');
  expect(issues("duration('1 day') == duration('0')")).toContain('1:10: invalid duration argument');
  expect(issues('timestamp(253402300799) == timestamp(0)')).toBe('');
});
