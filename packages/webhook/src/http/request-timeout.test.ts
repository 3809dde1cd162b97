import { expect, it } from 'vitest';
import { timeoutOf } from './request-timeout.ts';

it.each([
  ['timeout=10s', 10_000],
  ['a=b&timeout=1m30s&c=d', 90_000],
  ['timeout=1.5s', 1500],
  ['timeout=250ms', 250],
  ['timeout=500us', 0.5],
  ['timeout=100h', 24 * 3_600_000],
  ['', undefined],
  ['timeout=', undefined],
  ['timeout=10', undefined],
  ['timeout=-1s', undefined],
  ['timeout=0s', undefined],
  ['timeout=1s; rm', undefined],
  ['notimeout=1s', undefined],
])('%s is %s ms', (query, milliseconds) => {
  expect(timeoutOf(query)).toBe(milliseconds);
});
