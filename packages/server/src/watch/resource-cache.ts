// The objects of one resource in memory, kept current by one watch of the store, and the recent events on them.
// It starts with the first request that needs it. It knows nothing of versions, selectors or clients.
import { apiErrors } from '@instar/machinery';
import { type Store, StoreError, type StoreEvent, type StoreWatch, type WatchBatch } from '@instar/store';
import { CachedObject } from '../resource/cached-object.ts';
import { SortedIndex } from '../resource/sorted-index.ts';
import { EventLog } from './event-log.ts';

export interface CacheEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** For DELETED: the last state, at the revision of the deletion. */
  readonly object: CachedObject;
  readonly previous: CachedObject | undefined;
}

export interface CacheListener {
  onEvent(event: CacheEvent): void;
  /** The cache lost its place in history and must be read anew. */
  onReset(): void;
}

export interface CacheOptions {
  readonly store: Store;
  /** Every key of the resource starts with this. */
  readonly prefix: string;
  /** History before this revision does not exist for clients (a custom resource begins with its definition). */
  readonly historyFloor: number;
  readonly maxLogEvents: number;
  readonly maxLogBytes: number;
  /** Told of every object as it enters the cache, before anybody sees it. */
  readonly onLoaded?: (object: CachedObject, value: Uint8Array) => void;
}

const PAGE = 2_000;
/** How long a read waits for a revision that this server has not seen yet, as upstream. */
const MAX_WAIT_MS = 3_000;

