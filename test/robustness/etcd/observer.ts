// What happened: the store's own watch, over a connection without faults.
import { openStore, type Store, type StoreError, type WatchBatch } from '@instar/store';
import type { Change } from './history.ts';
import { PREFIX } from './workload.ts';

const KEYS = `/registry/configmaps/default/${PREFIX}`;

export class Observer {
  readonly changes: Change[] = [];
  readonly store: Store;
  ended: StoreError | undefined;
  #revision: number;

  private constructor(store: Store, revision: number) {
    this.store = store;
    this.#revision = revision;
    store.watch({
      prefix: KEYS,
      fromRevision: revision + 1,
      onBatch: (batch) => this.#take(batch),
      onEnd: (error) => (this.ended = error),
    });
  }

  static async start(url: string): Promise<Observer> {
    // Much longer than a test takes: it compacts only on request.
    const store = await openStore(url, { historySeconds: 3600 });
    return new Observer(store, await store.currentRevision());
  }

  /** Compacts to the newest revision that was observed. */
  async compact(): Promise<void> {
    await this.store.compact(this.#revision);
  }

  #take({ revision, events }: WatchBatch): void {
    this.#revision = revision;
    for (const { key, entry } of events) {
      const value =
        entry &&
        (JSON.parse(Buffer.from(entry.value).toString()) as { data?: { value?: string } }).data?.value;
      this.changes.push({ key: key.slice(KEYS.length - PREFIX.length), revision, value });
    }
  }
}
