// Waiting longer after every failure, up to a bound, with some chance in it so that many clients do not come
// back together. Pure.

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly factor?: number;
  /** Up to this share of the wait is added at random; 1. */
  readonly jitter?: number;
  readonly random?: () => number;
}

export class Backoff {
  readonly #options: Required<BackoffOptions>;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = { factor: 2, jitter: 1, random: Math.random, ...options };
  }

  /** How long to wait after one more failure. */
  next(): number {
    const { firstMs, maxMs, factor, jitter, random } = this.#options;
    const wait = Math.min(firstMs * factor ** this.#failures, maxMs);
    // Beyond the bound the count no longer matters, and must not overflow.
    if (wait < maxMs) this.#failures++;
    return wait * (1 + jitter * random());
  }

  reset(): void {
    this.#failures = 0;
  }
}
