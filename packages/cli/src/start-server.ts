// The server with its storage named by URL: the server itself never chooses an engine.
import { type RunningServer, type ServerOptions, startServer as startWithStore } from '@instar/server';
import { DEFAULT_ETCD_PREFIX, keysBelow } from '@instar/server/wire/defaults';
import { type EtcdOptions, type Store, StoreError } from '@instar/store';
import { isUnfinished } from '@instar/store/backup';
import { openStorage } from './storage/open-storage.ts';

/** Options of an embedded API server; all have defaults. */
export type EmbeddedServerOptions = Omit<ServerOptions, 'storage'> & {
  /**
   * A URL (`memory:`, `lmdb:DIR`, `etcd://host:port,…`) or a store that is open; either is closed with the
   * server.
   */
  readonly storage?: string | Store;
  /** How long past revisions can be listed and watched from; for storage given by URL. */
  readonly historySeconds?: number;
  /** How to reach `etcd:`. */
  readonly etcd?: EtcdOptions;
};

/** Starts an API server in this process; resolves when it is ready. */
export async function startServer(options: EmbeddedServerOptions = {}): Promise<RunningServer> {
  const { storage = 'memory:', historySeconds, etcd, ...rest } = options;
  const scope = keysBelow(options.etcdPrefix ?? DEFAULT_ETCD_PREFIX);
  const storeOptions = {
    ...(historySeconds !== undefined && { historySeconds }),
    etcd: { scope, ...etcd },
    onRecovery: (err: Error) =>
      options.log?.error({ err }, 'a write to the storage failed; its files are opened again'),
  };
  const store = typeof storage === 'string' ? await openStorage(storage, storeOptions) : storage;
  try {
    if (await isUnfinished(store, scope))
      throw new StoreError('invalid', 'a restore into this storage was aborted: run it again');
    return await startWithStore({ ...rest, storage: store });
  } catch (error) {
    await store.close();
    throw error;
  }
}
