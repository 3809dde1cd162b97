// Numbers from a seed, so that what a client chooses can be repeated. When its requests meet those of others
// cannot.

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Mulberry32: in [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer in [from, to]. */
  between(from, to) {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick(values) {
    return values[this.between(0, values.length - 1)];
  }

  /** For another client, independent of how many numbers this one uses later. */
  fork() {
    return new Random(this.between(0, 2 ** 32 - 1));
  }
}
