// Checks LMDB's data file before LMDB maps it: a file of another program gets a clear error, and a damaged or
// truncated one must neither crash the process nor silently lose entries. Knows the layout of LMDB data
// version 2 on 64-bit little-endian machines, which is all that lmdb ships for; elsewhere LMDB is trusted.
import { closeSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';
import { endianness } from 'node:os';
import { StoreError } from '../../store.ts';
import { PageTrees, parseTree, type TreeRecord } from './page-tree.ts';

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
// Offsets in a header page: 24 bytes of page header come first.
const AT = {
  magic: 24,
  version: 28,
  pageSize: 48,
  freeTree: 48,
  mainTree: 96,
  lastPage: 144,
  transaction: 152,
  end: 160,
};
const LARGEST_PAGE = 65_536;

/** Throws `corrupt` if the file cannot be used. Returns whether there is none yet. */
export function checkDataFile(path: string): { readonly fresh: boolean } {
  const file = openExisting(path);
  if (file === undefined) return { fresh: true };
  try {
    const { size } = fstatSync(file);
    if (size === 0) throw corruptFile(path, 'it is empty (0 bytes), which this software never leaves behind');
    if (isKnownLayout()) checkPages(file, path, size);
    return { fresh: false };
  } catch (error) {
    throw error instanceof StoreError ? error : unreadableFile(path, error);
  } finally {
    closeSync(file);
  }
}

/** How many bytes of the file are free for new data. */
export function freeBytesWithin(path: string): number {
  if (!isKnownLayout()) return 0;
  const file = openSync(path, 'r');
  try {
    const newest = newestHeader(file, path);
    const trees = new PageTrees(file, newest.pageSize, newest.lastPage + 1);
    return trees.freePages(newest.freeTree) * newest.pageSize;
  } finally {
    closeSync(file);
  }
}

const isKnownLayout = (): boolean => endianness() === 'LE' && process.arch.endsWith('64');

function newestHeader(file: number, path: string): Header {
  const first = readHeader(file, path, 0);
  const second = readHeader(file, path, first.pageSize);
  return first.transaction > second.transaction ? first : second;
}

function checkPages(file: number, path: string, size: number): void {
  const newest = newestHeader(file, path);
  const trees = new PageTrees(
    file,
    newest.pageSize,
    Math.min(Math.floor(size / newest.pageSize), newest.lastPage + 1),
  );
  const fault = trees.fault(newest.freeTree, false) ?? trees.fault(newest.mainTree, true);
  if (fault !== undefined) throw corruptFile(path, fault);
  // LMDB need not have written its last pages if they are free. Everything else exists, as was checked; the
  // map may reach as far as it says.
  const expected = (newest.lastPage + 1) * newest.pageSize;
  if (size < expected) truncateSync(path, expected);
}

interface Header {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  readonly freeTree: TreeRecord;
  readonly mainTree: TreeRecord;
}

function readHeader(file: number, path: string, offset: number): Header {
  const bytes = Buffer.alloc(AT.end);
  const length = readSync(file, bytes, 0, AT.end, offset);
  if (length < AT.end) throw corruptFile(path, 'its header is cut off');
  if (bytes.readUInt32LE(AT.magic) !== MAGIC) throw corruptFile(path, 'it does not start like an LMDB file');
  const version = bytes.readUInt32LE(AT.version);
  if (version !== DATA_VERSION)
    throw corruptFile(path, `it has LMDB data version ${version}, not ${DATA_VERSION}`);
  const pageSize = bytes.readUInt32LE(AT.pageSize);
  if (pageSize < 256 || pageSize > LARGEST_PAGE || (pageSize & (pageSize - 1)) !== 0)
    throw corruptFile(path, 'its header is damaged');
  return {
    pageSize,
    lastPage: Number(bytes.readBigUInt64LE(AT.lastPage)),
    transaction: bytes.readBigUInt64LE(AT.transaction),
    freeTree: parseTree(bytes, AT.freeTree),
    mainTree: parseTree(bytes, AT.mainTree),
  };
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadableFile(path, error);
  }
}

function unreadableFile(path: string, cause: unknown): StoreError {
  const message = `the data file ${path} cannot be read: ${(cause as Error).message}`;
  return new StoreError('unavailable', message, { cause });
}

export function corruptFile(path: string, what: string, cause?: unknown): StoreError {
  const message = `the data file ${path} cannot be used: ${what}. Move it away to start empty, or restore it from a backup`;
  return new StoreError('corrupt', message, { cause });
}
