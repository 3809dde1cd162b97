// The `lmdb:DIR` engine: durable storage in one directory of this machine, for one process.
//
// What it promises:
// - A commit is answered when its transaction is on disk (written and synced) and every watch of this process
//   was told, in revision order.
// - Reads see only what is on disk and what watches were told of: no crash takes back what a client has seen,
//   and a watch that goes on from a list's revision neither misses nor repeats anything. Who was answered
//   sees their own write.
// - A commit or none of it: all operations of a commit, its log record and the revision counter are one LMDB
//   transaction.
// - History survives a restart, and so do expiry times.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  checkCommit,
  checkKey,
  checkList,
  checkRevision,
  closedError,
  futureError,
} from '../../check-request.ts';
import type { EngineOptions } from '../../options.ts';
import {
  type Commit,
  type CommitResult,
  type ListOptions,
  type ListPage,
  type ReadableStore,
  type Store,
  type StoredEntry,
  StoreError,
  type StoreWatch,
  type WatchOptions,
} from '../../store.ts';
import { Maintenance } from '../maintenance.ts';
import { WatchHub } from '../watch-hub.ts';
import { DiskSpace } from './disk-space.ts';
import { GroupWriter } from './group-writer.ts';
import { forgetSlice, newestBefore, newestTime, readHistory, revisionThatFrees } from './history.ts';
import { listPage } from './listing.ts';
import { lockDirectory, type OwnerLock } from './owner-lock.ts';
import { readNumber } from './records.ts';
import { openTables, openTablesForReading, readState, reopenTables, type Tables } from './tables.ts';
import { entryOf } from './version-records.ts';

const FORGET_SLICE = 500;
/** On a full disk, where removing needs the reserve. */
const SMALL_FORGET_SLICE = 25;
const EXPIRE_SLICE = 256;

