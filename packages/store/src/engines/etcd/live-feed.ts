// What happens in the store since it was opened, by any client: one watch of etcd for the whole process, and
// its progress. Everything that promises freshness waits for it.
import { StoreError, type WatchBatch } from '../../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { KeyRange } from './messages/kv.ts';
import { answersProgress } from './progress-support.ts';
import { ResumingWatch } from './resuming-watch.ts';
import { withoutKey } from './watchers.ts';

export interface LiveFeedOptions {
  readonly client: EtcdClient;
  readonly range: KeyRange;
  readonly start: StartingPoint;
  /**
   * An internal key within the range: written to learn the watch's progress, if etcd has no progress
   * requests.
   */
  readonly marker: Uint8Array;
  readonly markerKey: string;
  readonly onBatches: (batches: readonly WatchBatch[]) => void;
  /**
   * The feed was disconnected for so long that there is a gap: it continues from `revision`, after what was
   * compacted.
   */
  readonly onGap: (compactedRevision: number, revision: number) => void;
}

/**
 * A revision of a key outside of the range brings no event. Most events come immediately, so asking waits a
 * little; writing waits longer.
 */
const ASK_AFTER_MS = 15;
const MARK_AFTER_MS = 100;

export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #waiters = new Set<{ readonly revision: number; readonly settle: (error?: StoreError) => void }>();
  #watch: ResumingWatch;
  #reported: number;
  #lastEvents: number | undefined;
  #asking: NodeJS.Timeout | undefined;
  #canAsk = false;
  #interruption: Error | undefined;
  #closed = false;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    const { revision, hasEvents } = options.start;
    this.#reported = revision;
    if (hasEvents) this.#lastEvents = revision;
    this.#watch = this.#open(revision + 1);
  }

  /** Everything up to this revision was reported. */
  get reported(): number {
    return this.#reported;
  }

  /**
   * Resolves when everything up to `revision` was reported. An event must come if the revision is known to be
   * one of this store.
   */
  reached(revision: number, isOfThisStore = false): Promise<void> | undefined {
    if (revision <= this.#reported) return undefined;
    return new Promise((resolve, reject) => {
      const settle = (error?: StoreError): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        if (error === undefined) resolve();
        else reject(error);
      };
      const timer = setTimeout(() => settle(this.#tooLate(revision)), this.#options.client.timeoutMs);
      timer.unref();
      const waiter = { revision, settle };
      this.#waiters.add(waiter);
      if (!isOfThisStore) this.#askLater();
    });
  }

  /** The newest revision up to `told` with events, if it is known. */
  get lastEvents(): number | undefined {
    return this.#lastEvents;
  }

  async knowLastEvents(): Promise<void> {
    if (this.#lastEvents === undefined) await this.reached(await this.#mark());
  }

  close(error: StoreError): void {
    this.#closed = true;
    clearTimeout(this.#asking);
    this.#watch.stop();
    for (const waiter of [...this.#waiters]) waiter.settle(error);
  }

  #open(fromRevision: number): ResumingWatch {
    const { client, range } = this.#options;
    return new ResumingWatch({
      client,
      range,
      fromRevision,
      onBatches: (batches) => this.#take(batches),
      onCompacted: (compacted) => void this.#skip(compacted),
      onInterrupted: (error) => (this.#interruption = error),
      onCreated: () => void this.#learnVersion(),
    });
  }

  #take(batches: readonly WatchBatch[]): void {
    this.#interruption = undefined;
    const visible = batches.map((batch) => withoutKey(batch, this.#options.markerKey));
    const withEvents = batches.findLast(({ events }) => events.length > 0);
    if (withEvents !== undefined) this.#lastEvents = withEvents.revision;
    this.#reported = batches.at(-1)!.revision;
    this.#options.onBatches(visible);
    for (const waiter of this.#waiters) if (waiter.revision <= this.#reported) waiter.settle();
  }

  /** Disconnected for longer than history is kept: watchers start over from the current state. */
  async #skip(compacted: number): Promise<void> {
    try {
      const { revision, hasEvents } = await startingPoint(this.#options.client, this.#options.marker);
      if (this.#closed) return;
      this.#reported = revision;
      this.#lastEvents = hasEvents ? revision : undefined;
      this.#watch = this.#open(revision + 1);
      this.#options.onGap(compacted, revision);
      for (const waiter of this.#waiters) if (waiter.revision <= this.#reported) waiter.settle();
    } catch {
      if (!this.#closed) setTimeout(() => void this.#skip(compacted), MARK_AFTER_MS).unref();
    }
  }

  /** Members may differ, so it is asked on every connection. */
  async #learnVersion(): Promise<void> {
    this.#canAsk = false;
    const { version } = await this.#options.client.status().catch(() => ({ version: '' }));
    this.#canAsk = answersProgress(version);
  }

  #askLater(): void {
    if (this.#asking !== undefined || this.#closed) return;
    this.#asking = setTimeout(() => void this.#ask(), this.#canAsk ? ASK_AFTER_MS : MARK_AFTER_MS);
    this.#asking.unref();
  }

  async #ask(): Promise<void> {
    if (this.#waiters.size > 0) {
      if (this.#canAsk) this.#watch.askProgress();
      else if (this.#interruption === undefined) await this.#mark().catch(() => 0);
    }
    this.#asking = undefined;
    if (this.#waiters.size > 0) this.#askLater();
  }

  /** Makes a revision that the watch must report, after everything before it. */
  async #mark(): Promise<number> {
    return mark(this.#options.client, this.#options.marker);
  }

  #tooLate(revision: number): StoreError {
    const why = this.#interruption === undefined ? '' : `: ${this.#interruption.message}`;
    return new StoreError(
      'unavailable',
      `etcd has not reported revision ${revision} in time; the newest reported is ${this.#reported}${why}`,
    );
  }
}

const EMPTY = new Uint8Array(0);

async function mark(client: EtcdClient, key: Uint8Array): Promise<number> {
  const { revision } = await client.txn({
    compare: [],
    success: [{ type: 'put', key, value: EMPTY }],
    failure: [],
  });
  return revision;
}

export interface StartingPoint {
  readonly revision: number;
  /** True if a watch of the store hears of this very revision. */
  readonly hasEvents: boolean;
}

/**
 * A revision of the store's own to begin at; or, if nothing can be written (it is full, or read-only), the
 * newest of all.
 */
export async function startingPoint(client: EtcdClient, marker: Uint8Array): Promise<StartingPoint> {
  try {
    return { revision: await mark(client, marker), hasEvents: true };
  } catch {
    const { revision } = await client.range({ key: marker, countOnly: true });
    return { revision, hasEvents: false };
  }
}
