import { describe, expect, it } from 'vitest';
import { finishInSlices, inSlices, TimeSlice } from './time-slice.ts';

describe('inSlices', () => {
  const busy = (ms: number): void => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };

  it('lets other callbacks run before long work is done', async () => {
    let done = 0;
    let doneWhenCalled = -1;
    setImmediate(() => {
      doneWhenCalled = done;
    });
    await inSlices(Array.from({ length: 64 }), () => {
      busy(1);
      done++;
    });
    expect(done).toBe(64);
    expect(doneWhenCalled).toBeLessThan(64);
    expect(doneWhenCalled).toBeGreaterThan(0);
  });

  it('ends with the step that returns false', async () => {
    const seen: number[] = [];
    const steps = await inSlices([1, 2, 3, 4], (item) => {
      seen.push(item);
      return item < 2;
    });
    expect(steps).toBe(2);
    expect(seen).toEqual([1, 2]);
  });
});

describe('a time slice', () => {
  /** Each look at the clock finds it later by so much. */
  const clock = (step: number) => {
    let now = 0;
    return () => (now += step);
  };
  function* threeSteps(): Generator<undefined, string> {
    yield;
    yield;
    return 'done';
  }
  /** How often the event loop has turned when the work is done. */
  async function turnsOf(slice: TimeSlice): Promise<number> {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    expect(await finishInSlices(threeSteps(), slice)).toBe('done');
    isDone = true;
    return turns;
  }

  it('that is over after each step lets the event loop turn each time', async () => {
    expect(await turnsOf(new TimeSlice(clock(100)))).toBe(2);
  });

  it('that is not over does not', async () => {
    expect(await turnsOf(new TimeSlice(clock(0)))).toBe(0);
  });
});
