// A store whose values are encrypted: everything else is that of the store below. Keys stay readable, so that
// lists and watches work. Decrypting may need an answer of a key management service: the guarantees of a
// store about watches hold all the same, since writes and reads of the revision wait for deliveries.
import {
  type Commit,
  type CommitResult,
  type ListOptions,
  type ListPage,
  type Store,
  type StoredEntry,
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type WatchBatch,
  type WatchOptions,
} from '../store.ts';
import type { Transformer } from './transformer.ts';

/** A page may have thousands of entries: others are served in between. */
const SLICE_MS = 8;

export class EncryptedStore implements Store {
  readonly #inner: Store;
  readonly #transformer: () => Transformer;
  /** What commits in flight have encrypted: the watch that reports them need not decrypt it. */
  readonly #own = new WeakMap<Uint8Array, Uint8Array>();
  readonly #deliveries = new Set<Promise<void>>();

  /** The transformer is asked for each time: the configuration may change. */
  constructor(inner: Store, transformer: () => Transformer) {
    this.#inner = inner;
    this.#transformer = transformer;
  }

  get isShared(): boolean {
    return this.#inner.isShared ?? false;
  }

  get fault(): StoreError | undefined {
    return this.#inner.fault;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const entry = await this.#inner.get(key);
    return entry && this.#open(entry);
  }

  async isOutdated(key: string): Promise<boolean> {
    const entry = await this.#inner.get(key);
    return entry !== undefined && !this.#transformer().isCurrent(entry.value);
  }

  async list(options: ListOptions): Promise<ListPage> {
    const page = await this.#inner.list(options);
    return { ...page, entries: await this.#openAll(page.entries) };
  }

  async commit({ conditions, operations }: Commit): Promise<CommitResult> {
    const encrypted = operations.map((operation) => {
      if (operation.type === 'delete') return operation;
      const value = this.#encrypt(operation.value, operation.key);
      this.#own.set(value, operation.value);
      return { ...operation, value };
    });
    try {
      const result = await this.#inner.commit({ conditions, operations: encrypted });
      await this.#delivered();
      return result.committed ? result : { ...result, current: await this.#openAll(result.current) };
    } finally {
      for (const operation of encrypted) if (operation.type === 'put') this.#own.delete(operation.value);
    }
  }

  watch(options: WatchOptions): StoreWatch {
    let tail: Promise<void> | undefined;
    let hasEnded = false;
    const deliver = (batch: WatchBatch): void => {
      if (!hasEnded) options.onBatch(batch);
    };
    const end = (error: StoreError): void => {
      if (hasEnded) return;
      hasEnded = true;
      inner.stop();
      options.onEnd(error);
    };
    const later = (work: () => Promise<void> | void): void => {
      const delivery = (tail ?? Promise.resolve()).then(work).catch(end);
      tail = delivery;
      this.#deliveries.add(delivery);
      delivery.finally(() => {
        this.#deliveries.delete(delivery);
        if (tail === delivery) tail = undefined;
      });
    };
    const inner = this.#inner.watch({
      ...options,
      onBatch: (batch) => {
        const opened = this.#openBatch(batch);
        if (tail === undefined && !(opened instanceof Promise)) {
          if (opened instanceof StoreError) end(opened);
          else deliver(opened);
          return;
        }
        // Awaited when its turn comes: a failure before is no unhandled rejection.
        const result = Promise.resolve(opened).catch((error: StoreError) => error);
        later(async () => {
          const batchOrError = await result;
          if (batchOrError instanceof StoreError) throw batchOrError;
          deliver(batchOrError);
        });
      },
      onEnd: (error) => (tail === undefined ? end(error) : later(() => end(error))),
    });
    return {
      stop() {
        hasEnded = true;
        inner.stop();
      },
    };
  }

  async currentRevision(): Promise<number> {
    const revision = await this.#inner.currentRevision();
    await this.#delivered();
    return revision;
  }

  compactedRevision(): Promise<number> {
    return this.#inner.compactedRevision();
  }

  compact(revision: number): Promise<void> {
    return this.#inner.compact(revision);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #delivered(): Promise<void> {
    if (this.#deliveries.size > 0) await Promise.all(this.#deliveries);
  }

  #encrypt(value: Uint8Array, key: string): Uint8Array {
    try {
      return this.#transformer().encrypt(value, key);
    } catch (error) {
      throw unusable(key, error);
    }
  }

  #open(entry: StoredEntry): StoredEntry | Promise<StoredEntry> {
    const own = this.#own.get(entry.value);
    if (own !== undefined) return { ...entry, value: own };
    try {
      const value = this.#transformer().decrypt(entry.value, entry.key);
      if (!(value instanceof Promise)) return value === entry.value ? entry : { ...entry, value };
      return value.then(
        (late) => ({ ...entry, value: late }),
        (error: unknown) => {
          throw unusable(entry.key, error);
        },
      );
    } catch (error) {
      throw unusable(entry.key, error);
    }
  }

  async #openAll(entries: readonly StoredEntry[]): Promise<StoredEntry[]> {
    const opened: StoredEntry[] = [];
    let start = performance.now();
    for (const entry of entries) {
      const one = this.#open(entry);
      opened.push(one instanceof Promise ? await one : one);
      if (performance.now() - start < SLICE_MS) continue;
      await new Promise((resume) => setImmediate(resume));
      start = performance.now();
    }
    return opened;
  }

  #openBatch(batch: WatchBatch): WatchBatch | StoreError | Promise<WatchBatch> {
    if (batch.events.length === 0) return batch;
    try {
      const events = batch.events.map((event) => this.#openEvent(event));
      if (!events.some((event) => event instanceof Promise))
        return { ...batch, events: events as StoreEvent[] };
      return Promise.all(events).then((all) => ({ ...batch, events: all }));
    } catch (error) {
      return error as StoreError;
    }
  }

  #openEvent(event: StoreEvent): StoreEvent | Promise<StoreEvent> {
    const entry = event.entry && this.#open(event.entry);
    const previous = event.previous && this.#open(event.previous);
    const made = (own?: StoredEntry, old?: StoredEntry): StoreEvent => ({
      ...event,
      ...(own && { entry: own }),
      ...(old && { previous: old }),
    });
    if (!(entry instanceof Promise || previous instanceof Promise)) return made(entry, previous);
    return Promise.all([entry, previous]).then(([own, old]) => made(own, old));
  }
}

const unusable = (key: string, error: unknown): StoreError =>
  new StoreError(
    'unreadable',
    `unable to transform key ${JSON.stringify(key)}: ${(error as Error).message}`,
    {
      cause: error,
    },
  );
