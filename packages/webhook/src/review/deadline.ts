// How long a function may take: a little less than its caller waits, so that the caller gets to read why
// there is no verdict.
import { type Log, SILENT } from '@instar/serving';
import type { ReviewCall } from './webhook.ts';

const SHARE_OF_THE_WAY_BACK = 0.05;
const MOST_OF_THE_WAY_BACK_MS = 250;

export const TIMED_OUT: unique symbol = Symbol('timed out');

/**
 * Handed to functions. The signal is made when somebody asks for it: most functions are done before they
 * could be interrupted.
 */
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

  /** Nobody waits any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The result, or TIMED_OUT. A rejection that comes later is of no interest to anybody. */
  async race<T>(result: PromiseLike<T>): Promise<T | typeof TIMED_OUT> {
    if (this.timeoutMs === undefined) return result;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<typeof TIMED_OUT>((resolve) => {
      timer = setTimeout(() => resolve(TIMED_OUT), ownShare(this.timeoutMs!));
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
    this.#controller?.abort(new Error('nobody waits for the answer any more'));
  }
}

const ownShare = (timeoutMs: number): number =>
  timeoutMs - Math.min(timeoutMs * SHARE_OF_THE_WAY_BACK, MOST_OF_THE_WAY_BACK_MS);

export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as PromiseLike<T>).then === 'function';
}

/** Goes on at once if there is nothing to wait for. */
export function whenKnown<A, B>(
  value: A | PromiseLike<A>,
  next: (value: A) => B | PromiseLike<B>,
): B | Promise<B> {
  return isPromise(value) ? Promise.resolve(value).then(next) : (next(value) as B | Promise<B>);
}
