// Retries what may succeed later, with backoff, for a bounded time.
import { setTimeout } from 'node:timers/promises';
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
  for (let delay = FIRST_MS; ; delay = Math.min(delay * 2, MAX_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || Date.now() + delay > end) throw error;
      await setTimeout(delay, undefined, { signal });
    }
  }
}
