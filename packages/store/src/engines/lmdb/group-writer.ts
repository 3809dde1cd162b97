// Group commit: commits that arrive while one transaction is being written go into the next one, so that many
// writers share a sync. Only one transaction is in flight; conditions are checked in this process right
// before, against the state it left. That is safe because the directory is exclusively ours (owner-lock.ts).
// No outcome, good or bad, is reported before it is on disk.
import { closedError } from '../../check-request.ts';
import { type Commit, type CommitResult, StoreError, type WatchBatch } from '../../store.ts';
import { bytesNeeded, type DiskSpace, freeBytes, meansFull } from './disk-space.ts';
import { Draft, type Write } from './draft.ts';
import { RecordArena } from './record-arena.ts';
import type { StoreState } from './records.ts';
import { readState, type Tables } from './tables.ts';

interface Durable {
  readonly state: StoreState;
  readonly batches: readonly WatchBatch[];
  readonly expiresAt: number;
}

export interface GroupWriterOptions {
  readonly tables: Tables;
  readonly space: DiskSpace;
  readonly state: StoreState;
  readonly maxBytes: number;
  /** Milliseconds; never decreases. */
  readonly time: () => number;
  /** Called when a group is on disk, before its commits are answered. */
  readonly onDurable: (durable: Durable) => void;
  /** Called when the disk turns out to be full, before anything is refused for it. */
  readonly onFull: () => void;
  /** Opens the files again, after the same checks as at the start. */
  readonly reopen: () => Promise<void>;
  /** Called with each failed write that the writer recovers from by opening the files again. */
  readonly onRecovery: (cause: Error) => void;
}

/** Bounds the time that preparing a group blocks other work. */
const GROUP_COMMITS = 256;
const GROUP_BYTES = 8 * 1024 * 1024;
/** How often a group is written again after the files were opened again. */
const MAX_RECOVERIES = 3;
const RECOVERY_PAUSE_MS = 100;

const NONE = { result: undefined, error: undefined };

interface Task {
  readonly bytes: number;
  readonly prepare: (draft: Draft) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  outcome: { readonly result: unknown; readonly error: unknown };
}

export class GroupWriter {
  readonly #options: GroupWriterOptions;
  readonly #arena = new RecordArena();
  #state: StoreState;
  #queue: Task[] = [];
  #scheduled = false;
  #inFlight: Promise<void> | undefined;
  #broken: StoreError | undefined;

