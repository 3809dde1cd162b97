// A clock that advances only when a test calls `pass`. Timers fire in order, and what they cause runs before
// the next one.
import type { Clock } from '@instar/serving';

/** A clock that tests advance. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { readonly due: number; readonly call: () => void }[] = [];

  constructor(now = 1_700_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, call: () => void): () => void {
    const timer = { due: this.#now + milliseconds, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** How long until each timer, soonest first. */
  pending(): number[] {
    return this.#timers.map(({ due }) => due - this.#now).sort((a, b) => a - b);
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await settled();
    for (;;) {
      const next = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.due;
      next.call();
      await settled();
    }
    this.#now = end;
  }
}
