import { describe, expect, it } from 'vitest';
import { inSlices } from './time-slice.ts';

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
