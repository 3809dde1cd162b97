import { expect, it } from 'vitest';
import { suiteMode } from './describe-unless.ts';

it.each([
  ['runs where nothing is missing', undefined, false, 'run'],
  ['runs in CI where nothing is missing', undefined, true, 'run'],
  ['is skipped where something is missing', 'there is no etcd', false, 'skip'],
  ['fails in CI where something is missing', 'there is no etcd', true, 'fail'],
] as const)('a suite %s', (_, missing, isCi, expected) => {
  expect(suiteMode(missing, isCi)).toBe(expected);
});
