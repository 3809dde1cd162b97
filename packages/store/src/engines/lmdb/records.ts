// How keys and records lie in LMDB, byte by byte. Pure: nothing here touches a file. (Each table is a region
// of one tree: see tables.ts.)
//
//   current     key                      → version record (version-records.ts); `extra` is the time at which
//   the entry expires, or 0
//   superseded  key NUL modRevision      → version record; `extra` is the revision that replaced or deleted
//   it
//   log         last revision of a group → log record: when, and which keys were written or deleted at each
//   revision of the group
//   expiry      time key                 → modRevision of the entry that expires then
//   meta        "format" | "cluster-id" | "state"
//
// Numbers are 8 bytes, big-endian, so that they sort as they count.

const LOG_HEADER = 16;
const LOG_CHANGE = 11;
const HIGH = 2 ** 32;

export function writeNumber(target: Buffer, value: number, at: number): number {
  target.writeUInt32BE(Math.floor(value / HIGH), at);
  return target.writeUInt32BE(value % HIGH, at + 4);
}

export function readNumber(source: Buffer, at: number): number {
  return source.readUInt32BE(at) * HIGH + source.readUInt32BE(at + 4);
}

export function numberBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeNumber(bytes, value, 0);
  return bytes;
}

// --- log records: time, room; then for each revision how many keys, and for each key: type, previous
// modRevision, length, key --- Revisions have no gaps, so the last one, which is the record's key, tells them
// all. One record a group costs less than one a revision.

export interface LoggedChange {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The modRevision of the previous version; 0 if there was none. */
  readonly previous: number;
}

export interface LogRecord {
  readonly time: number;
  /** The space of the superseded versions and of the log itself. */
  readonly room: number;
  readonly revisions: readonly (readonly LoggedChange[])[];
}

export function logRecord({ time, room, revisions }: LogRecord): Buffer {
  const record = Buffer.allocUnsafe(
    revisions.reduce((sum, changes) => sum + sizeOfRevision(changes), LOG_HEADER),
  );
  let at = writeNumber(record, room, writeNumber(record, time, 0));
  for (const changes of revisions) {
    at = record.writeUInt32BE(changes.length, at);
    for (const change of changes) at = writeChange(record, change, at);
  }
  return record;
}

const sizeOfRevision = (changes: readonly LoggedChange[]): number =>
  changes.reduce((sum, { key }) => sum + LOG_CHANGE + Buffer.byteLength(key), 4);

function writeChange(record: Buffer, { type, key, previous }: LoggedChange, at: number): number {
  record[at] = type === 'put' ? 1 : 2;
  writeNumber(record, previous, at + 1);
  const length = record.write(key, at + LOG_CHANGE, 'utf8');
  record.writeUInt16BE(length, at + 9);
  return at + LOG_CHANGE + length;
}

export const logTimeOf = (record: Buffer): number => readNumber(record, 0);

export function parseLogRecord(record: Buffer): LogRecord {
  const revisions: LoggedChange[][] = [];
  for (let at = LOG_HEADER; at < record.length; ) {
    const changes: LoggedChange[] = [];
    const count = record.readUInt32BE(at);
    at += 4;
    while (changes.length < count) {
      const end = at + LOG_CHANGE + record.readUInt16BE(at + 9);
      const key = record.toString('utf8', at + LOG_CHANGE, end);
      changes.push({ type: record[at] === 1 ? 'put' : 'delete', previous: readNumber(record, at + 1), key });
      at = end;
    }
    revisions.push(changes);
  }
  return { time: logTimeOf(record), room: readNumber(record, 8), revisions };
}

// --- the state record: what must change together with every commit ---

export interface StoreState {
  readonly revision: number;
  readonly compacted: number;
  /** The space of current entries, and of history. */
  readonly currentRoom: number;
  readonly historyRoom: number;
}

export function stateRecord(state: StoreState): Buffer {
  const record = Buffer.allocUnsafe(32);
  writeNumber(record, state.revision, 0);
  writeNumber(record, state.compacted, 8);
  writeNumber(record, state.currentRoom, 16);
  writeNumber(record, state.historyRoom, 24);
  return record;
}

export function parseStateRecord(record: Buffer): StoreState {
  return {
    revision: readNumber(record, 0),
    compacted: readNumber(record, 8),
    currentRoom: readNumber(record, 16),
    historyRoom: readNumber(record, 24),
  };
}
