// A clock that stands still until it is advanced, for tests of expiry and history.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that tests advance. */
export class ManualClock implements Clock {
  #now = 1_700_000_000_000;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.push(timer);
    // What is due already does not need the clock to move.
    if (milliseconds <= 0) setImmediate(() => void this.advance(0));
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances by so much, calling what falls due. */
  async advance(seconds: number): Promise<void> {
    const target = this.#now + seconds * 1000;
    for (let timer = this.#next(target); timer !== undefined; timer = this.#next(target)) {
      this.#now = Math.max(this.#now, timer.at);
      timer.run();
      await nextTurn();
    }
    this.#now = target;
  }

  #next(target: number): Timer | undefined {
    const [first] = this.#timers.filter((timer) => timer.at <= target).sort((a, b) => a.at - b.at);
    this.#timers = this.#timers.filter((timer) => timer !== first);
    return first;
  }
}
