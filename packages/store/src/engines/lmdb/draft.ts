// What one group of commits will write, worked out against the newest state before anything is written. Later commits of the group see what
// earlier ones will have done. It reads tables, but writes nothing: the writer does, all of it in one transaction or none.
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
import {
  entryOf,
  extraOf,
  type LoggedChange,
  logRecord,
  numberBytes,
  roomOf,
  type StoreState,
  setExtra,
  sizeOfVersion,
  stateRecord,
  writeVersion,
} from './records.ts';
import type { Table, Tables } from './tables.ts';

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
}

interface Found {
  readonly entry: StoredEntry;
  readonly record: Buffer;
  /** The record is on its way to LMDB's own thread, so it may not be changed. */
  readonly pending: boolean;
}

interface Change {
  readonly operation: Operation;
  readonly previous: Found | undefined;
}

export class Draft {
  readonly batches: WatchBatch[] = [];
  /** The earliest time at which something that was written here expires. */
  expiresAt = Number.POSITIVE_INFINITY;
  readonly #writes: Write[] = [];
  readonly #logged: LoggedChange[][] = [];
  readonly #options: DraftOptions;
  readonly #tables: Tables;
  /** What stands at the keys that were looked at so far. */
  readonly #found = new Map<string, Found | undefined>();
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

  /** History before this revision is no more from now on; what is left of it on disk goes later. */
  compactTo(revision: number): void {
    if (revision <= this.#state.compacted) return;
    this.#state.compacted = revision;
    this.#touched = true;
  }

  /** The next revision comes after this one; what was before is history, and forgotten. */
  advanceTo(revision: number): void {
    if (revision <= this.#state.revision) return;
    // The log of a group has no gaps.
    if (this.#logged.length > 0) throw new StoreError('unavailable', 'the revision can be moved only while nothing is written');
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

  /** All reading comes before the first write is noted, so a commit that fails here leaves the group as it was. */
  commit({ conditions, operations }: Commit): CommitResult {
    if (!conditionsHold(conditions, this.#read)) {
      return { committed: false, revision: this.#state.revision, current: currentOf(conditions, this.#read) };
    }
    const changes: Change[] = [];
    for (const operation of operations) {
      const previous = this.#find(operation.key);
      if (operation.type === 'put' || previous !== undefined) changes.push({ operation, previous });
    }
    if (changes.length > 0) this.#apply(changes);
    return { committed: true, revision: this.#state.revision };
  }

  readonly #read = (key: string): StoredEntry | undefined => this.#find(key)?.entry;

  #find(key: string): Found | undefined {
    const known = this.#found.get(key);
    if (known !== undefined || this.#found.has(key)) return known;
    const record = this.#tables.current.getBinary(key);
    const found = record && { record, entry: entryOf(key, record), pending: false };
    this.#found.set(key, found);
    return found;
  }

  #apply(changes: readonly Change[]): void {
    const { added, superseded, logged } = roomsOf(changes);
    if (added > 0) this.#checkRoom(added + logged);
    const revision = this.#state.revision + 1;
    const events: StoreEvent[] = [];
    const log: LoggedChange[] = [];
    for (const change of changes) {
      events.push(this.#change(change, revision));
      log.push({ type: change.operation.type, key: change.operation.key, previous: change.previous?.entry.modRevision ?? 0 });
    }
    this.batches.push({ revision, events });
    this.#logged.push(log);
    this.#logRoom += superseded + logged;
    this.#state.revision = revision;
    this.#state.currentRoom += added - superseded;
    this.#state.historyRoom += superseded + logged;
  }

  /** Not asked of mere deletes: they are how room is made. */
  #checkRoom(growth: number): void {
    const { maxBytes } = this.#options;
    const used = this.#state.currentRoom + this.#state.historyRoom;
    if (used + growth > maxBytes) throw new StoreError('full', `the store may not take more than ${maxBytes} bytes`);
  }

  #change({ operation, previous }: Change, revision: number): StoreEvent {
    const { key } = operation;
    if (previous !== undefined) this.#supersede(key, previous, revision);
    if (operation.type === 'put') return this.#put(operation, previous?.entry, revision);
    this.remove(this.#tables.current, key);
    this.#found.set(key, undefined);
    return { type: 'delete', key, revision, previous: previous!.entry };
  }

  #supersede(key: string, { record, entry, pending }: Found, revision: number): void {
    const expires = extraOf(record);
    if (expires > 0) this.remove(this.#tables.expiry, { time: expires, key });
    // The record is our own copy, and of it others see only the value: saying who superseded it costs no second copy.
    const superseded = pending ? Buffer.from(record) : record;
    setExtra(superseded, revision);
    this.#write(this.#tables.superseded, { key, modRevision: entry.modRevision }, superseded);
  }

  #put(operation: Operation & { type: 'put' }, previous: StoredEntry | undefined, revision: number): StoreEvent {
    const { key, value } = operation;
    const expires = operation.ttlSeconds === undefined ? 0 : Math.ceil(this.#options.time + operation.ttlSeconds * 1000);
    const entry = { key, value, createRevision: previous?.createRevision ?? revision, modRevision: revision };
    const record = this.#options.arena.take(sizeOfVersion(value));
    writeVersion(record, entry.createRevision, revision, expires, value);
    this.#found.set(key, { record, entry, pending: true });
    this.#write(this.#tables.current, key, record);
    if (expires > 0) this.#expire(key, expires, revision);
    return previous === undefined ? { type: 'put', key, revision, entry } : { type: 'put', key, revision, entry, previous };
  }

  #expire(key: string, time: number, revision: number): void {
    this.expiresAt = Math.min(this.expiresAt, time);
    this.#write(this.#tables.expiry, { time, key }, numberBytes(revision));
  }

  #write<K>(table: Table<K>, key: K, value: Buffer | undefined): void {
    this.#writes.push({ table: table as Table<unknown>, key, value });
  }
}

/** The room that a commit's new versions, the versions they supersede, and its log record take. */
function roomsOf(changes: readonly Change[]): { added: number; superseded: number; logged: number } {
  const rooms = { added: 0, superseded: 0, logged: 0 };
  for (const { operation, previous } of changes) {
    if (operation.type === 'put') rooms.added += roomOf(operation.key, operation.value.length);
    if (previous !== undefined) rooms.superseded += roomOf(operation.key, previous.entry.value.length);
    rooms.logged += roomOf(operation.key, 0);
  }
  return rooms;
}
