import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { WorkQueue, workOn } from './work-queue.ts';

describe('a work queue', () => {
  it('holds an item once, however often it is added', async () => {
    const queue = new WorkQueue<string>();
    for (const item of ['a', 'b', 'a']) queue.add(item);
    expect([await queue.take(), await queue.take(), queue.length]).toEqual(['a', 'b', 0]);
  });

  it('gives out an item again only after it is done with', async () => {
    const queue = new WorkQueue<string>();
    queue.add('a');
    expect(await queue.take()).toBe('a');
    queue.add('a');
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(await queue.take()).toBe('a');
    queue.done('a');
    expect(queue.isIdle).toBe(true);
  });

  it('hands an item to whoever waits', async () => {
    const queue = new WorkQueue<string>();
    const taken = [queue.take(), queue.take()];
    queue.add('a');
    queue.add('a');
    queue.add('b');
    expect(await Promise.all(taken)).toEqual(['a', 'b']);
    queue.done('a');
    expect(queue.length).toBe(1);
  });

  it('delays an item by the shortest of its delays', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue<string>({ clock });
    queue.addAfter('a', 1000);
    queue.addAfter('a', 400);
    queue.addAfter('a', 700);
    expect(clock.pending()).toEqual([400]);
    await clock.pass(399);
    expect(queue.length).toBe(0);
    await clock.pass(1);
    expect(queue.length).toBe(1);
  });

  it('doubles the wait of an item with its failures, up to a bound, and leaves others alone', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue<string>({ clock, firstRetryMs: 5, maxRetryMs: 100 });
    const waits: number[] = [];
    for (let failure = 0; failure < 7; failure++) {
      queue.addRateLimited('a');
      waits.push(clock.pending()[0]!);
      await clock.pass(waits.at(-1)!);
      queue.done((await queue.take())!);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 100, 100]);
    queue.addRateLimited('b');
    expect(clock.pending()).toEqual([5]);
    queue.forget('a');
    expect(queue.failures('a')).toBe(0);
  });

  it('ends: what is ready is still taken, what is delayed is not', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue<string>({ clock });
    queue.add('a');
    queue.addAfter('b', 10);
    queue.shutDown();
    queue.add('c');
    expect([await queue.take(), await queue.take()]).toEqual(['a', undefined]);
    expect(clock.pending()).toEqual([]);
  });
});

describe('workers', () => {
  it('try an item that failed again, until it succeeds', async () => {
    const clock = new FakeClock();
    const queue = new WorkQueue<string>({ clock });
    const failed: string[] = [];
    let tries = 0;
    const working = workOn(queue, {
      workers: 2,
      work: async () => {
        if (++tries < 4) throw new Error(`no ${tries}`);
      },
      onFailure: (item, error) => failed.push(`${item}: ${(error as Error).message}`),
    });
    queue.add('a');
    await clock.pass(1000);
    expect(failed).toEqual(['a: no 1', 'a: no 2', 'a: no 3']);
    expect(queue.failures('a')).toBe(0);
    queue.shutDown();
    await working;
  });

  it('never work on one item twice at a time, and miss no item', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { maxLength: 40 }),
        async (adds) => {
          const queue = new WorkQueue<string>();
          const busy = new Set<string>();
          const lastAdd = new Map<string, number>();
          const lastStart = new Map<string, number>();
          let step = 0;
          const working = workOn(queue, {
            workers: 3,
            work: async (item) => {
              expect(busy.has(item)).toBe(false);
              busy.add(item);
              lastStart.set(item, step++);
              await Promise.resolve();
              busy.delete(item);
            },
            onFailure: (_, error) => {
              throw error;
            },
          });
          for (const [item, pause] of adds) {
            lastAdd.set(item, step++);
            queue.add(item);
            for (let turn = 0; turn < pause; turn++) await Promise.resolve();
          }
          while (!queue.isIdle) await new Promise((resolve) => setImmediate(resolve));
          queue.shutDown();
          await working;
          for (const [item, added] of lastAdd) expect(lastStart.get(item)!).toBeGreaterThan(added);
        },
      ),
      { numRuns: 50 },
    );
  });
});
