// The LMDB environment of a data directory and its tables. Opens, checks and closes; what is read and written
// there is said elsewhere.
//
// `overlappingSync: false`: LMDB writes the pages, syncs them, writes the header that makes them visible, and
// syncs that; only then can a reader see the transaction. So what a read shows is on disk already, and no
// crash takes it back.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { open, type RootDatabase, type Transaction } from 'lmdb';
import { StoreError } from '../../store.ts';
import { checkDataFile, corruptFile } from './data-file.ts';
import {
  type ExpiryKey,
  expiryKeys,
  type KeyEncoding,
  numberKeys,
  textKeys,
  type VersionKey,
  versionKeys,
  within,
} from './key-encodings.ts';
import { numberBytes, parseStateRecord, readNumber, type StoreState, stateRecord } from './records.ts';
import { EARLIER_FORMATS, FORMAT } from './version-records.ts';

interface RangeOptions<K> {
  readonly start?: K | Buffer | undefined;
  readonly end?: K | Buffer;
  readonly exclusiveStart?: boolean;
  readonly reverse?: boolean;
  readonly limit?: number;
  readonly transaction?: Transaction;
}

/** What we use of an lmdb database. The values it returns are copies, so they stay valid. */
export interface Table<K> {
  getBinary(key: K, options?: { transaction: Transaction }): Buffer | undefined;
  getRange(options: RangeOptions<K>): Iterable<{ key: K; value: Buffer }>;
  getCount(options: RangeOptions<K>): number;
  put(key: K, value: Buffer): unknown;
  remove(key: K): unknown;
  /** Reads and writes through this root from now on. */
  attach(root: RootDatabase<Buffer, string>): void;
}

export interface Tables {
  readonly path: string;
  /** Replaced by `reopenTables`. */
  root: RootDatabase<Buffer, string>;
  readonly current: Table<string>;
  readonly superseded: Table<VersionKey>;
  readonly log: Table<number>;
  readonly expiry: Table<ExpiryKey>;
  readonly meta: Table<string>;
}

/**
 * Addresses, not memory. When a file outgrows its map, lmdb maps all of it again and keeps the earlier map,
 * and what was read through it, until it is closed: a file that grew step by step would be in memory two or
 * three times.
 */
const MAP_BYTES = 16 * 1024 ** 3;

const LMDB_OPTIONS = {
  noSubdir: false,
  overlappingSync: false,
  eventTurnBatching: false,
  encoding: 'binary' as const,
  keyEncoding: 'binary' as const,
  ...(process.arch.endsWith('64') && { mapSize: MAP_BYTES }),
  // It contains Secrets.
  permissionsMode: 0o600,
};

/** As in etcd: an empty store is at 1, so that no revision that a client may name is 0. */
const EMPTY: StoreState = { revision: 1, compacted: 0, currentRoom: 0, historyRoom: 0 };

