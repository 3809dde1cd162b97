// The watches of this process: history first, each through its own watch of etcd, then live from the shared
// feed.
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
  /** All keys of the store: used to locate the last event, so that the end of history can be detected. */
  readonly range: KeyRange;
  readonly feed: {
    readonly reported: number;
    readonly lastEvents: number | undefined;
    knowLastEvents(): Promise<void>;
  };
  /** Linearizable, and reported. */
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
    this.#recent = new RecentBatches(options.feed.reported);
  }

  watch(options: WatchOptions): StoreWatch {
    const watcher: EtcdWatcher = { options, next: options.fromRevision, live: false, stopped: false };
    this.#watchers.add(watcher);
    if (this.#closed) queueMicrotask(() => this.#end(watcher, closedError()));
    else if (options.fromRevision === this.#options.feed.reported + 1) watcher.live = true;
    else queueMicrotask(() => void this.#begin(watcher));
    return { stop: () => this.#drop(watcher) };
  }

  /** Notifies every live watch; the feed has no gaps. */
  announce(batches: readonly WatchBatch[]): void {
    this.#recent.push(batches);
    for (const watcher of this.#watchers) if (watcher.live) tell(watcher, batches);
  }

  forgetUpTo(revision: number): void {
    this.#recent.forgetUpTo(revision);
  }

  /** There is a gap in what was reported: no watch can continue. */
  startOver(error: StoreError): void {
    this.#recent.reset(this.#options.feed.reported);
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
      if (from > feed.reported + 1) await currentRevision();
      if (watcher.stopped) return;
      if (from > feed.reported + 1) throw futureError(from, feed.reported);
      const recent = this.#recent.from(from);
      if (recent !== undefined) this.#goLive(watcher, recent);
      else await this.#readHistory(watcher);
    } catch (error) {
      this.#end(watcher, storeErrorOf(error));
    }
  }

  /**
   * Begins one revision early, since etcd would accept a compacted revision as the first; and no later than
   * the last events, so that at least these must come.
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

  /** What comes after the last events that the feed has reported comes from the feed as well. */
  #takeHistory(watcher: EtcdWatcher, batches: readonly WatchBatch[]): void {
    const wanted = batches
      .filter(({ revision }) => revision >= watcher.next)
      .map((batch) => withoutKey(batch, this.#options.markerKey));
    if (batches.at(-1)!.revision >= this.#options.feed.lastEvents!) this.#goLive(watcher, wanted);
    else if (wanted.length > 0) tell(watcher, wanted);
  }

  #goLive(watcher: EtcdWatcher, last: readonly WatchBatch[]): void {
    watcher.history?.stop();
    const { reported } = this.#options.feed;
    if (last.length > 0) tell(watcher, last);
    if (watcher.next <= reported) tell(watcher, [{ revision: reported, events: [] }]);
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
