import { describe, expect, it } from 'vitest';
import { Backoff } from './backoff.ts';

const waits = (backoff: Backoff, count: number): number[] =>
  Array.from({ length: count }, () => backoff.next());

describe('a backoff', () => {
  it('doubles up to its bound until it is reset', () => {
    const backoff = new Backoff({ firstMs: 5, maxMs: 30, jitter: 0 });
    expect(waits(backoff, 5)).toEqual([5, 10, 20, 30, 30]);
    backoff.reset();
    expect(backoff.next()).toBe(5);
  });

  it('adds up to its share of jitter', () => {
    const backoff = new Backoff({ firstMs: 10, maxMs: 100, jitter: 0.5, random: () => 1 });
    expect(waits(backoff, 2)).toEqual([15, 30]);
  });
});
