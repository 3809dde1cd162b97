// The reviews under way: how many, and how many bytes of bodies they hold. Also ends those whose body does
// not come.
import type { HostLimits } from '../options.ts';

type Bounds = Pick<HostLimits, 'maxInFlight' | 'maxBytesInFlight'>;

export interface InFlightReview {
  bytes: number;
  readonly since: number;
  /** Called if the body takes too long; unset once it is there. */
  onLate: (() => void) | undefined;
}

const BODY_TIMEOUT_MS = 30_000;
const SWEEP_MS = 5_000;

export class InFlight {
  readonly #bounds: Bounds;
  readonly #places = new Set<InFlightReview>();
  readonly #sweeper: NodeJS.Timeout;
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  get count(): number {
    return this.#places.size;
  }

  /** Undefined if there is no room. */
  enter(): InFlightReview | undefined {
    if (this.#places.size >= this.#bounds.maxInFlight || this.#bytes >= this.#bounds.maxBytesInFlight)
      return undefined;
    const place: InFlightReview = { bytes: 0, since: performance.now(), onLate: undefined };
    this.#places.add(place);
    return place;
  }

  /** False if that is more than fits. */
  grow(place: InFlightReview, bytes: number): boolean {
    place.bytes += bytes;
    this.#bytes += bytes;
    return this.#bytes <= this.#bounds.maxBytesInFlight;
  }

  leave(place: InFlightReview): void {
    if (this.#places.delete(place)) this.#bytes -= place.bytes;
  }

  stop(): void {
    clearInterval(this.#sweeper);
  }

  #sweep(): void {
    const late = performance.now() - BODY_TIMEOUT_MS;
    // The oldest come first.
    for (const place of this.#places) {
      if (place.since > late) return;
      place.onLate?.();
    }
  }
}
