// Keeps a local store of all objects of a resource and reports every change: one list, then a watch that is
// resumed where it ended, and another list only if the server has compacted that revision. Survives restarts
// of the server; ends only when stopped.
import { ApiError, type KubeObject } from '@instar/machinery';
import { Backoff, type Clock, REAL_CLOCK, sleep } from '@instar/serving';
import type { KubeApi } from '../kube-api.ts';
import type { ResourceRef } from '../resource-ref.ts';
import { ObjectStore, type StoreChange } from './object-store.ts';
import { endAfter } from './watch-bound.ts';

/** The part of a client that an informer needs. */
export type Listable = Pick<KubeApi, 'pages' | 'watch'>;

/** Called when objects are added, changed and deleted. */
export interface InformerHandlers<T> {
  /** `initial`: it existed when the informer or this handler started. */
  readonly add?: (object: T, initial: boolean) => void;
  /** On a resync `old` and `object` are the same. */
  readonly update?: (old: T, object: T) => void;
  /** The last known state. */
  readonly delete?: (object: T) => void;
}

/** Which objects an informer follows, and how often it resyncs. */
export interface InformerOptions {
  readonly ref: ResourceRef;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** How often every object is reported again as an update. Default: never. */
  readonly resyncMs?: number;
  readonly pageSize?: number;
  /** Reduces an object before it is stored, to save memory. Metadata that identifies it must stay. */
  readonly transform?: (object: KubeObject) => KubeObject;
  /** Called on errors, after which the informer continues. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** A watch lasts between this and twice this, so that load balancers can redistribute clients. */
const WATCH_SECONDS = 300;
/** A watch that ends sooner without events causes a backoff. */
const SHORT_WATCH_MS = 1000;

/** List and watch of a resource, kept as a local store, as in client-go. */
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

  /** The first list is in the store, and the handlers have been called. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  /** The revision of the local store. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  list(): T[] {
    return this.#store.values();
  }

  /** Objects already in the store are reported as added. Returns a function that removes the handlers. */
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

  /** Runs until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const resync = this.#startResync(signal);
    while (!signal.aborted) {
      const wait = await this.#listAndWatch(signal);
      if (wait > 0) await sleep(this.#clock, wait, signal).catch(() => undefined);
    }
    resync();
  }

  /** Returns how long to wait before the next attempt. */
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
    // If the server refuses this revision, list again; after a lost connection or an overload, only watch
    // again.
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
      for (const object of page.items) objects.push(this.#transformed(object));
      resourceVersion = page.metadata.resourceVersion ?? '';
    }
    this.#notify(this.#store.replace(objects), !this.#synced);
    this.#resourceVersion = resourceVersion;
    this.#synced = true;
    this.#onSynced();
  }

  /** Returns the number of events. */
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
        if (type !== 'BOOKMARK') this.#notify(this.#apply(type, this.#transformed(object)), false);
        this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
      }
      return events;
    } finally {
      bound.end();
    }
  }

  #transformed(object: T): T {
    return (this.#options.transform?.(object) ?? object) as T;
  }

  #apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): StoreChange<T>[] {
    return type === 'DELETED' ? this.#store.remove(object) : this.#store.put(object);
  }

  #selectors(): { labelSelector?: string; fieldSelector?: string } {
    const { labelSelector, fieldSelector } = this.#options;
    return {
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    };
  }

  #notify(changes: readonly StoreChange<T>[], initial: boolean): void {
    for (const change of changes)
      for (const handlers of this.#handlers) this.#guard(() => callHandler(handlers, change, initial));
  }

  #startResync(signal: AbortSignal): () => void {
    const { resyncMs } = this.#options;
    if (resyncMs === undefined) return () => undefined;
    let cancel = (): void => undefined;
    const next = (): void => {
      cancel = this.#clock.after(resyncMs, () => {
        if (signal.aborted) return;
        this.#notify(
          this.#store.values().map((object) => ({ type: 'update', old: object, object })),
          false,
        );
        next();
      });
    };
    next();
    return () => cancel();
  }

  /** A handler that throws must not affect the others. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

function callHandler<T>(handlers: InformerHandlers<T>, change: StoreChange<T>, initial: boolean): void {
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
