// Keeps from calling a webhook that cannot be reached, or does not answer in time: after some failures in a
// row it lets nobody through for a while, then one to try. An object on which the webhook gets stuck must not
// keep others from it, so each object counts once.
import type { Fault } from './failure.ts';

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 500;
/** Recovery is noticed within this time. */
const LONGEST_PAUSE_MS = 4_000;

export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #openUntil = 0;
  #last: Fault | undefined;
  #trying = false;
  /** What was in the calls that were not answered in time. */
  readonly #stuck = new Set<string>();

  /** `now` in milliseconds, from any clock that only goes forward. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#failures >= FAILURES_TO_OPEN;
  }

  /**
   * The reason not to call now, if there is one; `about` names what would be sent. Whoever gets none must
   * tell of the outcome.
   */
  refusal(about: () => string): Fault | undefined {
    if (!this.isOpen || this.#last === undefined) return undefined;
    const left = this.#openUntil - this.#now();
    if (left > 0 || this.#trying || this.#isLeftToOthers(left, about)) return this.#notCalled(left);
    this.#trying = true;
    return undefined;
  }

  reached(): void {
    this.#failures = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#trying = false;
    this.#last = undefined;
    this.#stuck.clear();
  }

  failed(fault: Fault): void {
    this.#failures++;
    this.#trying = false;
    this.#last = fault;
    if (!this.isOpen) return;
    this.#openUntil = this.#now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Nothing is known of the outcome, and never will be: another one may try. */
  abandon(): void {
    this.#trying = false;
  }

  /** It got the call, and did not answer in time. */
  gotStuck(fault: Fault, about: string): void {
    if (!this.isOpen && this.#stuck.has(about)) return;
    if (this.#stuck.size < FAILURES_TO_OPEN) this.#stuck.add(about);
    this.failed(fault);
  }

  /**
   * What it got stuck on before is not what shows that it is well again: for another pause, something else
   * may.
   */
  #isLeftToOthers(left: number, about: () => string): boolean {
    return this.#stuck.size > 0 && left > -this.#pauseMs && this.#stuck.has(about());
  }

  #notCalled(left: number): Fault {
    const { text, reached: _, ...last } = this.#last!;
    const when = left > 0 ? `is called again in ${(left / 1000).toFixed(1)}s` : 'is being tried';
    return { ...last, text: `${text} (it failed ${this.#failures} times in a row and ${when})` };
  }
}
