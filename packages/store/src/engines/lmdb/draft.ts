// What one group of commits will write, worked out against the newest state before anything is written. Later commits of the group see what
// earlier ones will have done. It reads tables, but writes nothing: the writer does, all of it in one transaction or none.
import type { Commit, CommitResult, Operation, StoredEntry, StoreEvent, WatchBatch } from '../../store.ts';
import { StoreError } from '../../store.ts';
import { conditionsHold, currentOf } from '../conditions.ts';
import {
  entryOf,
  extraOf,
  type LoggedChange,
  logRecord,
  numberBytes,
  roomOf,
  type StoreState,
  versionRecord,
  writeNumber,
} from './records.ts';
import type { Table, Tables } from './tables.ts';

/** Puts the value, or removes the key if there is none. */
export type Write = (apply: <K>(table: Table<K>, key: K, value: Buffer | undefined) => void) => void;

interface Found {
  readonly record: Buffer;
  readonly entry: StoredEntry;
  /** The record is on its way to LMDB's own thread, so it may not be changed. */
  readonly pending: boolean;
}

interface Change {
  readonly operation: Operation;
  readonly previous: Found | undefined;
}

export class Draft {
  readonly writes: Write[] = [];
  readonly batches: WatchBatch[] = [];
  /** The earliest time at which something that was written here expires. */
  expiresAt = Number.POSITIVE_INFINITY;
  /** The state must be written even if nothing else is. */
  stateChanged = false;
  readonly #tables: Tables;
  readonly #time: number;
  readonly #maxBytes: number;
  readonly #pending = new Map<string, Found | undefined>();
  #state: StoreState;

  constructor(tables: Tables, state: StoreState, time: number, maxBytes: number) {
    this.#tables = tables;
    this.#state = state;
    this.#time = time;
    this.#maxBytes = maxBytes;
  }

  get state(): StoreState {
    return this.#state;
  }

  /** History before this revision is no more from now on; what is left of it on disk goes later. */
  compactTo(compacted: number): void {
    this.setState({ compacted });
    this.stateChanged = true;
  }

  setState(change: Partial<StoreState>): void {
    this.#state = { ...this.#state, ...change };
  }

  remove<K>(table: Table<K>, key: K): void {
    this.writes.push((apply) => apply(table, key, undefined));
  }

  /** All reading comes before the first write is noted, so a commit that fails here leaves the group as it was. */
  commit(commit: Commit): CommitResult {
    const read = (key: string) => this.#find(key)?.entry;
    if (!conditionsHold(commit.conditions, read)) {
      return { committed: false, revision: this.#state.revision, current: currentOf(commit.conditions, read) };
    }
    const changes = commit.operations
      .map((operation) => ({ operation, previous: this.#find(operation.key) }))
      .filter(({ operation, previous }) => operation.type === 'put' || previous !== undefined);
    if (changes.length > 0) this.#apply(changes);
    return { committed: true, revision: this.#state.revision };
  }

  #find(key: string): Found | undefined {
    if (this.#pending.has(key)) return this.#pending.get(key);
    const record = this.#tables.current.getBinary(key);
    return record && { record, entry: entryOf(key, record), pending: false };
  }

  #apply(changes: readonly Change[]): void {
    const revision = this.#state.revision + 1;
    const added = changes.reduce((sum, change) => sum + addedRoom(change), 0);
    const superseded = changes.reduce((sum, { previous }) => sum + (previous === undefined ? 0 : roomIn(previous)), 0);
    const logged = changes.map(loggedChange);
    const logRoom = logRoomOf(logged);
    if (added > 0) this.#checkRoom(added + logRoom);
    const log = logRecord({ time: this.#time, room: superseded + logRoom, changes: logged });
    const events = changes.map((change) => this.#change(change, revision));
    this.writes.push((apply) => apply(this.#tables.log, revision, log));
    this.batches.push({ revision, events });
    this.setState({
      revision,
      currentRoom: this.#state.currentRoom + added - superseded,
      historyRoom: this.#state.historyRoom + superseded + logRoom,
    });
  }

  /** Not asked of mere deletes: they are how room is made. */
  #checkRoom(growth: number): void {
    const used = this.#state.currentRoom + this.#state.historyRoom;
    if (used + growth > this.#maxBytes) throw new StoreError('full', `the store may not take more than ${this.#maxBytes} bytes`);
  }

  #change({ operation, previous }: Change, revision: number): StoreEvent {
    const { key } = operation;
    if (previous !== undefined) this.#supersede(key, previous, revision);
    if (operation.type === 'put') return this.#put(operation, previous?.entry, revision);
    this.remove(this.#tables.current, key);
    this.#pending.set(key, undefined);
    return { type: 'delete', key, revision, previous: previous!.entry };
  }

  #supersede(key: string, { record, entry, pending }: Found, revision: number): void {
    const expires = extraOf(record);
    if (expires > 0) this.remove(this.#tables.expiry, { time: expires, key });
    // The record is our own copy, and of it others see only the value: saying who superseded it costs no second copy.
    const superseded = pending ? Buffer.from(record) : record;
    writeNumber(superseded, revision, 16);
    const at = { key, modRevision: entry.modRevision };
    this.writes.push((apply) => apply(this.#tables.superseded, at, superseded));
  }

  #put(operation: Operation & { type: 'put' }, previous: StoredEntry | undefined, revision: number): StoreEvent {
    const { key, value } = operation;
    const expires = operation.ttlSeconds === undefined ? 0 : Math.ceil(this.#time + operation.ttlSeconds * 1000);
    const entry = { key, value, createRevision: previous?.createRevision ?? revision, modRevision: revision };
    const record = versionRecord(entry.createRevision, revision, expires, value);
    this.#pending.set(key, { record, entry, pending: true });
    this.writes.push((apply) => apply(this.#tables.current, key, record));
    if (expires > 0) this.#expire(key, expires, revision);
    return previous === undefined ? { type: 'put', key, revision, entry } : { type: 'put', key, revision, entry, previous };
  }

  #expire(key: string, time: number, revision: number): void {
    this.expiresAt = Math.min(this.expiresAt, time);
    this.writes.push((apply) => apply(this.#tables.expiry, { time, key }, numberBytes(revision)));
  }
}

const logRoomOf = (changes: readonly LoggedChange[]): number => changes.reduce((sum, { key }) => sum + roomOf(key, 0), 0);
const roomIn = ({ entry }: Found): number => roomOf(entry.key, entry.value.length);
const addedRoom = ({ operation }: Change): number => (operation.type === 'put' ? roomOf(operation.key, operation.value.length) : 0);

function loggedChange({ operation, previous }: Change): LoggedChange {
  return { type: operation.type, key: operation.key, previous: previous?.entry.modRevision ?? 0 };
}
