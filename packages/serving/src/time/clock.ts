// The clock as a dependency: code that waits, retries or expires uses it, so that tests can skip hours.

/** The time and its timers; tests pass their own. */
export interface Clock {
  /** Milliseconds, as Date.now(). */
  now(): number;
  /** Calls back once after that time; the returned function cancels. */
  after(milliseconds: number, call: () => void): () => void;
}

/** Beyond this setTimeout fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const startTimer = (milliseconds: number, call: () => void): NodeJS.Timeout =>
  setTimeout(call, Math.min(milliseconds, MAX_TIMER_MS));

/** The clock of the system. */
export const REAL_CLOCK: Clock = {
  now: () => Date.now(),
  after(milliseconds, call) {
    const timer = startTimer(milliseconds, call);
    return () => clearTimeout(timer);
  },
};

/** Its timers do not keep the process alive: for background work. */
export const BACKGROUND_CLOCK: Clock = {
  now: () => Date.now(),
  after(milliseconds, call) {
    const timer = startTimer(milliseconds, call).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after that time; rejects with the signal's reason if it aborts first. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal!.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
