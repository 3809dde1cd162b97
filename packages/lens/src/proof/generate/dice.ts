// The source of randomness: a thin layer over fast-check's random numbers, so that a seed repeats everything.
import type { Random } from 'fast-check';

export class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Both ends included. */
  int(min: number, max: number): number {
    return max <= min ? min : this.#random.nextInt(min, max);
  }

  bigint(min: bigint, max: bigint): bigint {
    return max <= min ? min : this.#random.nextBigInt(min, max);
  }

  /** True about `percent` times out of a hundred. */
  chance(percent: number): boolean {
    return this.#random.nextInt(0, 99) < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  /** A shuffled copy. */
  shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let last = copy.length - 1; last > 0; last--) {
      const other = this.int(0, last);
      [copy[last], copy[other]] = [copy[other]!, copy[last]!];
    }
    return copy;
  }

  /** Between 0 and 1, in small steps. */
  fraction(): number {
    return this.#random.nextInt(0, 1_000_000) / 1_000_000;
  }
}
