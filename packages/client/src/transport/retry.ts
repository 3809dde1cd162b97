// When to retry, and after which delay: as the server requests with Retry-After, and reads whose connection
// broke. Both are bounded.
import { ConnectionError } from '../connection-error.ts';
import type { RawAnswer } from '../kube-api.ts';

export interface RetryBounds {
  readonly maxRetries: number;
  /** A longer Retry-After is not honored: the answer is returned. */
  readonly maxRetryAfterMs: number;
}

/** Milliseconds before the retry; undefined: no retry. */
export function waitBeforeRetry(answer: RawAnswer, attempt: number, bounds: RetryBounds): number | undefined {
  if (attempt >= bounds.maxRetries || (answer.status !== 429 && answer.status !== 503)) return undefined;
  const header = answer.headers['retry-after'];
  const seconds = typeof header === 'string' && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined;
  return seconds === undefined || seconds * 1000 > bounds.maxRetryAfterMs ? undefined : seconds * 1000;
}

/**
 * The server may close a kept-alive connection just as it is used. Only reads can be repeated without knowing
 * their outcome.
 */
export function mayRepeat(error: unknown, method: string, attempt: number, bounds: RetryBounds): boolean {
  return (
    error instanceof ConnectionError &&
    error.fault === 'closed' &&
    method === 'GET' &&
    attempt < Math.min(2, bounds.maxRetries)
  );
}
