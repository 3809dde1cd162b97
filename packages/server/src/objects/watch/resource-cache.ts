// The objects of one resource in memory, kept current by one watch of the store, and the recent events on
// them. It starts with the first request that needs it. It does not know versions, selectors or clients.
import { apiErrors } from '@instar/machinery';
import { type Store, StoreError, type StoreEvent, type StoreWatch, type WatchBatch } from '@instar/store';
import { CachedObject } from '../cached-object.ts';
import { SortedIndex } from '../sorted-index.ts';
import type { CacheEvent } from './cache-event.ts';
import { EventLog } from './event-log.ts';
import { type HistoryPage, readHistoryPage } from './history.ts';

export interface CacheListener {
  onEvent(event: CacheEvent): void;
  /** The watch of the store was lost: the listener is unsubscribed and must start over. */
  onReset(): void;
}

interface CacheOptions {
  readonly store: Store;
  /** Every key of the resource starts with this. */
  readonly prefix: string;
  /** Clients get no history before this revision (that of a custom resource begins with its definition). */
  readonly historyFloor: number;
  readonly maxLogEvents: number;
  readonly maxLogBytes: number;
  /** Called with every object when it enters the cache, before any reader or listener gets it. */
  readonly onLoaded?: (object: CachedObject, value: Uint8Array) => void;
}

const PAGE_ENTRIES = 2_000;
/** An attempt fails if so much is written meanwhile that the revision of the list is compacted. */
const MAX_FILL_ATTEMPTS = 5;
/** How long a read waits for a revision that this server has not seen yet, as upstream. */
const MAX_WAIT_MS = 3_000;

