// Looks at LMDB's data file before LMDB maps it: a foreign file gets a clear answer, and a cut one must not end the process with SIGBUS.
// It reads the two header pages only; what lies behind them is checked as it is read (see records.ts).
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StoreError } from '../../store.ts';

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
// Offsets in a header page, as lmdb 3 lays it out on 64-bit little-endian machines: 24 bytes of page header come first.
const AT = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152, end: 160 };
const LARGEST_PAGE = 65_536;

/** How many bytes the file lacks of what its header says; it is whole if that is 0. Throws `corrupt` if it is no such file at all. */
export function checkDataFile(path: string): { readonly missing: number; readonly size: number } {
  const file = openExisting(path);
  if (file === undefined) return { missing: 0, size: 0 };
  try {
    const { size } = fstatSync(file);
    if (size === 0) return { missing: 0, size };
    const headers = readHeaders(file, path);
    const newest = headers[0].transaction > headers[1].transaction ? headers[0] : headers[1];
    return { missing: Math.max((newest.lastPage + 1) * newest.pageSize - size, 0), size };
  } finally {
    closeSync(file);
  }
}

interface Header {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
}

function readHeaders(file: number, path: string): [Header, Header] {
  const first = readHeader(file, path, 0);
  return [first, readHeader(file, path, first.pageSize)];
}

function readHeader(file: number, path: string, offset: number): Header {
  const bytes = Buffer.alloc(AT.end);
  const length = readSync(file, bytes, 0, AT.end, offset);
  if (length < AT.end) throw corruptFile(path, 'its header is cut off');
  if (bytes.readUInt32LE(AT.magic) !== MAGIC) throw corruptFile(path, 'it does not start like an LMDB file');
  const version = bytes.readUInt32LE(AT.version);
  if (version !== DATA_VERSION) throw corruptFile(path, `it has LMDB data version ${version}, not ${DATA_VERSION}`);
  const pageSize = bytes.readUInt32LE(AT.pageSize);
  if (pageSize < 256 || pageSize > LARGEST_PAGE || (pageSize & (pageSize - 1)) !== 0) throw corruptFile(path, 'its header is damaged');
  return { pageSize, lastPage: Number(bytes.readBigUInt64LE(AT.lastPage)), transaction: bytes.readBigUInt64LE(AT.transaction) };
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StoreError('unavailable', `cannot open ${path}: ${(error as Error).message}`, { cause: error });
  }
}

export function corruptFile(path: string, what: string, cause?: unknown): StoreError {
  const message = `the data file ${path} cannot be used: ${what}. Move it away to start empty, or restore it from a backup`;
  return new StoreError('corrupt', message, { cause });
}
