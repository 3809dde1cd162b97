// Retries what may succeed later, with backoff, for a bounded time.
import { setTimeout } from 'node:timers/promises';
import { Backoff } from '@instar/serving';
import { isTransient } from './rewrite-object.ts';

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** After this the last failure is thrown. */
  readonly retryMs: number;
}

const FIRST_MS = 100;
const MAX_MS = 5_000;

export async function withRetries<T>(
  work: () => Promise<T>,
  { signal, retryMs: patienceMs }: RetryOptions,
): Promise<T> {
  const end = Date.now() + patienceMs;
  const backoff = new Backoff({ firstMs: FIRST_MS, maxMs: MAX_MS, jitter: 0 });
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const delay = backoff.next();
      if (!isTransient(error) || Date.now() + delay > end) throw error;
      await setTimeout(delay, undefined, { signal });
    }
  }
}