export async function openTables(directory: string): Promise<Tables> {
  const path = join(directory, 'data.mdb');
  const { fresh } = checkDataFile(path);
  try {
    if (fresh) await makeDataFile(directory, path);
    return await openChecked(directory, path);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      'unavailable',
      `cannot open the data directory ${directory}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/**
 * The same files while another process writes them: LMDB allows readers, and shows them only what is on disk.
 */
export function openTablesForReading(directory: string): Tables {
  const path = join(directory, 'data.mdb');
  const { fresh } = checkDataFile(path);
  if (fresh) throw new StoreError('invalid', `${directory} holds no data`);
  return tablesOf(open<Buffer, string>(directory, { ...LMDB_OPTIONS, readOnly: true }), path);
}

/**
 * Closes the files and opens them again in place, after the same checks as at the start. No read must be in
 * progress. Needed after a failed write: LMDB must not be written to again after some errors, and what it has
 * in memory may then differ from the file.
 */
export async function reopenTables(tables: Tables): Promise<void> {
  await tables.root.close();
  if (checkDataFile(tables.path).fresh) throw corruptFile(tables.path, 'it was removed');
  const root = open<Buffer, string>(dirname(tables.path), LMDB_OPTIONS);
  tables.root = root;
  const { current, expiry, log, meta, superseded } = tables;
  for (const table of [current, expiry, log, meta, superseded]) table.attach(root);
}

/** Elsewhere and then renamed, so that a crash never leaves an empty file where the data belongs. */
async function makeDataFile(directory: string, path: string): Promise<void> {
  const folder = join(directory, 'new');
  rmSync(folder, { recursive: true, force: true });
  const { root } = await openChecked(folder, join(folder, 'data.mdb'));
  await root.close();
  renameSync(join(folder, 'data.mdb'), path);
  rmSync(folder, { recursive: true });
  syncDirectory(directory);
}

async function openChecked(directory: string, path: string): Promise<Tables> {
  const root = open<Buffer, string>(directory, LMDB_OPTIONS);
  try {
    const tables = tablesOf(root, path);
    await prepare(tables);
    return tables;
  } catch (error) {
    await root.close();
    throw error;
  }
}

// All tables are regions of one tree, distinguished by the first byte of the key: a group then changes fewer
// pages than in separate trees. `meta` follows `log` in byte order, so that the state is on the page where
// the newest log record is written anyway.
function tablesOf(root: RootDatabase<Buffer, string>, path: string): Tables {
  return {
    path,
    root,
    current: regionOf(root, 'c', textKeys),
    expiry: regionOf(root, 'e', expiryKeys),
    log: regionOf(root, 'l', numberKeys),
    meta: regionOf(root, 'm', textKeys),
    superseded: regionOf(root, 's', versionKeys),
  };
}

const LOWEST = Buffer.alloc(0);
const HIGHEST = Buffer.of(0xff);

function regionOf<K>(root: RootDatabase<Buffer, string>, letter: string, keys: KeyEncoding<K>): Table<K> {
  const keyEncoder = within(letter.charCodeAt(0), keys);
  const openIn = (database: RootDatabase<Buffer, string>): Omit<Table<K>, 'attach'> =>
    database.openDB(null as never, { encoding: 'binary', keyEncoder } as object) as unknown as Table<K>;
  let table = openIn(root);
  const bounded = (options: RangeOptions<K>): RangeOptions<K> => ({
    ...options,
    start: options.start ?? (options.reverse ? HIGHEST : LOWEST),
    end: options.end ?? (options.reverse ? LOWEST : HIGHEST),
  });
  return {
    getBinary: (key, options) => table.getBinary(key, options),
    getRange: (options) => table.getRange(bounded(options)),
    getCount: (options) => table.getCount(bounded(options)),
    put: (key, value) => table.put(key, value),
    remove: (key) => table.remove(key),
    attach: (next) => {
      table = openIn(next);
    },
  };
}

async function prepare(tables: Tables): Promise<void> {
  const { meta, path, root } = tables;
  const record = meta.getBinary('format');
  const format = record && readNumber(record, 0);
  if (format === undefined) {
    // A crash right after the file was created leaves it empty, which is as good as fresh. Anything else
    // belongs to another program.
    if (root.getCount({ start: undefined } as object) > 0)
      throw corruptFile(path, 'it has data that this software has not written');
    await root.batch(() => {
      meta.put('format', numberBytes(FORMAT));
      meta.put('cluster-id', Buffer.from(randomUUID()));
      meta.put('state', stateRecord(EMPTY));
    });
  } else if (EARLIER_FORMATS.includes(format)) {
    // Before anything is written that the earlier release cannot read.
    await root.batch(() => meta.put('format', numberBytes(FORMAT)));
  } else if (format !== FORMAT) {
    throw corruptFile(path, `it has format ${format}, and this release knows ${FORMAT}`);
  }
}

/** LMDB syncs the files themselves; that they exist is recorded in the directory. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

export function readState(tables: Tables, transaction?: Transaction): StoreState {
  const record = tables.meta.getBinary('state', transaction && { transaction });
  if (record === undefined) throw corruptFile(tables.path, 'its state record is missing');
  return parseStateRecord(record);
}
