// How many seats a level could have used, measured over time: what is executing and what waits.

/** How much of the past remains in the smoothed demand after each period. */
const MEMORY = 0.977;

export interface DemandSummary {
  readonly highWatermark: number;
  readonly average: number;
  readonly deviation: number;
}

export class SeatDemand {
  #seats = 0;
  #since: number;
  #from: number;
  #sum = 0;
  #squares = 0;
  #high = 0;
  #smoothed = 0;

  constructor(now: number) {
    this.#since = now;
    this.#from = now;
  }

  get smoothed(): number {
    return this.#smoothed;
  }

  set(seats: number, now: number): void {
    this.#account(now);
    this.#seats = seats;
    if (seats > this.#high) this.#high = seats;
  }

  /** Ends a period, and begins the next. */
  summarize(now: number): DemandSummary {
    this.#account(now);
    const time = now - this.#from;
    const average = time > 0 ? this.#sum / time : this.#seats;
    const variance = time > 0 ? Math.max(0, this.#squares / time - average * average) : 0;
    const summary = { highWatermark: this.#high, average, deviation: Math.sqrt(variance) };
    // Grows at once, and shrinks slowly.
    const envelope = average + summary.deviation;
    this.#smoothed = Math.max(envelope, MEMORY * this.#smoothed + (1 - MEMORY) * envelope);
    this.#from = now;
    this.#sum = 0;
    this.#squares = 0;
    this.#high = this.#seats;
    return summary;
  }

  #account(now: number): void {
    const time = now - this.#since;
    this.#since = now;
    this.#sum += this.#seats * time;
    this.#squares += this.#seats * this.#seats * time;
  }
}
