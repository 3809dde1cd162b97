// What one group of commits will write, computed against the newest state before anything is written. Later
// commits of the group see the effects of earlier ones. It reads tables, but writes nothing: the writer does,
// all of it in one transaction.
import {
  type Commit,
  type CommitResult,
  type Operation,
  type StoredEntry,
  StoreError,
  type StoreEvent,
  type WatchBatch,
} from '../../store.ts';
import { conditionsHold, currentOf } from '../conditions.ts';
import type { RecordArena } from './record-arena.ts';
import { type LoggedChange, logRecord, numberBytes, type StoreState, stateRecord } from './records.ts';
import type { Table, Tables } from './tables.ts';
import {
  entryOf,
  extraOf,
  leaningOf,
  leaningRecord,
  mayBeLeanedOn,
  roomOf,
  setExtra,
  wholeRecord,
} from './version-records.ts';

/** Puts the value, or removes the key if there is none. */
export interface Write {
  readonly table: Table<unknown>;
  readonly key: unknown;
  readonly value: Buffer | undefined;
}

export interface DraftOptions {
  readonly tables: Tables;
  readonly arena: RecordArena;
  readonly state: StoreState;
  readonly time: number;
  readonly maxBytes: number;
  /** On a full disk: why the data must not grow by so many bytes, with a new key or without. */
  readonly growthRefusal?: ((bytes: number, isNew: boolean) => StoreError | undefined) | undefined;
}

interface CurrentRecord {
  readonly entry: StoredEntry;
  readonly record: Buffer;
  readonly expires: number;
  /** The record is being read by LMDB's own thread, so it must not be changed. */
  readonly pending: boolean;
}

/** An operation that will change something, with the records that it will write. */
interface PlannedChange {
  readonly operation: Operation;
  readonly previous: CurrentRecord | undefined;
  /** The previous version, as history keeps it. */
  readonly superseded: Buffer | undefined;
  readonly record: Buffer | undefined;
  readonly expires: number;
}

export class Draft {
  readonly batches: WatchBatch[] = [];
  /** The earliest time at which something that was written here expires. */
  expiresAt = Number.POSITIVE_INFINITY;
  readonly #writes: Write[] = [];
  readonly #logged: LoggedChange[][] = [];
  readonly #options: DraftOptions;
  readonly #tables: Tables;
  /** The current entries at the keys that were read so far. */
  readonly #found = new Map<string, CurrentRecord | undefined>();
  #state: { -readonly [Name in keyof StoreState]: StoreState[Name] };
  #logRoom = 0;
  #touched = false;

  constructor(options: DraftOptions) {
    this.#options = options;
    this.#tables = options.tables;
    this.#state = { ...options.state };
  }

  get state(): StoreState {
    return this.#state;
  }

