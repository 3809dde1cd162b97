import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

describe('the pace of a migration', () => {
  it('lets no object through while it is paused', async () => {
    const pace = new Pace(0, new AbortController().signal);
    pace.pause();
    let passed = false;
    const turn = pace.turn().then(() => {
      passed = true;
    });
    await new Promise((resume) => setImmediate(resume));
    expect([passed, pace.isPaused]).toEqual([false, true]);
    pace.resume();
    await turn;
    expect([passed, pace.isPaused]).toEqual([true, false]);
  });

  it('ends with the migration, paused or not', async () => {
    const stop = new AbortController();
    const pace = new Pace(0, stop.signal);
    pace.pause();
    const turn = pace.turn();
    stop.abort(new Error('stopped'));
    await expect(turn).rejects.toThrow('stopped');
  });
});
