import { expect, it } from 'vitest';
import { parseGoDuration } from './go-duration.ts';

it.each([
  ['0', 0],
  ['60s', 60_000],
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['-2ms', -2],
  ['+1us', 0.001],
])('reads %s', (text, expected) => {
  expect(parseGoDuration(text)).toBe(expected);
});

it.each([
  ['', 'time: invalid duration ""'],
  ['abc', 'time: invalid duration "abc"'],
  ['-', 'time: invalid duration "-"'],
  ['5', 'time: missing unit in duration "5"'],
  ['5d', 'time: unknown unit "d" in duration "5d"'],
])('refuses %j in the words of Go', (text, error) => {
  expect(parseGoDuration(text)).toEqual({ error });
});
