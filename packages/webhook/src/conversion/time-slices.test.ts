import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Deadline } from '../review/deadline.ts';
import { TimeSlices } from './time-slices.ts';

/** Takes `count` time slices, and records each. */
async function work(name: string, count: number, done: string[]): Promise<void> {
  const slices = new TimeSlices(new Deadline({}));
  for (let i = 0; i < count; i++) {
    done.push(name);
    await slices.next();
  }
}

it('every review begins immediately, then they finish one after the other', async () => {
  const done: string[] = [];
  await Promise.all([work('a', 4, done), work('b', 3, done), work('c', 1, done)]);
  expect(done.join('')).toBe('abcaaabb');
});

it('a very long review lets the others finish first', async () => {
  const done: string[] = [];
  await Promise.all([work('a', 100, done), work('b', 3, done)]);
  expect(done.join('').indexOf('bb')).toBeLessThan(30);
  expect(done).toHaveLength(103);
});

it('other work runs between the slices of reviews', async () => {
  const done: string[] = [];
  const all = work('a', 50, done);
  let others = 0;
  while (done.length < 50) {
    await nextTurn();
    others++;
  }
  await all;
  expect(others).toBeGreaterThan(40);
});

it('a review is stopped when its deadline is over', async () => {
  const deadline = new Deadline({ timeoutMs: 1 });
  const slices = new TimeSlices(deadline);
  await deadline.race(new Promise(() => {}));
  expect(await slices.next()).toBe(false);
});
