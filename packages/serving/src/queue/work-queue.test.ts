import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** A queue whose work is finished by hand. */
function byHand(options: Partial<WorkQueueOptions> = {}) {
  const started: string[] = [];
  const errors: string[] = [];
  const under = new Map<string, { finish: () => void; fail: () => void }>();
  const queue = new WorkQueue({
    work: (key) => {
      started.push(key);
      return new Promise<void>((resolve, reject) =>
        under.set(key, { finish: resolve, fail: () => reject(new Error(key)) }),
      );
    },
    onError: (_, error) => errors.push((error as Error).message),
    ...options,
  });
  const finish = async (key: string) => {
    under.get(key)!.finish();
    await nextTurn();
  };
  const fail = async (key: string) => {
    under.get(key)!.fail();
    await nextTurn();
  };
  return { queue, started, errors, finish, fail };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('keys', () => {
  it('wait once, however often they are added', async () => {
    const { queue, started, finish } = byHand({ concurrency: 1 });
    for (const key of ['a', 'b', 'b', 'c', 'b']) queue.add(key);
    for (const key of ['a', 'b', 'c']) await finish(key);
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('are worked on again when added meanwhile, but never twice at once', async () => {
    const { queue, started, finish } = byHand();
    queue.add('a');
    queue.add('a');
    queue.add('a');
    expect(started).toEqual(['a']);
    await finish('a');
    expect(started).toEqual(['a', 'a']);
    await finish('a');
    expect(started).toEqual(['a', 'a']);
  });

  it('are worked on by no more than allowed at once', async () => {
    const { queue, started, finish } = byHand({ concurrency: 2 });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    expect(started).toEqual(['a', 'b']);
    await finish('b');
    expect(started).toEqual(['a', 'b', 'c']);
  });
});

it('never works on a key twice at a time, and misses none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { maxLength: 40 }),
      async (adds) => {
        const busy = new Set<string>();
        const lastAdd = new Map<string, number>();
        const lastStart = new Map<string, number>();
        let step = 0;
        const queue = new WorkQueue({
          concurrency: 3,
          work: async (key) => {
            expect(busy.has(key)).toBe(false);
            busy.add(key);
            lastStart.set(key, step++);
            await Promise.resolve();
            busy.delete(key);
          },
          onError: (_, error) => {
            throw error;
          },
        });
        for (const [key, pause] of adds) {
          lastAdd.set(key, step++);
          queue.add(key);
          for (let turn = 0; turn < pause; turn++) await Promise.resolve();
        }
        await nextTurn();
        await queue.close();
        for (const [key, added] of lastAdd) expect(lastStart.get(key)!).toBeGreaterThan(added);
      },
    ),
    { numRuns: 50 },
  );
});

describe('failures', () => {
  it('are told, and tried again later and later', async () => {
    const { queue, started, errors, fail, finish } = byHand({ minDelayMs: 10, maxDelayMs: 25 });
    queue.add('a');
    for (const delay of [10, 20, 25, 25]) {
      const tries = started.length;
      await fail('a');
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(started.length).toBe(tries);
      await vi.advanceTimersByTimeAsync(1);
      expect(started.length).toBe(tries + 1);
    }
    expect(errors).toEqual(['a', 'a', 'a', 'a']);
    await finish('a');
    queue.add('a');
    await fail('a');
    await vi.advanceTimersByTimeAsync(10);
    expect(started.length).toBe(7);
  });

  it('of work that throws at once are failures too', async () => {
    const errors: unknown[] = [];
    const queue = new WorkQueue({
      work: () => {
        throw new Error('at once');
      },
      onError: (_, error) => errors.push(error),
    });
    queue.add('a');
    await nextTurn();
    expect(errors).toHaveLength(1);
    await queue.close();
  });
});

describe('later', () => {
  it('is the earliest of the times given', async () => {
    const { queue, started } = byHand();
    queue.addLater('a', 1000);
    queue.addLater('a', 20);
    queue.addLater('a', 500);
    await vi.advanceTimersByTimeAsync(20);
    expect(started).toEqual(['a']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a pause', () => {
  it('holds keys back until it is over', async () => {
    const { queue, started } = byHand();
    queue.pause();
    queue.add('a');
    queue.add('b');
    expect(started).toEqual([]);
    queue.resume();
    expect(started).toEqual(['a', 'b']);
  });
});

describe('closing', () => {
  it('waits for the work under way, and starts no more', async () => {
    const { queue, started, finish } = byHand({ concurrency: 1 });
    queue.add('a');
    queue.add('b');
    queue.add('a');
    queue.addLater('c', 10);
    let isClosed = false;
    const closing = queue.close().then(() => {
      isClosed = true;
    });
    await nextTurn();
    expect(isClosed).toBe(false);
    await finish('a');
    await closing;
    queue.add('d');
    queue.addLater('e', 1);
    await vi.advanceTimersByTimeAsync(100);
    expect(started).toEqual(['a']);
  });

  it('is quick when there is nothing to wait for', async () => {
    await byHand().queue.close();
  });

  it('does not try failures again', async () => {
    const { queue, started, errors, fail } = byHand();
    queue.add('a');
    const closing = queue.close();
    await fail('a');
    await closing;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([started, errors]).toEqual([['a'], []]);
  });
});
