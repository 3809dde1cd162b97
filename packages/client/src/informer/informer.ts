// Keeps a copy of all objects of a resource and tells of every change: one list, then a watch that is resumed
// where it ended, and another list only when the server has forgotten that place. Lives through restarts of
// the server; ends only when told to.
import { ApiError, type KubeObject } from '@instar/machinery';
import { Backoff, type Clock, REAL_CLOCK, sleep } from '@instar/serving';
import type { KubeApi } from '../kube-api.ts';
import type { ResourceRef } from '../resource-ref.ts';
import { type Change, ObjectStore } from './object-store.ts';
import { endAfter } from './watch-bound.ts';

/** All that an informer needs of a client. */
export type Listable = Pick<KubeApi, 'pages' | 'watch'>;

export interface InformerHandlers<T> {
  /** `initial`: it was there when the informer, or this handler, began. */
  readonly add?: (object: T, initial: boolean) => void;
  /** On a resync `old` and `object` are the same. */
  readonly update?: (old: T, object: T) => void;
  /** As it was last seen. */
  readonly delete?: (object: T) => void;
}

export interface InformerOptions {
  readonly ref: ResourceRef;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** How often every object is told again as an update; never, unless told. */
  readonly resyncMs?: number;
  readonly pageSize?: number;
  /**
   * What is kept of an object: leave out what nobody reads, and the copy takes less memory. Metadata that
   * identifies it must stay.
   */
  readonly transform?: (object: KubeObject) => KubeObject;
  /** What went wrong; the informer goes on by itself. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** A watch ends by itself between this and twice this, so that servers can spread their clients anew. */
const WATCH_SECONDS = 300;
/** A watch that ends sooner without a word is a sign of trouble. */
const SHORT_WATCH_MS = 1000;

export class Informer<T extends KubeObject = KubeObject> {
  readonly #api: Listable;
  readonly #options: InformerOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #store = new ObjectStore<T>();
  readonly #handlers = new Set<InformerHandlers<T>>();
  readonly #whenSynced: Promise<void>;
  #onSynced = (): void => undefined;
  readonly #backoff: Backoff;
  #resourceVersion: string | undefined;
  #synced = false;
  #running: Promise<void> | undefined;
  #stop = new AbortController();

  constructor(api: Listable, options: InformerOptions) {
    this.#api = api;
    this.#options = options;
    this.#clock = options.clock ?? REAL_CLOCK;
    this.#random = options.random ?? Math.random;
    this.#whenSynced = new Promise((resolve) => {
      this.#onSynced = resolve;
    });
    this.#backoff = new Backoff({ firstMs: 800, maxMs: 30_000, random: this.#random });
  }

  /** The first list is in the store, and its handlers have been called. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  /** The revision that the store is known to be at. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  list(): T[] {
    return this.#store.values();
  }

  /** What is in the store already is told as added. The answer takes the handlers away. */
  addHandlers(handlers: InformerHandlers<T>): () => void {
    this.#handlers.add(handlers);
    for (const object of this.#store.values()) this.#guard(() => handlers.add?.(object, true));
    return () => void this.#handlers.delete(handlers);
  }

  /** Waits for the first list. */
  whenSynced(): Promise<void> {
    return this.#whenSynced;
  }

  start(): void {
    this.#running ??= this.run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const resync = this.#startResync(signal);
    while (!signal.aborted) {
      const wait = await this.#listAndWatch(signal);
      if (wait > 0) await sleep(this.#clock, wait, signal).catch(() => undefined);
    }
    resync();
  }

  /** How long to wait before the next round. */
  async #listAndWatch(signal: AbortSignal): Promise<number> {
    try {
      if (this.#resourceVersion === undefined) await this.#relist(signal);
      const started = this.#clock.now();
      const events = await this.#watch(signal);
      if (events === 0 && this.#clock.now() - started < SHORT_WATCH_MS) return this.#backoff.next();
      this.#backoff.reset();
      return 0;
    } catch (error) {
      return signal.aborted ? 0 : this.#afterFailure(error);
    }
  }

  #afterFailure(error: unknown): number {
    const wasWatching = this.#resourceVersion !== undefined;
    // Whatever the server refuses about this revision, a new list puts right; a lost connection or an
    // overload does not need one.
    if (error instanceof ApiError && error.code < 500 && error.code !== 429)
      this.#resourceVersion = undefined;
    const expired = error instanceof ApiError && error.code === 410;
    if (!expired) this.#guard(() => this.#options.onError?.(error));
    return expired && wasWatching ? 0 : this.#backoff.next();
  }

  async #relist(signal: AbortSignal): Promise<void> {
    const { ref, pageSize } = this.#options;
    const objects: T[] = [];
    let resourceVersion = '';
    for await (const page of this.#api.pages<T>(ref, {
      ...this.#selectors(),
      signal,
      ...(pageSize !== undefined && { limit: pageSize }),
    })) {
      for (const object of page.items) objects.push(this.#kept(object));
      resourceVersion = page.metadata.resourceVersion ?? '';
    }
    this.#tell(this.#store.replace(objects), !this.#synced);
    this.#resourceVersion = resourceVersion;
    this.#synced = true;
    this.#onSynced();
  }

  /** How many events came before the watch ended. */
  async #watch(signal: AbortSignal): Promise<number> {
    const timeoutSeconds = Math.round(WATCH_SECONDS * (1 + this.#random()));
    const bound = endAfter(signal, (timeoutSeconds + 30) * 1000, this.#clock);
    const options = {
      ...this.#selectors(),
      resourceVersion: this.#resourceVersion!,
      allowBookmarks: true,
      timeoutSeconds,
      signal: bound.signal,
    };
    let events = 0;
    try {
      for await (const { type, object } of this.#api.watch<T>(this.#options.ref, options)) {
        events++;
        if (type !== 'BOOKMARK') this.#tell(this.#changeOf(type, this.#kept(object)), false);
        this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
      }
      return events;
    } finally {
      bound.end();
    }
  }

  #kept(object: T): T {
    return (this.#options.transform?.(object) ?? object) as T;
  }

  #changeOf(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): Change<T>[] {
    return type === 'DELETED' ? this.#store.remove(object) : this.#store.put(object);
  }

  #selectors(): { labelSelector?: string; fieldSelector?: string } {
    const { labelSelector, fieldSelector } = this.#options;
    return {
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    };
  }

  #tell(changes: readonly Change<T>[], initial: boolean): void {
    for (const change of changes)
      for (const handlers of this.#handlers) this.#guard(() => tellOne(handlers, change, initial));
  }

  #startResync(signal: AbortSignal): () => void {
    const { resyncMs } = this.#options;
    if (resyncMs === undefined) return () => undefined;
    let cancel = (): void => undefined;
    const next = (): void => {
      cancel = this.#clock.after(resyncMs, () => {
        if (signal.aborted) return;
        this.#tell(
          this.#store.values().map((object) => ({ type: 'update', old: object, object })),
          false,
        );
        next();
      });
    };
    next();
    return () => cancel();
  }

  /** A handler that throws is its own trouble, not that of the others. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

function tellOne<T>(handlers: InformerHandlers<T>, change: Change<T>, initial: boolean): void {
  switch (change.type) {
    case 'add':
      handlers.add?.(change.object, initial);
      break;
    case 'update':
      handlers.update?.(change.old, change.object);
      break;
    case 'delete':
      handlers.delete?.(change.object);
      break;
  }
}