export class ResourceCache {
  readonly #options: CacheOptions;
  readonly #index = new SortedIndex();
  readonly #log: EventLog;
  readonly #listeners = new Set<CacheListener>();
  #waiters: { revision: number; resolve: () => void }[] = [];
  #watch: StoreWatch | undefined;
  #starting: Promise<void> | undefined;
  #revision = 0;
  #lastChange = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#log = new EventLog(options.maxLogEvents, options.maxLogBytes);
  }

  /** All changes up to this revision are in the cache. */
  get revision(): number {
    return this.#revision;
  }

  /** The revision of the newest change to this resource: between it and `revision` nothing happened here. */
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

  /** Resolves when the cache has been filled once; it may be stale. */
  started(): Promise<void> | undefined {
    if (this.#watch !== undefined) return undefined;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Brings the cache up to the store's newest revision. */
  async fresh(): Promise<void> {
    await this.started();
    this.#advance(await this.#options.store.currentRevision());
  }

  /** Waits until the cache has seen `revision`; a revision that does not come is the client's mistake. */
  async atLeast(revision: number): Promise<void> {
    await this.started();
    if (this.#revision >= revision) return;
    this.#advance(await this.#options.store.currentRevision());
    if (this.#revision >= revision || (await this.#wait(revision))) return;
    throw tooLargeResourceVersion(revision, this.#revision);
  }

  /** Events from now on. Whoever subscribes and reads the cache in one go misses nothing and sees nothing twice. */
  subscribe(listener: CacheListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The events after `revision`, from memory; undefined if memory does not reach that far back. */
  eventsAfter(revision: number): CacheEvent[] | undefined {
    return this.#log.after(revision);
  }

  /**
   * The events after `revision` from the store's history, and up to which revision they go. Whoever asks goes on with `eventsAfter` from
   * there, and asks again if memory has moved on in the meantime. The cache must be started.
   */
  async readHistory(revision: number): Promise<{ events: CacheEvent[]; upTo: number }> {
    const { store, prefix, historyFloor } = this.#options;
    const oldest = Math.max(historyFloor, await store.compactedRevision());
    if (revision < oldest) throw tooOldResourceVersion(revision, oldest);
    const upTo = this.#log.start;
    const events: CacheEvent[] = [];
    try {
      await new Promise<void>((resolve, reject) => {
        const onBatch = (batch: WatchBatch): void => {
          for (const event of batch.events) if (event.revision <= upTo) events.push(cacheEventOf(event));
          if (batch.revision < upTo) return;
          watch.stop();
          resolve();
        };
        const watch = store.watch({ prefix, fromRevision: revision + 1, onBatch, onEnd: reject });
      });
    } catch (error) {
      if (error instanceof StoreError && error.code === 'compacted') throw tooOldResourceVersion(revision, error.compactedRevision ?? oldest);
      throw error;
    }
    return { events, upTo };
  }

  stop(): void {
    this.#watch?.stop();
    this.#watch = undefined;
    this.#index.clear();
    this.#log.reset(0);
    for (const listener of [...this.#listeners]) listener.onReset();
    this.#listeners.clear();
  }

  async #start(): Promise<void> {
    const { store, prefix } = this.#options;
    this.#index.clear();
    let page = await store.list({ prefix, limit: PAGE });
    const { revision } = page;
    for (;;) {
      this.#index.load(page.entries.map((entry) => this.#load(entry.value, CachedObject.fromEntry(entry))));
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) break;
      page = await store.list({ prefix, limit: PAGE, revision, after: last.key });
    }
    this.#log.reset(revision);
    this.#revision = revision;
    this.#lastChange = revision;
    let ended: StoreError | undefined;
    const onEnd = (error: StoreError): void => {
      ended = error;
      this.#lost();
    };
    const watch = store.watch({ prefix, fromRevision: revision + 1, onBatch: (batch) => this.#take(batch), onEnd });
    // What was written since the list comes as history: only then is the cache as good as the store.
    const newest = await store.currentRevision();
    while (ended === undefined && this.#revision < newest) await this.#wait(newest);
    if (ended !== undefined) throw ended;
    this.#watch = watch;
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
      this.#publish({ type: 'DELETED', revision: event.revision, object: previous.atRevision(event.revision), previous });
      return;
    }
    const object = this.#load(event.entry.value, CachedObject.fromEntry(event.entry));
    this.#index.set(object);
    this.#publish({ type: previous === undefined ? 'ADDED' : 'MODIFIED', revision: event.revision, object, previous });
  }

  #publish(event: CacheEvent): void {
    this.#lastChange = event.revision;
    this.#log.push(event);
    for (const listener of this.#listeners) listener.onEvent(event);
  }

  #advance(revision: number): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    if (this.#waiters.length === 0) return;
    const due = this.#waiters.filter((waiter) => waiter.revision <= revision);
    this.#waiters = this.#waiters.filter((waiter) => waiter.revision > revision);
    for (const waiter of due) waiter.resolve();
  }

  #wait(revision: number): Promise<boolean> {
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        done(this.#revision >= revision);
      }, MAX_WAIT_MS);
      timer.unref();
      const resolve = (): void => {
        clearTimeout(timer);
        done(true);
      };
      const waiter = { revision, resolve };
      this.#waiters.push(waiter);
    });
  }

  /** The store ended the watch: whoever listens starts over, and so does the cache with the next request. */
  #lost(): void {
    this.#watch = undefined;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.onReset();
  }
}

function cacheEventOf(event: StoreEvent): CacheEvent {
  const previous = event.previous === undefined ? undefined : CachedObject.fromEntry(event.previous);
  if (event.entry !== undefined) {
    return {
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      revision: event.revision,
      object: CachedObject.fromEntry(event.entry),
      previous,
    };
  }
  if (previous === undefined)
    throw new StoreError('corrupt', `history has no value for ${event.key}, which was deleted at ${event.revision}`);
  return { type: 'DELETED', revision: event.revision, object: previous.atRevision(event.revision), previous };
}

export function tooOldResourceVersion(asked: number, oldest: number) {
  return apiErrors.expired(`too old resource version: ${asked} (${oldest})`);
}

export function tooLargeResourceVersion(asked: number | bigint, current: number) {
  return apiErrors.raw({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  });
}
