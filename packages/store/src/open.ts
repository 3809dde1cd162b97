// Chooses an engine by URL. Engines are loaded on demand, so that `memory:` never loads a native module.
import { engineOptionsOf, type StoreOptions } from './options.ts';
import { type ReadableStore, type Store, StoreError } from './store.ts';

/**
 * Opens `memory:`, `lmdb:DIR` (DIR relative to the working directory, or absolute) or
 * `etcd://host:port,host:port/namespace`.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const colon = url.indexOf(':');
  const scheme = colon < 0 ? '' : url.slice(0, colon);
  const rest = url.slice(colon + 1);
  switch (scheme) {
    case 'memory':
      return openMemory(url, rest, options);
    case 'lmdb':
      return openLmdb(url, rest, options);
    case 'etcd':
      return openEtcd(url, rest, options);
    default:
      throw new StoreError(
        'invalid',
        `storage ${JSON.stringify(url)}: unknown scheme; known are memory:, lmdb:DIR and etcd://HOST:PORT,…`,
      );
  }
}

/** Opens an existing store for listing only: for `lmdb:` also while another process writes to it. */
export async function openForReading(url: string, options: StoreOptions = {}): Promise<ReadableStore> {
  if (!/^lmdb:./.test(url)) return openStore(url, options);
  const { openLmdbForReading } = await import('./engines/lmdb/lmdb-store.ts');
  return openLmdbForReading(url.slice('lmdb:'.length));
}

async function openMemory(url: string, rest: string, options: StoreOptions): Promise<Store> {
  if (rest !== '')
    throw new StoreError('invalid', `storage ${JSON.stringify(url)}: memory: takes nothing after the colon`);
  const { MemoryStore } = await import('./engines/memory/memory-store.ts');
  return new MemoryStore(engineOptionsOf(options));
}

async function openLmdb(url: string, rest: string, options: StoreOptions): Promise<Store> {
  if (rest === '')
    throw new StoreError(
      'invalid',
      `storage ${JSON.stringify(url)}: lmdb: needs a directory, as in lmdb:data`,
    );
  const { openLmdbStore } = await import('./engines/lmdb/lmdb-store.ts');
  return openLmdbStore(rest, engineOptionsOf(options));
}

async function openEtcd(url: string, rest: string, options: StoreOptions): Promise<Store> {
  const { openEtcdStore } = await import('./engines/etcd/etcd-store.ts');
  const { parseAddress } = await import('./engines/etcd/address.ts');
  return openEtcdStore(parseAddress(url, rest), options.etcd ?? {}, engineOptionsOf(options));
}
