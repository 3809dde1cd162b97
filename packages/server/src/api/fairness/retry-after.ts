// How long refused clients are told to wait: the longer the more of them were refused lately, as upstream
// does. Doubles while many are refused, and shrinks by a second when few are.

const MAX_SECONDS = 32;
/** Refusals per second above which the delay grows. */
const MANY = 3;

export class RetryAfter {
  #seconds = 1;
  #since = 0;
  #refused = 0;

  get seconds(): number {
    return this.#seconds;
  }

  /** `now` in seconds. */
  refused(now: number): void {
    if (now - this.#since >= this.#seconds) this.#change(now);
    this.#refused++;
  }

  #change(now: number): void {
    const isRecent = now - this.#since < 2 * this.#seconds;
    if (isRecent && this.#refused >= MANY * this.#seconds)
      this.#seconds = Math.min(MAX_SECONDS, this.#seconds * 2);
    else if (!isRecent) this.#seconds = 1;
    else if (this.#refused < this.#seconds && this.#seconds > 1) this.#seconds--;
    this.#since = now;
    this.#refused = 0;
  }
}
