// The priority levels: their seats by configuration, and how they lend seats to each other.
import type { PriorityLevel } from '../../kinds/validate/priority-level.ts';
import { LevelQueues, type LevelSettings } from './level-queues.ts';
import { RetryAfter } from './retry-after.ts';
import type { DemandSummary } from './seat-demand.ts';
import { allotted, fairProportion, type SeatLimits, type Shares, seatLimits } from './shares.ts';

/** A list may take this part of the seats of its level, and as many at most. */
const WIDEST_PART = 0.15;
const WIDEST = 10;

export class Level {
  readonly name: string;
  uid = '';
  readonly queues: LevelQueues;
  limits: SeatLimits = { nominal: 0, min: 0, max: 0 };
  /** What a single request may take. */
  maxSeats = 1;
  readonly retryAfter = new RetryAfter();

  constructor(name: string, settings: LevelSettings, now: () => number) {
    this.name = name;
    this.queues = new LevelQueues(settings, 0, now);
  }

  get settings(): LevelSettings {
    return this.queues.settings;
  }

  get isExempt(): boolean {
    return this.settings.type === 'exempt';
  }

  setLimits(limits: SeatLimits): void {
    const { type, handSize } = this.settings;
    this.limits = limits;
    const part = Math.min(Math.ceil(limits.nominal * WIDEST_PART), Math.floor(limits.nominal / handSize));
    this.maxSeats = type === 'queue' ? Math.min(WIDEST, Math.max(1, part)) : WIDEST;
  }
}

export function settingsOf({ spec }: PriorityLevel): LevelSettings {
  const queuing = spec.limited?.limitResponse.queuing;
  return {
    type: spec.type === 'Exempt' ? 'exempt' : queuing === undefined ? 'reject' : 'queue',
    queues: queuing?.queues ?? 0,
    handSize: queuing?.handSize ?? 1,
    queueLength: queuing?.queueLengthLimit ?? 0,
  };
}

function sharesOf({ spec }: PriorityLevel): Shares {
  const { nominalConcurrencyShares = 0, lendablePercent = 0 } = spec.limited ?? spec.exempt ?? {};
  const borrowingLimitPercent = spec.limited?.borrowingLimitPercent;
  return {
    nominalConcurrencyShares,
    lendablePercent,
    ...(borrowingLimitPercent !== undefined && { borrowingLimitPercent }),
  };
}

export function divide(total: number, configured: readonly { level: Level; object: PriorityLevel }[]): void {
  const shares = configured.map(({ object }) => sharesOf(object));
  const sum = shares.reduce((all, { nominalConcurrencyShares: own }) => all + own, 0);
  for (const [index, { level }] of configured.entries())
    level.setLimits(seatLimits(total, shares[index]!, sum));
}

/** What was decided for a level, for metrics. */
export interface Adjustment extends DemandSummary {
  readonly level: Level;
  readonly smoothed: number;
  readonly target: number;
  readonly current: number;
}

interface Wish {
  readonly level: Level;
  readonly summary: DemandSummary;
  readonly min: number;
}

/** Gives each level its share of what all have, between its bounds, by what it has used lately. */
export function adjust(
  levels: readonly Level[],
  now: number,
): { adjustments: Adjustment[]; fraction: number } {
  const wishes = levels.map((level): Wish => {
    const summary = level.queues.demand.summarize(now);
    const { nominal, min } = level.limits;
    const used = level.isExempt ? summary.highWatermark : Math.min(nominal, summary.highWatermark);
    return { level, summary, min: Math.max(min, used) };
  });
  const total = levels.reduce((sum, { limits }) => sum + limits.nominal, 0);
  const limited = wishes.filter(({ level }) => !level.isExempt);
  const exempt = wishes.reduce((sum, { level, min }) => sum + (level.isExempt ? min : 0), 0);
  const left = total - exempt;
  const configured = sumOf(limited, ({ level }) => level.limits.min);
  const wanted = sumOf(limited, ({ min }) => min);
  // Upstream divides the whole even though requests that are exempt take part of it.
  const fraction = left <= wanted ? 0 : fairProportion(total, limited.map(demandOf));
  const adjustments = wishes.map((wish): Adjustment => {
    const { level, summary, min } = wish;
    const demand = demandOf(wish);
    const current = level.isExempt
      ? min
      : left <= configured
        ? level.limits.min
        : left <= wanted
          ? level.limits.min +
            Math.round(((min - level.limits.min) * (left - configured)) / (wanted - configured))
          : Math.round(allotted(demand, fraction));
    level.queues.setLimit(current);
    return { level, ...summary, smoothed: level.queues.demand.smoothed, target: demand.target, current };
  });
  return { adjustments, fraction };
}

const demandOf = ({ level, min }: Wish) => ({
  min,
  max: level.limits.max,
  target: Math.max(min, level.queues.demand.smoothed),
});

const sumOf = (wishes: readonly Wish[], of: (wish: Wish) => number): number =>
  wishes.reduce((sum, wish) => sum + of(wish), 0);
