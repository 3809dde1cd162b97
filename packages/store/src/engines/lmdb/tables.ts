// The LMDB environment of a data directory and its tables. Opens, checks and closes; what is read and written there is said elsewhere.
//
// `overlappingSync: false`: LMDB writes the pages, syncs them, writes the header that makes them visible, and syncs that; only then can a
// reader see the transaction. So what a read shows is on disk already, and no crash takes it back.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase, type Transaction } from 'lmdb';
import { StoreError } from '../../store.ts';
import { checkDataFile, corruptFile } from './data-file.ts';
import { type ExpiryKey, expiryKeys, type KeyEncoding, numberKeys, textKeys, type VersionKey, versionKeys } from './key-encodings.ts';
import { FORMAT, numberBytes, parseStateRecord, readNumber, type StoreState, stateRecord } from './records.ts';

export interface RangeOptions<K> {
  readonly start?: K | Buffer | undefined;
  readonly end?: K | Buffer;
  readonly exclusiveStart?: boolean;
  readonly reverse?: boolean;
  readonly limit?: number;
  readonly transaction?: Transaction;
}

/** What we use of an lmdb database. Values that it hands out are copies, so they stay valid. */
export interface Table<K> {
  getBinary(key: K, options?: { transaction: Transaction }): Buffer | undefined;
  getRange(options: RangeOptions<K>): Iterable<{ key: K; value: Buffer }>;
  getCount(options: RangeOptions<K>): number;
  put(key: K, value: Buffer): unknown;
  remove(key: K): unknown;
}

export interface Tables {
  readonly path: string;
  readonly root: RootDatabase<Buffer, string>;
  readonly current: Table<string>;
  readonly superseded: Table<VersionKey>;
  readonly log: Table<number>;
  readonly expiry: Table<ExpiryKey>;
  readonly meta: Table<string>;
}

const LMDB_OPTIONS = {
  noSubdir: false,
  overlappingSync: false,
  eventTurnBatching: false,
  encoding: 'binary' as const,
  // Secrets are in there.
  permissionsMode: 0o600,
};

/** As in etcd: an empty store is at 1, so that no revision that a client may name is 0. */
const EMPTY: StoreState = { revision: 1, compacted: 0, currentRoom: 0, historyRoom: 0 };

export async function openTables(directory: string): Promise<Tables> {
  const path = join(directory, 'data.mdb');
  const { fresh } = checkDataFile(path);
  try {
    return await openChecked(directory, path, fresh);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('unavailable', `cannot open the data directory ${directory}: ${(error as Error).message}`, { cause: error });
  }
}

async function openChecked(directory: string, path: string, fresh: boolean): Promise<Tables> {
  const root = open<Buffer, string>(directory, LMDB_OPTIONS);
  try {
    const tables = tablesOf(root, path);
    await prepare(tables, fresh);
    if (fresh) syncDirectory(directory);
    return tables;
  } catch (error) {
    await root.close();
    throw error;
  }
}

function tablesOf(root: RootDatabase<Buffer, string>, path: string): Tables {
  const table = <K>(name: string, keyEncoder: KeyEncoding<K>): Table<K> =>
    root.openDB(name, { encoding: 'binary', keyEncoder } as object) as unknown as Table<K>;
  return {
    path,
    root,
    current: table('current', textKeys),
    superseded: table('superseded', versionKeys),
    log: table('log', numberKeys),
    expiry: table('expiry', expiryKeys),
    meta: table('meta', textKeys),
  };
}

async function prepare(tables: Tables, fresh: boolean): Promise<void> {
  const { meta, path, root } = tables;
  const format = meta.getBinary('format');
  if (format === undefined) {
    // A crash right after the file was made leaves empty tables, which is as good as fresh.
    if (!fresh && tables.log.getCount({ start: undefined }) > 0) throw corruptFile(path, 'it has no format record');
    await root.batch(() => {
      meta.put('format', numberBytes(FORMAT));
      meta.put('cluster-id', Buffer.from(randomUUID()));
      meta.put('state', stateRecord(EMPTY));
    });
  } else if (readNumber(format, 0) !== FORMAT) {
    throw corruptFile(path, `it has format ${readNumber(format, 0)}, and this release knows ${FORMAT}`);
  }
}

/** The files themselves are synced by LMDB; that they are there at all is the directory's to remember. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

export function readState(tables: Tables, transaction?: Transaction): StoreState {
  const record = tables.meta.getBinary('state', transaction && { transaction });
  if (record === undefined) throw corruptFile(tables.path, 'its state record is gone');
  return parseStateRecord(record);
}
