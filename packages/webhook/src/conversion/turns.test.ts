import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Deadline } from '../review/deadline.ts';
import { Turns } from './turns.ts';

/** Takes so many turns, and notes each. */
async function work(name: string, count: number, done: string[]): Promise<void> {
  const turns = new Turns(new Deadline({}));
  for (let i = 0; i < count; i++) {
    done.push(name);
    await turns.next();
  }
}

it('one review is finished before the next goes on, and each begins at once', async () => {
  const done: string[] = [];
  await Promise.all([work('a', 4, done), work('b', 3, done), work('c', 1, done)]);
  expect(done.join('')).toBe('abcaaabb');
});

it('a review that takes very long lets the others pass', async () => {
  const done: string[] = [];
  await Promise.all([work('a', 100, done), work('b', 3, done)]);
  expect(done.join('').indexOf('bb')).toBeLessThan(30);
  expect(done).toHaveLength(103);
});

it('everything else has its turn between those of reviews', async () => {
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

it('a review whose time is over hears of it', async () => {
  const deadline = new Deadline({ timeoutMs: 1 });
  const turns = new Turns(deadline);
  await deadline.race(new Promise(() => {}));
  expect(await turns.next()).toBe(false);
});
