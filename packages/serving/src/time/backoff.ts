// Exponential backoff with an upper bound, and jitter so that many clients do not retry together. Without
// I/O.

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly factor?: number;
  /** Up to this share of the delay is added at random; 1. */
  readonly jitter?: number;
  readonly random?: () => number;
}

/** The growing pause between attempts. */
export class Backoff {
  readonly #options: Required<BackoffOptions>;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = { factor: 2, jitter: 1, random: Math.random, ...options };
  }

  /** The delay after one more failure. */
  next(): number {
    const { firstMs, maxMs, factor, jitter, random } = this.#options;
    const delay = Math.min(firstMs * factor ** this.#failures, maxMs);
    // Beyond the bound the count no longer matters, and must not overflow.
    if (delay < maxMs) this.#failures++;
    return delay * (1 + jitter * random());
  }

  reset(): void {
    this.#failures = 0;
  }
}
