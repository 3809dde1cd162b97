// The reviews in flight: how many, and how many bytes of bodies they hold. Also ends those whose body does
// not arrive in time.
import type { HostLimits } from '../options.ts';

type Bounds = Pick<HostLimits, 'maxInFlight' | 'maxBytesInFlight'>;

export interface InFlightReview {
  bytes: number;
  readonly since: number;
  /** Called if the body takes too long; unset once it has arrived. */
  onLate: (() => void) | undefined;
}

const BODY_TIMEOUT_MS = 30_000;
const SWEEP_MS = 5_000;

export class InFlight {
  readonly #bounds: Bounds;
  readonly #reviews = new Set<InFlightReview>();
  readonly #sweeper: NodeJS.Timeout;
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  get count(): number {
    return this.#reviews.size;
  }

  /** Undefined if the limits are reached. */
  enter(): InFlightReview | undefined {
    if (this.#reviews.size >= this.#bounds.maxInFlight || this.#bytes >= this.#bounds.maxBytesInFlight)
      return undefined;
    const review: InFlightReview = { bytes: 0, since: performance.now(), onLate: undefined };
    this.#reviews.add(review);
    return review;
  }

  /** False if that exceeds the limit. */
  grow(review: InFlightReview, bytes: number): boolean {
    review.bytes += bytes;
    this.#bytes += bytes;
    return this.#bytes <= this.#bounds.maxBytesInFlight;
  }

  leave(review: InFlightReview): void {
    if (this.#reviews.delete(review)) this.#bytes -= review.bytes;
  }

  stop(): void {
    clearInterval(this.#sweeper);
  }

  #sweep(): void {
    const late = performance.now() - BODY_TIMEOUT_MS;
    // The oldest come first.
    for (const review of this.#reviews) {
      if (review.since > late) return;
      review.onLate?.();
    }
  }
}
