import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** A queue whose work is finished manually. */
function manualQueue(options: Partial<WorkQueueOptions> = {}) {
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

describe('a key', () => {
  const seen = () => {
    const log: string[] = [];
    return { log, note: (text: string) => () => log.push(text) };
  };

  it('is settled at once if there is nothing to do', async () => {
    await expect(manualQueue().queue.settled('a')).resolves.toBeUndefined();
  });

  it('is settled when its work is done, also what was added meanwhile', async () => {
    const { queue, finish } = manualQueue({ concurrency: 1 });
    const { log, note } = seen();
    queue.add('b');
    queue.add('a');
    void queue.settled('a').then(note('a'));
    await finish('b');
    queue.add('a');
    await finish('a');
    expect(log).toEqual([]);
    await finish('a');
    expect(log).toEqual(['a']);
  });

  it('is settled when the queue is closed before its turn', async () => {
    const { queue, finish } = manualQueue({ concurrency: 1 });
    queue.add('b');
    queue.add('a');
    const settled = queue.settled('a');
    const closed = queue.close();
    await settled;
    await finish('b');
    await closed;
  });
});

describe('keys', () => {
  it('wait once, however often they are added', async () => {
    const { queue, started, finish } = manualQueue({ concurrency: 1 });
    for (const key of ['a', 'b', 'b', 'c', 'b']) queue.add(key);
    for (const key of ['a', 'b', 'c']) await finish(key);
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('are worked on again, not concurrently, when added meanwhile', async () => {
    const { queue, started, finish } = manualQueue();
    queue.add('a');
    queue.add('a');
    queue.add('a');
    expect(started).toEqual(['a']);
    await finish('a');
    expect(started).toEqual(['a', 'a']);
    await finish('a');
    expect(started).toEqual(['a', 'a']);
  });

  it('are worked on by no more workers than allowed', async () => {
    const { queue, started, finish } = manualQueue({ concurrency: 2 });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    expect(started).toEqual(['a', 'b']);
    await finish('b');
    expect(started).toEqual(['a', 'b', 'c']);
  });
});

it('works serially on each key until its last addition is handled', async () => {
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
  it('are reported and retried with backoff', async () => {
    const { queue, started, errors, fail, finish } = manualQueue({ minDelayMs: 10, maxDelayMs: 25 });
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

  it('include work that throws synchronously', async () => {
    const errors: unknown[] = [];
    const queue = new WorkQueue({
      work: () => {
        throw new Error('thrown');
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
    const { queue, started } = manualQueue();
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
    const { queue, started } = manualQueue();
    queue.pause();
    queue.add('a');
    queue.add('b');
    expect(started).toEqual([]);
    queue.resume();
    expect(started).toEqual(['a', 'b']);
  });
});

describe('closing', () => {
  it('waits for work in progress but starts no more', async () => {
    const { queue, started, finish } = manualQueue({ concurrency: 1 });
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

  it('is immediate when there is no work in progress', async () => {
    await manualQueue().queue.close();
  });

  it('does not retry failures', async () => {
    const { queue, started, errors, fail } = manualQueue();
    queue.add('a');
    const closing = queue.close();
    await fail('a');
    await closing;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([started, errors]).toEqual([['a'], []]);
  });
});
