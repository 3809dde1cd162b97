// The labeling controller: while it is the leader it maintains the labels of both resources and records what
// it found. Of several, one works and the others stand by.
import { ApiLeaseLock, type KubeApi } from '@instar/client';
import {
  type Clock,
  type ElectionTimes,
  LeaderElector,
  type Log,
  MetricsRegistry,
  REAL_CLOCK,
  SILENT,
} from '@instar/serving';
import { CONTENTS, SNAPSHOTS } from '../resources.ts';
import { LabellerMetrics } from './labeller-metrics.ts';
import type { LabellerRecord } from './record.ts';
import { RecordKeeper } from './record-keeper.ts';
import { LABELLER_NAME, ResourceLabeller } from './resource-labeller.ts';

export interface LabellerOptions {
  /** Where its Lease and its record are. */
  readonly namespace: string;
  /** Different for every replica. */
  readonly identity: string;
  /** Of the Lease and of the ConfigMap with the record. */
  readonly name?: string;
  /** How often every object is checked again; 24 h. */
  readonly resyncMs?: number;
  readonly election?: ElectionTimes;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly metrics?: MetricsRegistry;
}

const DAY_MS = 86_400_000;

/** Labels snapshots and contents that the stricter validation would refuse. */
export class Labeller {
  readonly #api: KubeApi;
  readonly #options: LabellerOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #metrics: LabellerMetrics;
  #elector: Pick<LeaderElector, 'isLeader'> | undefined;

  constructor(api: KubeApi, options: LabellerOptions) {
    this.#api = api;
    this.#options = options;
    this.#clock = options.clock ?? REAL_CLOCK;
    this.#log = options.log ?? SILENT;
    this.#metrics = new LabellerMetrics(options.metrics ?? new MetricsRegistry());
  }

  get isLeader(): boolean {
    return this.#elector?.isLeader ?? false;
  }

  /** Runs until the signal aborts. After losing the lease, it tries to become leader again. */
  async run(signal: AbortSignal): Promise<void> {
    const { namespace, identity, name = LABELLER_NAME, election } = this.#options;
    const lock = new ApiLeaseLock(this.#api, { namespace, name });
    while (!signal.aborted) {
      const elector = new LeaderElector(lock, {
        ...election,
        identity,
        clock: this.#clock,
        lead: (term) => this.#lead(term, { namespace, name }),
        onNewLeader: (leader) =>
          this.#log.info({ leader }, leader === identity ? 'became the leader' : 'another one leads'),
        onError: (error) => this.#log.warn({ err: error }, 'leader election failed; will retry'),
      });
      this.#elector = elector;
      const how = await elector.run(signal);
      if (how === 'lost') this.#log.warn({}, 'the lease was lost');
    }
  }

  async #lead(signal: AbortSignal, place: { namespace: string; name: string }): Promise<void> {
    const labellers: ResourceLabeller[] = [];
    const keeper = new RecordKeeper(this.#api, place, this.#clock, this.#log, () => seenBy(labellers));
    const options = {
      resyncMs: this.#options.resyncMs ?? DAY_MS,
      clock: this.#clock,
      log: this.#log,
      metrics: this.#metrics,
      onChange: () => keeper.touch(),
    };
    labellers.push(
      ...[SNAPSHOTS, CONTENTS].map((resource) => new ResourceLabeller(this.#api, resource, options)),
    );
    this.#metrics.leads(true);
    await keeper
      .load()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'cannot read the existing record'));
    await Promise.all([keeper.run(signal), ...labellers.map((labeller) => labeller.run(signal))]);
    this.#metrics.leads(false);
  }
}

/** Nothing is reported before both have seen everything. */
function seenBy([snapshots, contents]: readonly ResourceLabeller[]):
  | Omit<LabellerRecord, 'cleanSince'>
  | undefined {
  if (snapshots?.checkedAt === undefined || contents?.checkedAt === undefined) return undefined;
  return {
    invalidSnapshots: snapshots.invalidCount,
    invalidContents: contents.invalidCount,
    checkedAt: Math.min(snapshots.checkedAt, contents.checkedAt),
  };
}
