// When to ask again, and how long to wait before: what the server asks for with Retry-After, a read over a
// connection that broke, once more with new credentials after a 401. All bounded.
import { ConnectionError } from '../connection-error.ts';
import type { RawAnswer } from '../kube-api.ts';

export interface RetryBounds {
  /** How often a request is sent again at most. */
  readonly maxRetries: number;
  /** A server that asks for more patience than this is not waited for. */
  readonly maxRetryAfterMs: number;
}

/** How long to wait before sending again; undefined: the answer stands. */
export function waitBeforeRetry(answer: RawAnswer, attempt: number, bounds: RetryBounds): number | undefined {
  if (attempt >= bounds.maxRetries || (answer.status !== 429 && answer.status !== 503)) return undefined;
  const header = answer.headers['retry-after'];
  const seconds = typeof header === 'string' && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined;
  return seconds === undefined || seconds * 1000 > bounds.maxRetryAfterMs ? undefined : seconds * 1000;
}

/**
 * A kept-alive connection may be closed by the server just as we use it. Only reads can be repeated without
 * knowing what became of them.
 */
export function mayRepeat(error: unknown, method: string, attempt: number, bounds: RetryBounds): boolean {
  return (
    error instanceof ConnectionError &&
    error.fault === 'closed' &&
    method === 'GET' &&
    attempt < Math.min(2, bounds.maxRetries)
  );
}
