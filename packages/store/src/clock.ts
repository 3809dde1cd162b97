// Time as the engines see it: now, and timers. Injected, so that tests of expiry and history need not wait.

/** The time that a store uses; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Calls `run` once after so many milliseconds, unless the returned function is called first. Never keeps
   * the process alive.
   */
  after(milliseconds: number, run: () => void): () => void;
}

// setTimeout fires immediately beyond this, so longer waits are cut; callers check the time again anyway.
const LONGEST_TIMEOUT = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, Math.min(Math.max(milliseconds, 0), LONGEST_TIMEOUT));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
