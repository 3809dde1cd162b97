import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../store.ts';
import { happensOnce, hedgedTxn } from './hedged-txn.ts';
import type { TxnResponse } from './messages/kv.ts';

const OURS = Buffer.from('ours');
const done = (revision: number): TxnResponse => ({ revision, succeeded: true, ranges: [] });
const refused = (value?: string): TxnResponse => {
  const entries =
    value === undefined ? [] : [{ key: '/a', value: Buffer.from(value), createRevision: 1, modRevision: 7 }];
  return {
    revision: 9,
    succeeded: false,
    ranges: [{ revision: 9, entries, versions: [], more: false, count: entries.length }],
  };
};
const unknown = new StoreError('unavailable', 'nobody knows');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Answer = TxnResponse | StoreError;
const later = (answer: Answer, milliseconds: number) =>
  new Promise<TxnResponse>((resolve, reject) =>
    setTimeout(() => (answer instanceof StoreError ? reject(answer) : resolve(answer)), milliseconds),
  );

async function inTime<T>(result: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(1_000);
  return result;
}

/**
 * The first answer comes after 60 ms, the second 10 or 150 ms after it was asked for; patience ends after 20
 * ms. A deletion writes no value.
 */
async function outcome(
  first: Answer,
  second: Answer,
  secondIsLate = false,
  value: Uint8Array | null = OURS,
): Promise<Answer> {
  const again = () => later(second, secondIsLate ? 150 : 10);
  const result = hedgedTxn(later(first, 60), again, value ?? undefined, 20);
  return inTime(result.catch((error: StoreError) => error));
}

describe('a hedged commit', () => {
  it.each([false, true])('has happened if either says so (second late: %s)', async (late) => {
    expect(await outcome(done(5), refused('other'), late)).toEqual(done(5));
    expect(await outcome(refused('other'), done(6), late)).toEqual(done(6));
    expect(await outcome(unknown, done(6), late)).toEqual(done(6));
    expect(await outcome(done(5), unknown, late)).toEqual(done(5));
  });

  it.each([false, true])(
    'has happened if what stands there is what it would write (second late: %s)',
    async (late) => {
      expect(await outcome(unknown, refused('ours'), late)).toEqual(done(7));
      expect(await outcome(refused('ours'), unknown, late)).toEqual(done(7));
    },
  );

  it.each([false, true])('has not happened only if both say so (second late: %s)', async (late) => {
    expect(await outcome(refused('other'), refused('newer'), late)).toMatchObject({ succeeded: false });
    expect(await outcome(unknown, refused('other'), late)).toBe(unknown);
    expect(await outcome(refused('other'), unknown, late)).toBe(unknown);
    expect(await outcome(unknown, unknown, late)).toBe(unknown);
  });

  it('is a deletion that may have been done by another client, if the key is missing', async () => {
    expect(await outcome(unknown, refused(), false, null)).toBe(unknown);
    expect(await outcome(done(4), refused(), false, null)).toEqual(done(4));
  });

  it('is sent once if it is answered in time', async () => {
    const again = () => Promise.reject(new Error('it was asked for again'));
    const once = (answer: Answer) => {
      const result = hedgedTxn(later(answer, 10), again, OURS, 200);
      return inTime(result.catch((error: StoreError) => error));
    };
    expect(await once(refused('other'))).toMatchObject({ succeeded: false });
    expect(await once(unknown)).toBe(unknown);
  });

  it('must depend on the key that it changes', () => {
    const put = { type: 'put', key: '/a', value: OURS } as const;
    expect(happensOnce({ conditions: [{ key: '/a', modRevision: 3 }], operations: [put] })).toBe(true);
    expect(happensOnce({ conditions: [{ key: '/b', modRevision: 3 }], operations: [put] })).toBe(false);
    expect(happensOnce({ conditions: [], operations: [put] })).toBe(false);
    expect(
      happensOnce({
        conditions: [{ key: '/a', modRevision: 3 }],
        operations: [put, { type: 'delete', key: '/b' }],
      }),
    ).toBe(false);
  });
});
