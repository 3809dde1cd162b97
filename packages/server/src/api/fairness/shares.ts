// How the seats of a server are divided among priority levels: nominally by their shares, and from time to
// time by what they have used. Pure functions.

export interface Shares {
  readonly nominalConcurrencyShares: number;
  readonly lendablePercent: number;
  /** Undefined: as much as the others lend. */
  readonly borrowingLimitPercent?: number;
}

export interface SeatLimits {
  readonly nominal: number;
  /** What the level keeps even if others want to borrow. */
  readonly min: number;
  /** What it may have if others lend. */
  readonly max: number;
}

/** Rounded up, so that the sum may be a little more than `total`. */
export function seatLimits(total: number, shares: Shares, shareSum: number): SeatLimits {
  const nominal = shareSum === 0 ? 0 : Math.ceil((total * shares.nominalConcurrencyShares) / shareSum);
  const lendable = Math.round((nominal * shares.lendablePercent) / 100);
  const { borrowingLimitPercent: borrowing } = shares;
  const borrowed = borrowing === undefined ? total : Math.round((nominal * borrowing) / 100);
  return { nominal, min: nominal - lendable, max: nominal + borrowed };
}

/** What a level wants of the seats of the server. */
export interface Demand {
  readonly target: number;
  readonly min: number;
  readonly max: number;
}

const ROUNDS = 50;
const LEAST_TARGET = 0.001;

/**
 * The proportion of its target that every level can have so that together they have `total`, each within its
 * bounds. Found by halving: what they have together only grows with the proportion.
 */
export function fairProportion(total: number, demands: readonly Demand[]): number {
  const together = (proportion: number): number =>
    demands.reduce((sum, demand) => sum + allotted(demand, proportion), 0);
  let low = 0;
  let high = demands.reduce(
    (most, { max, target }) => Math.max(most, max / Math.max(target, LEAST_TARGET)),
    0,
  );
  if (together(high) <= total) return high;
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (together(middle) < total) low = middle;
    else high = middle;
  }
  return high;
}

export const allotted = ({ min, max, target }: Demand, proportion: number): number =>
  Math.max(min, Math.min(max, proportion * Math.max(target, LEAST_TARGET)));