  /** Everything that must be written, all of it or nothing; empty if nothing changed. */
  seal(): readonly Write[] {
    if (!this.#touched && this.#writes.length === 0) return [];
    if (this.#logged.length > 0) {
      const log = logRecord({ time: this.#options.time, room: this.#logRoom, revisions: this.#logged });
      this.#write(this.#tables.log, this.#state.revision, log);
    }
    this.#write(this.#tables.meta, 'state', stateRecord(this.#state));
    return this.#writes;
  }

  /**
   * History before this revision is inaccessible from now on; what is left of it on disk is removed later.
   */
  compactTo(revision: number): void {
    if (revision <= this.#state.compacted) return;
    this.#state.compacted = revision;
    this.#touched = true;
  }

  /** The next revision comes after this one; what was before is compacted. */
  advanceTo(revision: number): void {
    if (revision <= this.#state.revision) return;
    // The log of a group has no gaps.
    if (this.#logged.length > 0)
      throw new StoreError('unavailable', 'the revision can be moved only while nothing is written');
    this.#state.revision = revision;
    this.compactTo(revision);
    this.batches.push({ revision, events: [] });
  }

  remove<K>(table: Table<K>, key: K): void {
    this.#write(table, key, undefined);
  }

  freeHistory(room: number): void {
    this.#state.historyRoom -= room;
  }

  /**
   * All reading comes before the first write is recorded, so a commit that fails here leaves the group
   * unchanged.
   */
  commit({ conditions, operations }: Commit): CommitResult {
    if (!conditionsHold(conditions, this.#read)) {
      return { committed: false, revision: this.#state.revision, current: currentOf(conditions, this.#read) };
    }
    const changes: PlannedChange[] = [];
    for (const operation of operations) {
      const previous = this.#find(operation.key);
      if (operation.type === 'put' || previous !== undefined)
        changes.push(this.#prepared(operation, previous));
    }
    if (changes.length > 0) this.#apply(changes);
    return { committed: true, revision: this.#state.revision };
  }

  readonly #read = (key: string): StoredEntry | undefined => this.#find(key)?.entry;

  #find(key: string): CurrentRecord | undefined {
    const known = this.#found.get(key);
    if (known !== undefined || this.#found.has(key)) return known;
    const record = this.#tables.current.getBinary(key);
    const found = record && { record, entry: entryOf(key, record), expires: extraOf(record), pending: false };
    this.#found.set(key, found);
    return found;
  }

  #prepared(operation: Operation, previous: CurrentRecord | undefined): PlannedChange {
    const revision = this.#state.revision + 1;
    if (operation.type === 'delete') {
      return {
        operation,
        previous,
        superseded: previous && supersededRecord(previous, revision),
        record: undefined,
        expires: 0,
      };
    }
    const expires =
      operation.ttlSeconds === undefined ? 0 : Math.ceil(this.#options.time + operation.ttlSeconds * 1000);
    const createRevision = previous?.entry.createRevision ?? revision;
    const version = {
      value: operation.value,
      createRevision,
      modRevision: revision,
      extra: expires,
      leaning: 0,
    };
    if (previous === undefined)
      return {
        operation,
        previous,
        superseded: undefined,
        record: wholeRecord(this.#take, version),
        expires,
      };
    const leaning = mayBeLeanedOn(previous.record) ? leaningRecord(this.#take, previous, version) : undefined;
    const record = wholeRecord(this.#take, {
      ...version,
      leaning: leaning === undefined ? 0 : leaningOf(previous.record) + 1,
    });
    return {
      operation,
      previous,
      superseded: leaning ?? supersededRecord(previous, revision),
      record,
      expires,
    };
  }

  readonly #take = (size: number): Buffer => this.#options.arena.take(size);

  #apply(changes: readonly PlannedChange[]): void {
    const rooms = roomsOf(changes);
    if (rooms.added > rooms.left) this.#checkGrowth(rooms, changes);
    const revision = this.#state.revision + 1;
    const events: StoreEvent[] = [];
    const log: LoggedChange[] = [];
    for (const change of changes) {
      events.push(this.#change(change, revision));
      log.push({
        type: change.operation.type,
        key: change.operation.key,
        previous: change.previous?.entry.modRevision ?? 0,
      });
    }
    this.batches.push({ revision, events });
    this.#logged.push(log);
    this.#logRoom += rooms.superseded + rooms.logged;
    this.#state.revision = revision;
    this.#state.currentRoom += rooms.added - rooms.left;
    this.#state.historyRoom += rooms.superseded + rooms.logged;
  }

  /** Not checked for deletes and for updates that shrink: they are how space is freed. */
  #checkGrowth({ added, left, logged }: Rooms, changes: readonly PlannedChange[]): void {
    const { maxBytes, growthRefusal } = this.#options;
    const used = this.#state.currentRoom + this.#state.historyRoom;
    if (used + added + logged > maxBytes)
      throw new StoreError(
        'full',
        `the data must not take more than ${maxBytes} bytes: delete objects, or raise the limit`,
      );
    if (growthRefusal === undefined) return;
    const refusal = growthRefusal(
      added - left,
      changes.some(({ previous }) => previous === undefined),
    );
    if (refusal !== undefined) throw refusal;
  }

  #change({ operation, previous, superseded, record, expires }: PlannedChange, revision: number): StoreEvent {
    const { key } = operation;
    if (previous !== undefined) this.#supersede(key, previous, superseded!);
    if (operation.type === 'put') return this.#put(operation, previous?.entry, revision, record!, expires);
    this.remove(this.#tables.current, key);
    this.#found.set(key, undefined);
    return { type: 'delete', key, revision, previous: previous!.entry };
  }

  #supersede(key: string, { entry, expires }: CurrentRecord, superseded: Buffer): void {
    if (expires > 0) this.remove(this.#tables.expiry, { time: expires, key });
    this.#write(this.#tables.superseded, { key, modRevision: entry.modRevision }, superseded);
  }

  #put(
    { key, value }: Operation & { type: 'put' },
    previous: StoredEntry | undefined,
    revision: number,
    record: Buffer,
    expires: number,
  ): StoreEvent {
    const entry = { key, value, createRevision: previous?.createRevision ?? revision, modRevision: revision };
    this.#found.set(key, { record, entry, expires, pending: true });
    this.#write(this.#tables.current, key, record);
    if (expires > 0) this.#expire(key, expires, revision);
    return previous === undefined
      ? { type: 'put', key, revision, entry }
      : { type: 'put', key, revision, entry, previous };
  }

  #expire(key: string, time: number, revision: number): void {
    this.expiresAt = Math.min(this.expiresAt, time);
    this.#write(this.#tables.expiry, { time, key }, numberBytes(revision));
  }

  #write<K>(table: Table<K>, key: K, value: Buffer | undefined): void {
    this.#writes.push({ table: table as Table<unknown>, key, value });
  }
}

/**
 * The record is our own copy, and others see only its value: recording its successor needs no second copy.
 */
function supersededRecord({ record, pending }: CurrentRecord, revision: number): Buffer {
  const superseded = pending ? Buffer.from(record) : record;
  setExtra(superseded, revision);
  return superseded;
}

interface Rooms {
  added: number;
  left: number;
  superseded: number;
  logged: number;
}

/**
 * The space of a commit's new versions, of the superseded ones before and in history, and of its log record.
 */
function roomsOf(changes: readonly PlannedChange[]): Rooms {
  const rooms = { added: 0, left: 0, superseded: 0, logged: 0 };
  for (const { operation, previous, superseded, record } of changes) {
    if (record !== undefined) rooms.added += roomOf(operation.key, record);
    if (previous !== undefined) rooms.left += roomOf(operation.key, previous.record);
    if (superseded !== undefined) rooms.superseded += roomOf(operation.key, superseded);
    rooms.logged += roomOf(operation.key, undefined);
  }
  return rooms;
}
