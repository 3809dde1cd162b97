// The `memory:` engine: everything in this process, lost when it ends. For tests and temporary servers. A
// commit is applied synchronously, so a read always sees the newest state. Values are kept as given, not
// copied: the caller must not change them afterwards.
import {
  checkCommit,
  checkKey,
  checkList,
  checkRevision,
  closedError,
  compactedError,
  futureError,
} from '../../check-request.ts';
import type { EngineOptions } from '../../options.ts';
import {
  type Commit,
  type CommitResult,
  type ListOptions,
  type ListPage,
  type Operation,
  type Store,
  type StoredEntry,
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type WatchOptions,
} from '../../store.ts';
import { conditionsHold, currentOf } from '../conditions.ts';
import { Maintenance } from '../maintenance.ts';
import { WatchHub } from '../watch-hub.ts';
import { Deadlines } from './deadlines.ts';
import { RevisionLog } from './revision-log.ts';
import { MemoryVersions } from './versions.ts';

/** As in etcd: an empty store is at 1, so that no revision that a client may name is 0. */
const FIRST_REVISION = 1;
const FORGET_SLICE = 1_000;

export class MemoryStore implements Store {
  readonly #options: EngineOptions;
  readonly #versions = new MemoryVersions();
  readonly #log = new RevisionLog();
  readonly #deadlines = new Deadlines();
  readonly #hub: WatchHub;
  readonly #maintenance: Maintenance;
  #revision = FIRST_REVISION;
  #compacted = 0;
  #bytes = 0;
  #forgetting = false;
  #closed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#hub = new WatchHub(
      {
        compactedRevision: () => this.#compacted,
        read: (from, to, limit) => this.#log.read(from, to, limit),
      },
      this.#revision,
    );
    this.#maintenance = new Maintenance(options.clock, options.historySeconds, {
      expire: (now) => this.#expire(now),
      forgetBefore: async (time) => this.#forgetUpTo(this.#log.newestBefore(time) ?? 0),
    });
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    this.#checkOpen();
    checkKey(key);
    return this.#versions.current(key);
  }

  async list(options: ListOptions): Promise<ListPage> {
    this.#checkOpen();
    checkList(options);
    const revision = options.revision ?? this.#revision;
    if (revision < this.#compacted) throw compactedError(revision, this.#compacted);
    if (revision > this.#revision) throw futureError(revision, this.#revision);
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    const entries: StoredEntry[] = [];
    let remaining = 0;
    for (const entry of this.#versions.entries(options.prefix, options.after, revision)) {
      if (entries.length < limit) entries.push(entry);
      else remaining++;
    }
    return { entries, revision, more: remaining > 0, remaining };
  }

  async commit(commit: Commit): Promise<CommitResult> {
    this.#checkOpen();
    checkCommit(commit);
    const read = (key: string) => this.#versions.current(key);
    if (!conditionsHold(commit.conditions, read)) {
      return { committed: false, revision: this.#revision, current: currentOf(commit.conditions, read) };
    }
    this.#checkRoom(commit.operations);
    const revision = this.#revision + 1;
    const events = commit.operations
      .map((operation) => this.#apply(operation, revision))
      .filter((event) => event !== undefined);
    if (events.length === 0) return { committed: true, revision: this.#revision };
    this.#publish(revision, events);
    return { committed: true, revision };
  }

  watch(options: WatchOptions): StoreWatch {
    return this.#hub.watch(options);
  }

  async currentRevision(): Promise<number> {
    this.#checkOpen();
    return this.#revision;
  }

  async compactedRevision(): Promise<number> {
    this.#checkOpen();
    return this.#compacted;
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    checkRevision(revision);
    if (revision > this.#revision) throw futureError(revision, this.#revision);
    this.#forgetUpTo(revision);
  }

  async advanceTo(revision: number): Promise<void> {
    this.#checkOpen();
    checkRevision(revision);
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#forgetUpTo(revision);
    this.#hub.announce([{ revision, events: [] }]);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#hub.close();
    await this.#maintenance.stop();
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }

  #checkRoom(operations: readonly Operation[]): void {
    const growth = operations.reduce(
      (sum, operation) => sum + (operation.type === 'put' ? operation.value.length : 0),
      0,
    );
    if (growth > 0 && this.#bytes + this.#log.bytes + growth > this.#options.maxBytes) {
      throw new StoreError('full', `the store must not have more than ${this.#options.maxBytes} bytes`);
    }
  }

  #apply(operation: Operation, revision: number): StoreEvent | undefined {
    const { key } = operation;
    const previous = this.#versions.current(key);
    if (operation.type === 'delete') {
      if (previous === undefined) return undefined;
      this.#versions.record(key, revision, undefined);
      this.#bytes -= previous.value.length;
      return { type: 'delete', key, revision, previous };
    }
    const entry = {
      key,
      value: operation.value,
      createRevision: previous?.createRevision ?? revision,
      modRevision: revision,
    };
    this.#versions.record(key, revision, entry);
    this.#bytes += entry.value.length - (previous?.value.length ?? 0);
    if (operation.ttlSeconds !== undefined) this.#expireLater(key, revision, operation.ttlSeconds);
    return previous === undefined
      ? { type: 'put', key, revision, entry }
      : { type: 'put', key, revision, entry, previous };
  }

  #publish(revision: number, events: readonly StoreEvent[]): void {
    this.#revision = revision;
    const record = this.#log.append(revision, events, this.#options.clock.now());
    while (
      this.#log.length > this.#options.maxHistoryRevisions ||
      this.#log.bytes > this.#options.maxHistoryBytes
    ) {
      this.#compacted = this.#log.first!.revision;
      this.#forgetOne();
    }
    this.#hub.announce([record]);
  }

  #expireLater(key: string, modRevision: number, ttlSeconds: number): void {
    const at = this.#options.clock.now() + ttlSeconds * 1000;
    this.#deadlines.add({ at, key, modRevision });
    this.#maintenance.expiresAt(at);
  }

  async #expire(now: number): Promise<number | undefined> {
    for (let due = this.#deadlines.takeDue(now); due !== undefined; due = this.#deadlines.takeDue(now)) {
      // Each under its own revision: a client that resumes from one of them misses none of the others.
      await this.commit({ conditions: [due], operations: [{ type: 'delete', key: due.key }] });
    }
    return this.#deadlines.earliest;
  }

  #forgetUpTo(revision: number): void {
    if (revision <= this.#compacted) return;
    this.#compacted = revision;
    if (!this.#forgetting) this.#forgetSlice();
  }

  #forgetSlice(): void {
    for (let count = 0; count < FORGET_SLICE; count++) {
      const first = this.#log.first;
      this.#forgetting = first !== undefined && first.revision <= this.#compacted && !this.#closed;
      if (!this.#forgetting) return;
      this.#forgetOne();
    }
    setImmediate(() => this.#forgetSlice());
  }

  #forgetOne(): void {
    const record = this.#log.shift()!;
    for (const event of record.events) this.#versions.forget(event.key, this.#compacted);
  }
}
