// The records of versions: what stands at a key, or stood there. LMDB has no checksums of its own, so every
// record carries one. Pure.
//
//   extra 8 | checksum 4 | form 1 | createRevision 7 | leaning 1 | modRevision 7 | value as it is, or its
//   length 4 and then packed (packed.ts)
//
// A value is packed against the text that most values have in common; that of a superseded version against
// the value that came after it, of which it usually differs by little. A reader of the past must then
// read what came after it too: so that this does not go on for ever, `leaning` counts how many versions in a
// row lean on this one, and after some of them one stands by itself. Nothing leans on what is older, so
// history can be forgotten from its old end.
import { type StoredEntry, StoreError } from '../../store.ts';
import { checksum } from './checksum.ts';
import { COMMON_TEXT } from './common-text.ts';
import { pack, type Reference, unpack } from './packed.ts';
import { readNumber, writeNumber } from './records.ts';

/** Format 1 had only unpacked values, so its records are valid in this one too. */
export const FORMAT = 2;
export const EARLIER_FORMATS: readonly number[] = [1];

const AT = { extra: 0, checksum: 8, form: 12, createRevision: 12, leaning: 20, modRevision: 20, value: 28 };
const LENGTH = 4;
/** Revisions have 53 bits at most: the first byte of each is free for other uses. */
const AS_IT_IS = 0;
const AGAINST_COMMON_TEXT = 1;
const AGAINST_SUCCESSOR = 2;

const MOST_LEANING = 15;
/** Smaller values are not worth the time. */
const WORTH_PACKING = 128;
/** Larger values take too long, during which nothing else is done. They are rare. */
const MAX_PACKED_BYTES = 512 * 1024;

const PAGE = 4096;
/** Of a page, a record and its key, at most about. */
const HEADERS = 256;
/** Up to about this size a record shares a page with others. */
const IN_A_LEAF = 1_700;

export interface Version {
  readonly value: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly extra: number;
  readonly leaning: number;
}

/** Returns so many bytes, uninitialized. */
type Take = (size: number) => Buffer;

/** A self-contained record. */
export function wholeRecord(take: Take, version: Version): Buffer {
  const { value } = version;
  const isPacked = value.length >= WORTH_PACKING && value.length <= MAX_PACKED_BYTES;
  const packed = isPacked ? pack(value, COMMON_TEXT, worthwhile(value.length)) : undefined;
  if (packed !== undefined) return packedRecord(take, version, AGAINST_COMMON_TEXT, packed);
  const record = take(AT.value + value.length);
  record.set(value, AT.value);
  return finished(record, version, AS_IT_IS);
}

/**
 * How small a packed value must be to be worth unpacking: smaller by an eighth, or by a page if it has
 * separate pages.
 */
function worthwhile(length: number): number {
  return length <= IN_A_LEAF
    ? length - (length >>> 3)
    : Math.max(IN_A_LEAF, Math.floor((length - 1) / PAGE) * PAGE - HEADERS);
}

/** The record of a superseded version; undefined if it had better stay as it is. */
export function leaningRecord(
  take: Take,
  { record, entry }: { record: Buffer; entry: StoredEntry },
  by: Version,
): Buffer | undefined {
  const successor: Reference = { bytes: by.value };
  const packed =
    record.length > AT.value + WORTH_PACKING
      ? pack(entry.value, successor, (record.length - AT.value) >>> 1)
      : undefined;
  return (
    packed && packedRecord(take, { ...entry, extra: by.modRevision, leaning: 0 }, AGAINST_SUCCESSOR, packed)
  );
}

function packedRecord(take: Take, version: Version, form: number, packed: Buffer): Buffer {
  const record = take(AT.value + LENGTH + packed.length);
  record.writeUInt32BE(version.value.length, AT.value);
  record.set(packed, AT.value + LENGTH);
  return finished(record, version, form);
}

function finished(
  record: Buffer,
  { createRevision, modRevision, extra, leaning }: Version,
  form: number,
): Buffer {
  writeNumber(record, extra, AT.extra);
  writeNumber(record, createRevision, AT.createRevision);
  writeNumber(record, modRevision, AT.modRevision);
  record[AT.form] = form;
  record[AT.leaning] = leaning;
  record.writeUInt32BE(checksumOf(record), AT.checksum);
  return record;
}

export const extraOf = (record: Buffer): number => readNumber(record, AT.extra);
export const modRevisionOf = (record: Buffer): number => readRevision(record, AT.modRevision);
export const mayBeLeanedOn = (record: Buffer): boolean => record[AT.leaning]! < MOST_LEANING;
export const leaningOf = (record: Buffer): number => record[AT.leaning]!;
export const leansOnSuccessor = (record: Buffer): boolean => record[AT.form] === AGAINST_SUCCESSOR;

const readRevision = (record: Buffer, at: number): number =>
  record.readUIntBE(at + 1, 3) * 2 ** 32 + record.readUInt32BE(at + 4);

export function setExtra(record: Buffer, extra: number): void {
  writeNumber(record, extra, AT.extra);
}

/** The entry of a record. Its value may share the record's memory, so the record must not be in the map. */
export function entryOf(key: string, record: Buffer, successor?: Uint8Array): StoredEntry {
  if (record.length < AT.value || record.readUInt32BE(AT.checksum) !== checksumOf(record))
    throw damagedValue(key);
  return {
    key,
    value: valueIn(key, record, successor),
    createRevision: readRevision(record, AT.createRevision),
    modRevision: modRevisionOf(record),
  };
}

function valueIn(key: string, record: Buffer, successor: Uint8Array | undefined): Uint8Array {
  const form = record[AT.form]!;
  if (form === AS_IT_IS) return record.subarray(AT.value);
  const reference =
    form === AGAINST_COMMON_TEXT ? COMMON_TEXT.bytes : form === AGAINST_SUCCESSOR ? successor : undefined;
  if (reference === undefined) throw damagedValue(key);
  try {
    return unpack(record, AT.value + LENGTH, record.readUInt32BE(AT.value), reference);
  } catch (cause) {
    throw damagedValue(key, cause);
  }
}

function damagedValue(key: string, cause?: unknown): StoreError {
  const message = `the stored value of ${JSON.stringify(key)} is damaged; restore the data directory from a backup`;
  return new StoreError('corrupt', message, { cause });
}

// Without `extra`: it changes when a version is superseded, independent of the value.
const checksumOf = (record: Buffer): number => checksum(record, AT.form);

/** About how much of the file a record takes: larger ones get separate pages. */
export function roomOf(key: string, record: Buffer | undefined): number {
  const size = key.length + (record?.length ?? AT.value);
  return size > 1_900 ? 64 + Math.ceil(size / 4096) * 4096 : 64 + size;
}
