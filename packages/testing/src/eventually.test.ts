import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from './eventually.ts';

afterEach(() => void vi.useRealTimers());

describe('eventually', () => {
  it('resolves to the first value that is truthy', async () => {
    const values = [0, '', undefined, 'there', 'later'];
    expect(await eventually('a value', () => values.shift())).toBe('there');
  });

  it('resolves to the first value for which the predicate holds', async () => {
    let count = 0;
    expect(await eventually('three', () => ++count, { holds: (value) => value === 3 })).toBe(3);
  });

  it('treats an error as a condition that does not hold yet', async () => {
    let tries = 0;
    const condition = () => {
      if (++tries < 3) throw new Error('not yet');
      return tries;
    };
    expect(await eventually('the third try', condition)).toBe(3);
  });

  it('fails with the description and the last value', async () => {
    await expect(
      eventually('the object to go', () => ({ status: 200 }), { holds: () => false, timeoutMs: 20 }),
    ).rejects.toThrow('timed out after 20 ms waiting for the object to go; last state: {"status":200}');
  });

  it('fails with the given state', async () => {
    await expect(
      eventually('two events', () => false, { timeoutMs: 0, state: () => ['ADDED a'] }),
    ).rejects.toThrow('last state: ["ADDED a"]');
  });

  it('fails with the last error, as its cause', async () => {
    const cause = new Error('connection refused');
    const failure = await eventually('an answer', () => Promise.reject(cause), { timeoutMs: 0 }).catch(
      (error: Error) => error,
    );
    expect(failure).toMatchObject({
      message: expect.stringContaining('last error: connection refused'),
      cause,
    });
  });

  it('works with fake timers', async () => {
    vi.useFakeTimers();
    let tries = 0;
    expect(await eventually('many tries', () => ++tries > 60)).toBe(true);
  });
});