export class ResourceCache {
  readonly #options: CacheOptions;
  readonly #log: EventLog;
  readonly #listeners = new Set<CacheListener>();
  /** After the watch was lost: the last known state, until there is a newer one. */
  #index = new SortedIndex();
  readonly #waiters = new Set<{ readonly revision: number; readonly resolve: () => void }>();
  #watch: StoreWatch | undefined;
  #starting: Promise<void> | undefined;
  #isStopped = false;
  #revision = 0;
  #lastChange = 0;
  /** History before this revision does not exist for clients. */
  #historyFloor: number;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#historyFloor = options.historyFloor;
    this.#log = new EventLog(options.maxLogEvents, options.maxLogBytes);
  }

  /** All changes up to this revision are in the cache. */
  get revision(): number {
    return this.#revision;
  }

  /** The revision of the newest change to this resource. */
  get lastChange(): number {
    return this.#lastChange;
  }

  get size(): number {
    return this.#index.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#index.get(key);
  }

  slice(prefix: string, after?: string): CachedObject[] {
    return this.#index.slice(prefix, after);
  }

  values(): IterableIterator<CachedObject> {
    return this.#index.values();
  }

  /** Starts the cache if necessary, and resolves when it has been filled; it may be stale. */
  waitUntilStarted(): Promise<void> | undefined {
    if (this.#watch !== undefined) return undefined;
    if (this.#isStopped) return Promise.reject(apiErrors.tooManyRequests('storage is (re)initializing', 1));
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Waits until the cache has reached the newest revision of the store. */
  async waitUntilFresh(): Promise<void> {
    for (;;) {
      await this.waitUntilStarted();
      const watch = this.#watch;
      const revision = await this.#options.store.currentRevision();
      // A watch that ended meanwhile has not reported everything; a new one may still be reading history.
      if (watch === undefined || watch !== this.#watch) continue;
      if (this.#revision >= revision || (await this.#wait(revision))) return;
      if (watch === this.#watch)
        throw new StoreError('unavailable', `the cache did not reach revision ${revision} in time`);
    }
  }

  /** Waits until the cache has reached `revision`; one that the store never reaches is the client's error. */
  async waitUntilAtLeast(revision: number): Promise<void> {
    await this.waitUntilStarted();
    if (this.#revision >= revision) return;
    await this.waitUntilFresh();
    if (this.#revision >= revision || (await this.#wait(revision))) return;
    throw tooLargeResourceVersion(revision, this.#revision);
  }

  /**
   * Subscribes to events from now on. A caller that also reads the cache, synchronously, misses nothing and
   * sees nothing twice. If the cache is not running, the listener is reset immediately.
   */
  subscribe(listener: CacheListener): () => void {
    if (this.#watch === undefined) {
      queueMicrotask(() => listener.onReset());
      return () => {};
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The events after `revision` from memory; undefined if some are no longer there. */
  eventsAfter(revision: number): CacheEvent[] | undefined {
    return revision < this.#historyFloor ? undefined : this.#log.after(revision);
  }

  /**
   * A page of the events after `revision` from the store's history. The caller continues with `eventsAfter`
   * from the page's last revision, and reads another page if that returns undefined. The cache must be
   * started.
   */
  async readHistory(revision: number): Promise<HistoryPage> {
    const { store, prefix } = this.#options;
    const oldest = Math.max(this.#historyFloor, await store.compactedRevision());
    if (revision < oldest) throw tooOldResourceVersion(revision, oldest);
    try {
      return await readHistoryPage(store, prefix, revision, this.#log.start);
    } catch (error) {
      if (isCompacted(error)) throw tooOldResourceVersion(revision, error.compactedRevision ?? oldest);
      throw error;
    }
  }

  /** From now on no watch can start before `revision`. */
  forgetBefore(revision: number): void {
    this.#historyFloor = Math.max(this.#historyFloor, revision);
  }

  /** Permanent: the resource was removed, or the server shuts down. */
  stop(): void {
    this.#isStopped = true;
    this.#watch?.stop();
    this.#index = new SortedIndex();
    this.#log.reset(0);
    this.#lost();
  }

  async #start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#fill();
        return;
      } catch (error) {
        if (!isCompacted(error) || attempt >= MAX_FILL_ATTEMPTS) throw error;
      }
    }
  }

  async #fill(): Promise<void> {
    const { store } = this.#options;
    const { index, revision } = await this.#read();
    this.#index = index;
    this.#log.reset(revision);
    this.#revision = revision;
    this.#lastChange = revision;
    const following = this.#follow(revision);
    // What was written since the list arrives as history: only then is the cache as fresh as the store.
    const newest = await store.currentRevision();
    while (following.ended === undefined && !this.#isStopped && this.#revision < newest)
      await this.#wait(newest);
    if (following.ended !== undefined) throw following.ended;
    if (this.#isStopped) {
      following.watch.stop();
      this.#index = new SortedIndex();
      return;
    }
    this.#watch = following.watch;
  }

  async #read(): Promise<{ index: SortedIndex; revision: number }> {
    const { store, prefix } = this.#options;
    const index = new SortedIndex();
    let page = await store.list({ prefix, limit: PAGE_ENTRIES });
    const { revision } = page;
    for (;;) {
      index.load(page.entries.map((entry) => this.#load(entry.value, CachedObject.fromEntry(entry))));
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) return { index, revision };
      page = await store.list({ prefix, limit: PAGE_ENTRIES, revision, after: last.key });
    }
  }

  /**
   * Follows changes after `revision`, until the store ends the watch or reports a value that cannot be read.
   */
  #follow(revision: number): { watch: StoreWatch; ended: StoreError | undefined } {
    const onEnd = (error: StoreError): void => {
      following.ended = error;
      this.#lost();
    };
    const onBatch = (batch: WatchBatch): void => {
      try {
        this.#take(batch);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        following.watch.stop();
        onEnd(error);
      }
    };
    const watch = this.#options.store.watch({
      prefix: this.#options.prefix,
      fromRevision: revision + 1,
      onBatch,
      onEnd,
    });
    const following: { watch: StoreWatch; ended: StoreError | undefined } = { watch, ended: undefined };
    return following;
  }

  #load(value: Uint8Array, object: CachedObject): CachedObject {
    this.#options.onLoaded?.(object, value);
    return object;
  }

  #take(batch: WatchBatch): void {
    for (const event of batch.events) this.#apply(event);
    this.#advance(batch.revision);
  }

  #apply(event: StoreEvent): void {
    const previous = this.#index.get(event.key);
    if (event.entry === undefined) {
      if (previous === undefined) return;
      this.#index.delete(event.key);
      this.#publish({
        type: 'DELETED',
        revision: event.revision,
        object: previous.atRevision(event.revision),
        previous,
      });
      return;
    }
    const object = this.#load(event.entry.value, CachedObject.fromEntry(event.entry));
    this.#index.set(object);
    this.#publish({
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      revision: event.revision,
      object,
      previous,
    });
  }

  #publish(event: CacheEvent): void {
    this.#lastChange = event.revision;
    this.#log.push(event);
    for (const listener of this.#listeners) listener.onEvent(event);
  }

  #advance(revision: number): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.resolve();
  }

  /** True when the revision has been reached; false if it takes too long, or the watch was lost. */
  #wait(revision: number): Promise<boolean> {
    return new Promise((done) => {
      const resolve = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        done(this.#revision >= revision);
      };
      const timer = setTimeout(resolve, MAX_WAIT_MS);
      timer.unref();
      const waiter = { revision, resolve };
      this.#waiters.add(waiter);
    });
  }

  /** The store ended the watch: the listeners start over, and so does the cache with the next request. */
  #lost(): void {
    this.#watch = undefined;
    for (const waiter of this.#waiters) waiter.resolve();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.onReset();
  }
}

const isCompacted = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'compacted';

function tooOldResourceVersion(asked: number, oldest: number) {
  return apiErrors.expired(`too old resource version: ${asked} (${oldest})`);
}

export function tooLargeResourceVersion(asked: number | bigint, current: number) {
  return apiErrors.raw({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}
