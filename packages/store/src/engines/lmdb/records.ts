// How keys and records lie in LMDB, byte by byte. Pure: nothing here touches a file.
//
//   current     key                      → version record; `extra` is the time at which the entry expires, or 0
//   superseded  key NUL modRevision      → version record; `extra` is the revision that replaced or deleted it
//   log         revision                 → log record: when, and which keys were written or deleted
//   expiry      time key                 → modRevision of the entry that expires then
//   meta        "format" | "cluster-id" | "state"
//
// Numbers are 8 bytes, big-endian, so that they sort as they count. LMDB has no checksums of its own; every version record carries one.
import { crc32 } from 'node:zlib';
import { type StoredEntry, StoreError } from '../../store.ts';

export const FORMAT = 1;
const HEADER = 28;
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

// --- version records: createRevision, modRevision, extra, checksum, value ---

export function versionRecord(createRevision: number, modRevision: number, extra: number, value: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(HEADER + value.length);
  writeNumber(record, createRevision, 0);
  writeNumber(record, modRevision, 8);
  writeNumber(record, extra, 16);
  record.set(value, HEADER);
  record.writeUInt32BE(checksumOf(record), 24);
  return record;
}

export const extraOf = (record: Buffer): number => readNumber(record, 16);
export const modRevisionOf = (record: Buffer): number => readNumber(record, 8);

/** The entry that a record holds. Its value shares the record's memory, so the record must not live in the map. */
export function entryOf(key: string, record: Buffer): StoredEntry {
  if (record.length < HEADER || record.readUInt32BE(24) !== checksumOf(record)) {
    throw new StoreError('corrupt', `the stored value of ${JSON.stringify(key)} is damaged; restore the data directory from a backup`);
  }
  return { key, value: record.subarray(HEADER), createRevision: readNumber(record, 0), modRevision: readNumber(record, 8) };
}

// `extra` is left out: it changes when a version is superseded, and nothing but its own consistency depends on it.
function checksumOf(record: Buffer): number {
  return crc32(record.subarray(HEADER), crc32(record.subarray(0, 16)));
}

/** About how much of the file a record takes: larger ones get pages of their own. */
export function roomOf(key: string, valueLength: number): number {
  const size = key.length + HEADER + valueLength;
  return size > 1_900 ? 64 + Math.ceil(size / 4096) * 4096 : 64 + size;
}

// --- log records: time, room of what was superseded, then for each key: type, previous modRevision, length, key ---

export interface LoggedChange {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The modRevision of what stood there before; 0 if nothing did. */
  readonly previous: number;
}

export interface LogRecord {
  readonly time: number;
  readonly room: number;
  readonly changes: readonly LoggedChange[];
}

export function logRecord({ time, room, changes }: LogRecord): Buffer {
  const size = changes.reduce((sum, change) => sum + 11 + Buffer.byteLength(change.key), 16);
  const record = Buffer.allocUnsafe(size);
  let at = writeNumber(record, room, writeNumber(record, time, 0));
  for (const change of changes) {
    record[at] = change.type === 'put' ? 1 : 2;
    writeNumber(record, change.previous, at + 1);
    const length = record.write(change.key, at + 11, 'utf8');
    record.writeUInt16BE(length, at + 9);
    at += 11 + length;
  }
  return record;
}

export function parseLogRecord(record: Buffer): LogRecord {
  const changes: LoggedChange[] = [];
  for (let at = 16; at < record.length; ) {
    const end = at + 11 + record.readUInt16BE(at + 9);
    changes.push({
      type: record[at] === 1 ? 'put' : 'delete',
      previous: readNumber(record, at + 1),
      key: record.toString('utf8', at + 11, end),
    });
    at = end;
  }
  return { time: readNumber(record, 0), room: readNumber(record, 8), changes };
}

// --- the state record: what must change together with every commit ---

export interface StoreState {
  readonly revision: number;
  readonly compacted: number;
  /** Room that current entries take, and that history takes. */
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
