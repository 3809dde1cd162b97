// A circuit breaker for one webhook. After consecutive failures it opens and refuses calls for a while, then
// lets one trial call through. An object on which the webhook hangs must not block the others, so each object
// counts as one failure only.
import type { WebhookFault } from './failure.ts';

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 500;
/** Recovery is noticed within this time. */
const LONGEST_PAUSE_MS = 4_000;

export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #openUntil = 0;
  #lastFault: WebhookFault | undefined;
  #isHalfOpen = false;
  /** The batches that were not answered in time. */
  readonly #hungOn = new Set<string>();

  /** `now` is in milliseconds, from a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#failures >= FAILURES_TO_OPEN;
  }

  /**
   * The reason not to call now, if there is one; `about` names what would be sent. A caller that gets
   * undefined must report the outcome.
   */
  refusal(about: () => string): WebhookFault | undefined {
    if (!this.isOpen || this.#lastFault === undefined) return undefined;
    const left = this.#openUntil - this.#now();
    if (left > 0 || this.#isHalfOpen || this.#isLeftToOthers(left, about)) return this.#notCalled(left);
    this.#isHalfOpen = true;
    return undefined;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#isHalfOpen = false;
    this.#lastFault = undefined;
    this.#hungOn.clear();
  }

  failed(fault: WebhookFault): void {
    this.#failures++;
    this.#isHalfOpen = false;
    this.#lastFault = fault;
    if (!this.isOpen) return;
    this.#openUntil = this.#now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** The outcome will never be known: another call may be the trial. */
  abandon(): void {
    this.#isHalfOpen = false;
  }

  /** The webhook got the call and did not answer in time. */
  hung(fault: WebhookFault, about: string): void {
    if (!this.isOpen && this.#hungOn.has(about)) return;
    if (this.#hungOn.size < FAILURES_TO_OPEN) this.#hungOn.add(about);
    this.failed(fault);
  }

  /**
   * A batch on which the webhook hung before is a bad trial: for one more pause, only other batches may be
   * it.
   */
  #isLeftToOthers(left: number, about: () => string): boolean {
    return this.#hungOn.size > 0 && left > -this.#pauseMs && this.#hungOn.has(about());
  }

  #notCalled(left: number): WebhookFault {
    const { text, reached: _, ...last } = this.#lastFault!;
    const when = left > 0 ? `is called again in ${(left / 1000).toFixed(1)}s` : 'is being tried';
    return { ...last, text: `${text} (it failed ${this.#failures} times in a row and ${when})` };
  }
}
