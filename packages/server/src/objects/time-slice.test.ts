import { expect, it } from 'vitest';
import { nextSlice } from './time-slice.ts';

it('gives long work one slice in each turn of the event loop, in the order in which it asked', async () => {
  const log: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let slice = 0; slice < 2; slice++) {
      await nextSlice();
      log.push(name);
    }
  };
  const done = Promise.all([work('a'), work('b'), work('c')]);
  let isDone = false;
  void done.then(() => (isDone = true));
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    log.push('|');
  }
  const turns = log.join('').split('|');
  expect(Math.max(...turns.map((turn) => turn.length))).toBe(1);
  expect(turns.join('')).toBe('abcabc');
});
