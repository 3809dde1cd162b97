// Time as a thing to be handed in: what waits, retries or expires asks this, so that tests can let hours pass
// at once.

export interface Clock {
  /** Milliseconds, as Date.now() has them. */
  now(): number;
  /** Calls back once after that long; the answer cancels. */
  after(milliseconds: number, call: () => void): () => void;
}

/** Beyond this setTimeout fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const startTimer = (milliseconds: number, call: () => void): NodeJS.Timeout =>
  setTimeout(call, Math.min(milliseconds, LONGEST_TIMER));

export const REAL_CLOCK: Clock = {
  now: () => Date.now(),
  after(milliseconds, call) {
    const timer = startTimer(milliseconds, call);
    return () => clearTimeout(timer);
  },
};

/** Its timers do not keep the process alive: for work that goes on beside what a process is for. */
export const BACKGROUND_CLOCK: Clock = {
  now: () => Date.now(),
  after(milliseconds, call) {
    const timer = startTimer(milliseconds, call).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after that long; rejects with the signal's reason if it comes first. */
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
