import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DeadlineQueue } from './deadline-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('expires each entry that was not canceled at its own deadline', () => {
  const queue = new DeadlineQueue(1000);
  const expired: string[] = [];
  queue.add(() => expired.push('a'));
  vi.advanceTimersByTime(400);
  const b = queue.add(() => expired.push('b'));
  queue.add(() => expired.push('c'));
  vi.advanceTimersByTime(599);
  expect(expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(expired).toEqual(['a']);
  b.cancel();
  vi.advanceTimersByTime(400);
  expect(expired).toEqual(['a', 'c']);
  expect(vi.getTimerCount()).toBe(0);
});

it('expires entries that are added after it was empty', () => {
  const queue = new DeadlineQueue(10);
  const expired: string[] = [];
  queue.add(() => expired.push('a')).cancel();
  vi.advanceTimersByTime(50);
  queue.add(() => expired.push('b'));
  vi.advanceTimersByTime(10);
  expect(expired).toEqual(['b']);
});
