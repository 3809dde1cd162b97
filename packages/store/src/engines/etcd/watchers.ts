// The watches of this process: history first, each through a watch of etcd of its own, then live from the one
// feed of all.
import { checkRevision, closedError, compactedError, futureError } from '../../check-request.ts';
import type { StoreError, StoreEvent, StoreWatch, WatchBatch, WatchOptions } from '../../store.ts';
import { guarded, tell, type Watcher } from '../watch-hub.ts';
import { storeErrorOf } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { KeyRange } from './messages/kv.ts';
import { RecentBatches } from './recent-batches.ts';
import { ResumingWatch } from './resuming-watch.ts';

export interface WatchersOptions {
  readonly client: EtcdClient;
  /**
   * All keys of the store: where the last event is known to be, so that the end of history can be told from
   * its silence.
   */
  readonly range: KeyRange;
  readonly feed: {
    readonly told: number;
    readonly lastEvents: number | undefined;
    knowLastEvents(): Promise<void>;
  };
  /** Linearizable, and told of. */
  readonly currentRevision: () => Promise<number>;
  readonly markerKey: string;
}

interface EtcdWatcher extends Watcher {
  history?: ResumingWatch;
}

export class Watchers {
  readonly #options: WatchersOptions;
  readonly #watchers = new Set<EtcdWatcher>();
  readonly #recent: RecentBatches;
  #closed = false;

  constructor(options: WatchersOptions) {
    this.#options = options;
    this.#recent = new RecentBatches(options.feed.told);
  }

  watch(options: WatchOptions): StoreWatch {
    const watcher: EtcdWatcher = { options, next: options.fromRevision, live: false, stopped: false };
    this.#watchers.add(watcher);
    if (this.#closed) queueMicrotask(() => this.#end(watcher, closedError()));
    else if (options.fromRevision === this.#options.feed.told + 1) watcher.live = true;
    else queueMicrotask(() => void this.#begin(watcher));
    return { stop: () => this.#drop(watcher) };
  }

  /** Tells every live watch; what the feed tells has no gaps. */
  announce(batches: readonly WatchBatch[]): void {
    this.#recent.push(batches);
    for (const watcher of this.#watchers) if (watcher.live) tell(watcher, batches);
  }

  forgetUpTo(revision: number): void {
    this.#recent.forgetUpTo(revision);
  }

  /** There is a gap in what was told: nobody can go on. */
  startOver(error: StoreError): void {
    this.#recent.reset(this.#options.feed.told);
    for (const watcher of [...this.#watchers]) this.#end(watcher, error);
  }

  close(): void {
    this.#closed = true;
    for (const watcher of [...this.#watchers]) this.#end(watcher, closedError());
  }

  async #begin(watcher: EtcdWatcher): Promise<void> {
    const from = watcher.options.fromRevision;
    const { feed, currentRevision } = this.#options;
    try {
      checkRevision(from);
      if (from > feed.told + 1) await currentRevision();
      if (watcher.stopped) return;
      if (from > feed.told + 1) throw futureError(from, feed.told);
      const recent = this.#recent.from(from);
      if (recent !== undefined) this.#goLive(watcher, recent);
      else await this.#readHistory(watcher);
    } catch (error) {
      this.#end(watcher, storeErrorOf(error));
    }
  }

  /**
   * Begins one revision early, where etcd itself would not mind that the first revision asked for is the
   * compacted one; and no later than the last events, so that at least these must come.
   */
  async #readHistory(watcher: EtcdWatcher): Promise<void> {
    const { client, range, feed } = this.#options;
    await feed.knowLastEvents();
    if (watcher.stopped) return;
    watcher.history = new ResumingWatch({
      client,
      range,
      fromRevision: Math.max(Math.min(watcher.next - 1, feed.lastEvents!), 1),
      onBatches: (batches) => this.#takeHistory(watcher, batches),
      onCompacted: (compacted) => {
        if (compacted >= watcher.next) this.#end(watcher, compactedError(watcher.next, compacted));
        else this.#goLive(watcher, []);
      },
    });
  }

  /** What comes after the last events that the feed has told of comes from the feed as well. */
  #takeHistory(watcher: EtcdWatcher, batches: readonly WatchBatch[]): void {
    const wanted = batches
      .filter(({ revision }) => revision >= watcher.next)
      .map((batch) => withoutKey(batch, this.#options.markerKey));
    if (batches.at(-1)!.revision >= this.#options.feed.lastEvents!) this.#goLive(watcher, wanted);
    else if (wanted.length > 0) tell(watcher, wanted);
  }

  #goLive(watcher: EtcdWatcher, last: readonly WatchBatch[]): void {
    watcher.history?.stop();
    const { told } = this.#options.feed;
    if (last.length > 0) tell(watcher, last);
    if (watcher.next <= told) tell(watcher, [{ revision: told, events: [] }]);
    watcher.live = true;
  }

  #end(watcher: EtcdWatcher, error: StoreError): void {
    if (watcher.stopped) return;
    this.#drop(watcher);
    guarded(() => watcher.options.onEnd(error));
  }

  #drop(watcher: EtcdWatcher): void {
    watcher.stopped = true;
    watcher.history?.stop();
    this.#watchers.delete(watcher);
  }
}

export function withoutKey(batch: WatchBatch, key: string): WatchBatch {
  const is = (event: StoreEvent): boolean => event.key === key;
  return batch.events.some(is) ? { ...batch, events: batch.events.filter((event) => !is(event)) } : batch;
}