  constructor(options: GroupWriterOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  /** The newest state that is on disk. */
  get state(): StoreState {
    return this.#state;
  }

  commit(commit: Commit): Promise<CommitResult> {
    const bytes = commit.operations.reduce(
      (sum, operation) => sum + (operation.type === 'put' ? operation.value.length : 0),
      0,
    );
    return this.run((draft) => draft.commit(commit), bytes);
  }

  /** Adds something to the next group; `prepare` is called when its turn has come. */
  run<Result>(prepare: (draft: Draft) => Result, bytes = 0): Promise<Result> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#queue.push({
        bytes,
        prepare,
        resolve: resolve as (result: unknown) => void,
        reject,
        outcome: NONE,
      });
      this.#schedule();
    });
  }

  /** Why nothing can be written any longer, until the store is opened again. */
  get fault(): StoreError | undefined {
    return this.#broken?.code === 'closed' ? undefined : this.#broken;
  }

  /** Resolves when everything requested so far has been answered. */
  async drained(): Promise<void> {
    while (this.#scheduled || this.#inFlight !== undefined)
      await (this.#inFlight ?? new Promise((resolve) => setImmediate(resolve)));
  }

  /** Resolves when the group in flight has been answered. */
  async settled(): Promise<void> {
    await this.#inFlight;
  }

  /** Refuses everything from now on. */
  stop(): void {
    this.#broken ??= closedError();
  }

  // Not immediately, but after all promises of this turn have run: a caller that was just answered may commit
  // again, and should be in the group.
  #schedule(): void {
    if (this.#scheduled || this.#inFlight !== undefined) return;
    this.#scheduled = true;
    process.nextTick(() => {
      this.#scheduled = false;
      this.#inFlight = this.#writeGroup().finally(() => {
        this.#inFlight = undefined;
        if (this.#queue.length > 0) this.#schedule();
      });
    });
  }

  async #writeGroup(): Promise<void> {
    const { space, onDurable } = this.#options;
    space.refresh();
    // One by one on a full disk, so that what frees space is not refused with what takes it.
    const group = this.#takeGroup(space.isFull ? 1 : GROUP_COMMITS);
    const draft = this.#draft(group);
    try {
      const writes = draft.seal();
      if (writes.length > 0) {
        const needed = bytesNeeded(writes.length, sizeOf(writes));
        if (!space.isFull && !space.fits(needed)) {
          this.#queue.unshift(...group);
          this.#options.onFull();
          return;
        }
        if (space.isFull && !space.release(needed)) throw space.refusal();
        await this.#write(writes, needed, draft.state);
      }
    } catch (error) {
      for (const task of group) task.reject(error);
      return;
    } finally {
      this.#arena.reset();
    }
    this.#state = draft.state;
    onDurable({ state: draft.state, batches: draft.batches, expiresAt: draft.expiresAt });
    for (const { outcome, resolve, reject } of group)
      outcome.error === undefined ? resolve(outcome.result) : reject(outcome.error);
  }

  #draft(group: readonly Task[]): Draft {
    const { tables, space, maxBytes, time } = this.#options;
    const draft = new Draft({
      tables,
      arena: this.#arena,
      state: this.#state,
      time: time(),
      maxBytes,
      growthRefusal: space.isFull ? (bytes, isNew) => space.growthRefusal(bytes, isNew) : undefined,
    });
    for (const task of group) prepare(task, draft);
    return draft;
  }

  #takeGroup(limit: number): Task[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(this.#queue.length, limit) && bytes < GROUP_BYTES; count++)
      bytes += this.#queue[count]!.bytes;
    const group = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    return group;
  }

  /**
   * LMDB writes a transaction as a whole or not at all. So after an error the state record says which of the
   * two it was: then the group is durable after all, or it is written again. That is safe only through files
   * that were opened again: after some errors LMDB must not be written to, and it has free pages in memory
   * that may differ from the file.
   */
  async #write(writes: readonly Write[], needed: number, next: StoreState): Promise<void> {
    const { tables, reopen, onRecovery } = this.#options;
    for (let recoveries = 0; ; recoveries++) {
      try {
        await tables.root.batch(() => {
          for (const { table, key, value } of writes)
            value === undefined ? table.remove(key) : table.put(key, value);
        });
        return;
      } catch (error) {
        const cause = await causeOf(error);
        if (meansFull(Number(cause.code), freeBytes(tables.path), needed))
          throw this.#options.space.refusal(cause);
        if (recoveries === MAX_RECOVERIES) throw this.#fail(cause);
        onRecovery(cause);
      }
      await new Promise((resolve) => setTimeout(resolve, RECOVERY_PAUSE_MS * recoveries));
      try {
        await reopen();
        const stored = readState(tables);
        if (isSameState(stored, this.#state)) continue;
        if (isSameState(stored, next)) return;
      } catch (error) {
        throw this.#fail(error as Error);
      }
      throw this.#fail(new Error('the file has a state that was not written here'));
    }
  }

  /** Nothing more is written until the store is opened again. */
  #fail(cause: Error): StoreError {
    const { path } = this.#options.tables;
    const message = `writing to ${path} failed; the store is read-only until it is opened again: ${cause.message}`;
    this.#broken = new StoreError('unavailable', message, { cause });
    for (const task of this.#queue.splice(0)) task.reject(this.#broken);
    return this.#broken;
  }
}

const sizeOf = (writes: readonly Write[]): number =>
  writes.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);

const isSameState = (one: StoreState, other: StoreState): boolean =>
  one.revision === other.revision &&
  one.compacted === other.compacted &&
  one.currentRoom === other.currentRoom &&
  one.historyRoom === other.historyRoom;

/** lmdb reports the real reason in a second promise. */
async function causeOf(error: unknown): Promise<Error & { code?: number }> {
  const { commitError } = error as { commitError?: Promise<never> };
  return commitError === undefined ? (error as Error) : commitError.catch((cause: Error) => cause);
}

/** Records the outcome, to be reported when the group is on disk. */
function prepare(task: Task, draft: Draft): void {
  try {
    task.outcome = { result: task.prepare(draft), error: undefined };
  } catch (error) {
    task.outcome = { result: undefined, error };
  }
}
