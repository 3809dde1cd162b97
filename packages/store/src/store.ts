// Storage as the rest of Instar sees it: keys and bytes under one revision counter. No objects, no HTTP, no
// engine. An engine is chosen by URL (see open.ts) and must pass the suite in contract/.

/** One key as it was at some revision. */
export interface StoredEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: number;
  /** The revision of the commit that wrote this value: the object's resourceVersion. */
  readonly modRevision: number;
}

/** Which page of which keys a list returns. */
export interface ListOptions {
  /** Keys that start with this. */
  readonly prefix: string;
  /** The state as of this revision; without it the newest. */
  readonly revision?: number;
  /** At most this many entries; without it all of them. */
  readonly limit?: number;
  /** Only keys after this one (exclusive), to continue with the next page. */
  readonly after?: string;
}

/** One page of a list. */
export interface ListPage {
  readonly entries: StoredEntry[];
  /** The revision of the page: pass it to the next page. */
  readonly revision: number;
  readonly more: boolean;
  /** How many keys with the prefix are left after this page, if the engine can tell cheaply. */
  readonly remaining?: number;
}

/** What must be true of a key for a commit to happen. */
export interface Condition {
  readonly key: string;
  /** The key's modRevision; 0 means that the key must not exist. */
  readonly modRevision: number;
}

/** A change of one key in a commit. */
export type Operation =
  | {
      readonly type: 'put';
      readonly key: string;
      readonly value: Uint8Array /** The entry expires after so many seconds. */;
      readonly ttlSeconds?: number;
    }
  | { readonly type: 'delete'; readonly key: string };

/** A write to the store, conditional on what was read. */
export interface Commit {
  /** All must hold, or nothing happens. */
  readonly conditions: readonly Condition[];
  /** Applied together under one new revision; one operation per key. */
  readonly operations: readonly Operation[];
}

/** Whether a commit happened, and otherwise what the keys hold now. */
export type CommitResult =
  | { readonly committed: true; readonly revision: number }
  /**
   * `current` has the current entries at the conditions' keys (absent keys are missing), so that the caller
   * need not read again.
   */
  | { readonly committed: false; readonly revision: number; readonly current: StoredEntry[] };

/** A change of one key, as a watch reports it. */
export interface StoreEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** What was written. Absent for a delete. */
  readonly entry?: StoredEntry;
  /** The previous entry, as far as history reaches. Absent for a create. */
  readonly previous?: StoredEntry;
}

/**
 * What a watch delivers: all events of one revision together, or (without events) the progress: nothing
 * happened up to `revision`.
 */
export interface WatchBatch {
  readonly revision: number;
  readonly events: readonly StoreEvent[];
}

/** What a watch reports, and to which callbacks. */
export interface WatchOptions {
  readonly prefix: string;
  /**
   * The first revision of interest (inclusive). History from there on comes first, in order, then live
   * events.
   */
  readonly fromRevision: number;
  /** Called in revision order, never concurrently. It must return quickly and must not throw. */
  readonly onBatch: (batch: WatchBatch) => void;
  /**
   * Called at most once: the watch has ended by itself (compacted, connection lost permanently, store
   * closed).
   */
  readonly onEnd: (error: StoreError) => void;
}

/** A watch that is running. */
export interface StoreWatch {
  stop(): void;
}

/** Keys and bytes under one revision counter. */
export interface Store {
  /** True if other processes may have the same data open at the same time. */
  readonly isShared?: boolean;
  /** Why the store is read-only until it is opened again; undefined while it can be written. */
  readonly fault?: StoreError | undefined;
  /** The newest entry of a key, or undefined; linearizable. */
  get(key: string): Promise<StoredEntry | undefined>;
  list(options: ListOptions): Promise<ListPage>;
  /**
   * Resolves only when the commit is as durable as the engine promises, and after every watch of this process
   * was notified.
   */
  commit(commit: Commit): Promise<CommitResult>;
  watch(options: WatchOptions): StoreWatch;
  /**
   * The newest revision, linearizable: every commit acknowledged before the call has a revision ≤ the answer.
   * Resolves only after every watch of this process was notified of everything up to the answer, so that a
   * cache fed by a watch is then as fresh as the store.
   */
  currentRevision(): Promise<number>;
  /** The oldest revision at which a list still works; a watch may start right after it. */
  compactedRevision(): Promise<number>;
  /** Compacts history before `revision`. */
  compact(revision: number): Promise<void>;
  /** True if the value of the key would be encrypted otherwise if it were written now. */
  isOutdated?(key: string): Promise<boolean>;
  /**
   * Makes the next revision come after this one, if the engine can: so that none is ever reused after a
   * restore.
   */
  advanceTo?(revision: number): Promise<void>;
  /** Ends every watch, finishes what is in flight, and closes the files. */
  close(): Promise<void>;
}

/** What a backup needs of a store. */
export type ReadableStore = Pick<Store, 'list' | 'close'>;

/** Why the store refused a request. */
export type StoreErrorCode =
  /** The requested revision is older than the history kept. */
  | 'compacted'
  /** The requested revision has not happened yet. */
  | 'future-revision'
  /** Another process has the data directory open. */
  | 'locked'
  /** The files are damaged or of another format. */
  | 'corrupt'
  /** No space is left for the data. */
  | 'full'
  /** The store is unreachable, or did not answer in time. The write may or may not have happened. */
  | 'unavailable'
  | 'closed'
  /** A key or value that the engine does not accept. */
  | 'invalid'
  /** A value that cannot be decrypted, or not be encrypted. */
  | 'unreadable';

/** A request that the store refuses or cannot serve. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** With `compacted`: the oldest revision that still exists. */
  readonly compactedRevision?: number;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; compactedRevision?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.compactedRevision !== undefined) this.compactedRevision = options.compactedRevision;
  }
}
