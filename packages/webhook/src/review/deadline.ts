// How long a function may take: a little less than the timeout of the caller, so that the caller still
// receives the reason.
import { type Log, SILENT } from '@instar/serving';
import type { ReviewCall } from './webhook.ts';

const MARGIN_SHARE = 0.05;
const MAX_MARGIN_MS = 250;

export const TIMED_OUT: unique symbol = Symbol('timed out');

/** Passed to functions. The signal is created on first use: most functions need none. */
export class Deadline {
  readonly log: Log;
  readonly timeoutMs: number | undefined;
  #controller: AbortController | undefined;
  #isOver = false;

  constructor({ timeoutMs, log = SILENT }: ReviewCall = {}) {
    this.timeoutMs = timeoutMs;
    this.log = log;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** The caller has stopped waiting. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The result, or TIMED_OUT. A later rejection is ignored. */
  async race<T>(result: PromiseLike<T>): Promise<T | typeof TIMED_OUT> {
    if (this.timeoutMs === undefined) return result;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<typeof TIMED_OUT>((resolve) => {
      timer = setTimeout(() => resolve(TIMED_OUT), functionTimeout(this.timeoutMs!));
    });
    try {
      const first = await Promise.race([result, late]);
      if (first === TIMED_OUT) this.#end();
      return first;
    } finally {
      clearTimeout(timer);
    }
  }

  #end(): void {
    this.#isOver = true;
    this.#controller?.abort(new Error('the caller has stopped waiting for the answer'));
  }
}

const functionTimeout = (timeoutMs: number): number =>
  timeoutMs - Math.min(timeoutMs * MARGIN_SHARE, MAX_MARGIN_MS);

export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as PromiseLike<T>).then === 'function';
}

/** Like `then`, but synchronous if the value is not a promise. */
export function thenSync<A, B>(
  value: A | PromiseLike<A>,
  next: (value: A) => B | PromiseLike<B>,
): B | Promise<B> {
  return isPromise(value) ? Promise.resolve(value).then(next) : (next(value) as B | Promise<B>);
}
