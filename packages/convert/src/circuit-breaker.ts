// Keeps from calling a webhook that cannot be reached: after some failures in a row it lets nobody through for a while, then one to try.
import type { Fault } from './failure.ts';

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 500;
/** Recovery is noticed within this time. */
const LONGEST_PAUSE_MS = 4_000;

export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #closedUntil = 0;
  #last: Fault | undefined;
  #trying = false;

  /** `now` in milliseconds, from any clock that only goes forward. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#failures >= FAILURES_TO_OPEN;
  }

  /** The reason not to call now, if there is one. Whoever gets none must tell of the outcome. */
  refusal(): Fault | undefined {
    if (!this.isOpen || this.#last === undefined) return undefined;
    const left = this.#closedUntil - this.#now();
    if (left > 0 || this.#trying) return this.#notCalled(left);
    this.#trying = true;
    return undefined;
  }

  reached(): void {
    this.#failures = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#trying = false;
    this.#last = undefined;
  }

  failed(fault: Fault): void {
    this.#failures++;
    this.#trying = false;
    this.#last = fault;
    if (!this.isOpen) return;
    this.#closedUntil = this.#now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #notCalled(left: number): Fault {
    const { text, ...last } = this.#last!;
    const when = left > 0 ? `is called again in ${(left / 1000).toFixed(1)}s` : 'is being tried';
    return { ...last, text: `${text} (it failed ${this.#failures} times in a row and ${when})` };
  }
}