export async function openLmdbStore(path: string, options: EngineOptions): Promise<Store> {
  const directory = resolve(path);
  makeDirectory(directory);
  const lock = await lockDirectory(directory);
  try {
    return new LmdbStore(await openTables(directory), lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** For backups while a server runs: reads what is on disk, while another process has the directory open. */
export function openLmdbForReading(path: string): ReadableStore {
  const tables = openTablesForReading(resolve(path));
  return {
    list: async (options) => {
      checkList(options);
      return listPage(tables, options);
    },
    close: () => tables.root.close(),
  };
}

function makeDirectory(directory: string): void {
  try {
    makeWithThoseAbove(directory);
  } catch (error) {
    throw new StoreError(
      'unavailable',
      `cannot make the data directory ${directory}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** Node's own `recursive` never returns below /proc. */
function makeWithThoseAbove(directory: string): void {
  if (existsSync(directory) && statSync(directory).isDirectory()) return;
  if (dirname(directory) !== directory) makeWithThoseAbove(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

class LmdbStore implements Store {
  readonly #tables: Tables;
  readonly #lock: OwnerLock;
  readonly #options: EngineOptions;
  readonly #space: DiskSpace;
  readonly #writer: GroupWriter;
  readonly #hub: WatchHub;
  readonly #maintenance: Maintenance;
  readonly #reads = new Set<Promise<unknown>>();
  #lastTime: number;
  #trimming: Promise<void> | undefined;
  #reopening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(tables: Tables, lock: OwnerLock, options: EngineOptions) {
    this.#tables = tables;
    this.#lock = lock;
    this.#options = options;
    this.#lastTime = newestTime(tables);
    const state = readState(tables);
    this.#space = new DiskSpace(tables.path);
    this.#writer = new GroupWriter({
      tables,
      space: this.#space,
      state,
      maxBytes: options.maxBytes,
      time: () => this.#time(),
      onDurable: ({ batches, expiresAt }) => {
        this.#hub.announce(batches);
        if (expiresAt < Number.POSITIVE_INFINITY) this.#maintenance.expiresAt(expiresAt);
        this.#boundHistory();
      },
      onFull: () => this.#boundHistory(),
      reopen: () => this.#reopen(),
      onRecovery: options.onRecovery,
    });
    this.#hub = new WatchHub(
      {
        compactedRevision: () => this.#writer.state.compacted,
        read: (from, to, limit, prefix) => readHistory(tables, from, to, limit, prefix),
      },
      state.revision,
    );
    this.#maintenance = new Maintenance(options.clock, options.historySeconds, {
      expire: (now) => this.#expire(now),
      forgetBefore: async (time) => {
        const { compacted, revision } = this.#writer.state;
        await this.#forgetUpTo(newestBefore(tables, time, compacted + 1, revision));
      },
    });
    const next = this.#nextExpiry();
    if (next !== undefined) this.#maintenance.expiresAt(next);
    this.#trim();
  }

  get fault(): StoreError | undefined {
    return this.#writer.fault;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    this.#checkOpen();
    checkKey(key);
    if (this.#reopening !== undefined) await this.#reopening;
    const record = this.#tables.current.getBinary(key);
    const entry = record && entryOf(key, record);
    if (entry !== undefined && entry.modRevision > this.#writer.state.revision) await this.#writer.settled();
    return entry;
  }

  async list(options: ListOptions): Promise<ListPage> {
    this.#checkOpen();
    checkList(options);
    if (this.#reopening !== undefined) await this.#reopening;
    const reading = listPage(this.#tables, options);
    this.#reads.add(reading);
    const page = await reading.finally(() => this.#reads.delete(reading));
    // LMDB may show a group an instant before its watches are notified: a caller that gets a revision may
    // watch from it.
    if (page.revision > this.#writer.state.revision) await this.#writer.settled();
    return page;
  }

  // Not async: that would cost every commit another promise and three turns of the microtask queue.
  commit(commit: Commit): Promise<CommitResult> {
    try {
      this.#checkOpen();
      checkCommit(commit);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#writer.commit(commit);
  }

  watch(options: WatchOptions): StoreWatch {
    return this.#hub.watch(options);
  }

  async currentRevision(): Promise<number> {
    this.#checkOpen();
    return this.#writer.state.revision;
  }

  async compactedRevision(): Promise<number> {
    this.#checkOpen();
    return this.#writer.state.compacted;
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    checkRevision(revision);
    const current = this.#writer.state.revision;
    if (revision > current) throw futureError(revision, current);
    await this.#forgetUpTo(revision);
  }

  async advanceTo(revision: number): Promise<void> {
    this.#checkOpen();
    checkRevision(revision);
    await this.#writer.run((draft) => draft.advanceTo(revision));
    this.#trim();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#hub.close();
    await this.#maintenance.stop();
    this.#writer.stop();
    await Promise.allSettled([...this.#reads, this.#trimming]);
    await this.#writer.drained();
    await this.#tables.root.close();
    await this.#lock.release();
  }

  async #reopen(): Promise<void> {
    const reopening = Promise.allSettled(this.#reads).then(() => reopenTables(this.#tables));
    // Reads wait, and then fail by themselves if there is nothing to read from.
    this.#reopening = reopening.catch(() => undefined);
    await reopening.finally(() => (this.#reopening = undefined));
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw closedError();
  }

  /** History is searched by time, so a clock that is set back must not show in it. */
  #time(): number {
    this.#lastTime = Math.max(this.#lastTime, Math.floor(this.#options.clock.now()));
    return this.#lastTime;
  }

  #nextExpiry(): number | undefined {
    const [first] = this.#tables.expiry.getRange({ start: undefined, limit: 1 });
    return first?.key.time;
  }

  async #expire(now: number): Promise<number | undefined> {
    for (let due = this.#due(now); due.length > 0; due = this.#due(now)) {
      // Each under its own revision: a client that resumes from one of them misses none of the others.
      await Promise.all(
        due.map(({ key, modRevision }) =>
          this.#writer.commit({ conditions: [{ key, modRevision }], operations: [{ type: 'delete', key }] }),
        ),
      );
    }
    return this.#nextExpiry();
  }

  #due(now: number): { key: string; modRevision: number }[] {
    const rows = [
      ...this.#tables.expiry.getRange({
        start: undefined,
        end: { time: Math.floor(now) + 1, key: '' },
        limit: EXPIRE_SLICE,
      }),
    ];
    return rows.map(({ key, value }) => ({ key: key.key, modRevision: readNumber(value, 0) }));
  }

  async #forgetUpTo(revision: number): Promise<void> {
    if (revision <= this.#writer.state.compacted) return;
    await this.#writer.run((draft) => draft.compactTo(revision));
    this.#trim();
  }

  /**
   * Removes what was compacted, a slice at a time between other groups. After a failure the next compaction
   * retries.
   */
  #trim(): void {
    this.#trimming ??= this.#trimSlices()
      .catch(() => undefined)
      .finally(() => (this.#trimming = undefined));
  }

  async #trimSlices(): Promise<void> {
    while (
      this.#closing === undefined &&
      (await this.#writer.run((draft) =>
        forgetSlice(this.#tables, draft, this.#space.isFull ? SMALL_FORGET_SLICE : FORGET_SLICE),
      ))
    )
      await nextTurn();
  }

  #boundHistory(): void {
    const { revision, compacted, historyRoom } = this.#writer.state;
    const { maxHistoryRevisions, maxHistoryBytes } = this.#options;
    if (this.#trimming !== undefined) return;
    // On a full disk space for writes matters more than history: watches that resume from it get 410.
    if (this.#space.isFull) {
      if (historyRoom > 0) void this.#forgetUpTo(revision).catch(() => undefined);
      return;
    }
    // A tenth more than needed, so that it is not repeated for the very next commit.
    if (revision - compacted > maxHistoryRevisions)
      void this.#forgetUpTo(revision - Math.floor(maxHistoryRevisions * 0.9)).catch(() => undefined);
    else if (historyRoom > maxHistoryBytes) {
      const target = revisionThatFrees(this.#tables, historyRoom - maxHistoryBytes * 0.9, FORGET_SLICE);
      void this.#forgetUpTo(target).catch(() => undefined);
    }
  }
}
