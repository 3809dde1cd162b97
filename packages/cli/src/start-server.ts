// The server with its storage named by URL: the server itself never chooses an engine.
import { type RunningServer, type ServerOptions, startServer as startWithStore } from '@instar/server';
import { openStore, type Store } from '@instar/store';

export type EmbeddedServerOptions = Omit<ServerOptions, 'storage'> & {
  /** A URL (`memory:`, `lmdb:DIR`) or a store that is open; either is closed with the server. */
  readonly storage?: string | Store;
  /** How long past revisions can be listed and watched from; for storage given by URL. */
  readonly historySeconds?: number;
};

export async function startServer(options: EmbeddedServerOptions = {}): Promise<RunningServer> {
  const { storage = 'memory:', historySeconds, ...rest } = options;
  const store = typeof storage === 'string' ? await openStore(storage, historySeconds === undefined ? {} : { historySeconds }) : storage;
  try {
    return await startWithStore({ ...rest, storage: store });
  } catch (error) {
    await store.close();
    throw error;
  }
}
