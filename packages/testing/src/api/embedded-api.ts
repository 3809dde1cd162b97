// An API server in this process, by default with the memory engine, and clients for it.
import { clusterAccessOf, KubeClient, parseKubeconfig, type TransportOptions } from '@instar/client';
import { type RunningServer, type ServerOptions, startServer } from '@instar/server';
import { openStore, type Store } from '@instar/store';
import { ApiClient } from './api-client.ts';

export type EmbeddedApiOptions = Partial<Omit<ServerOptions, 'storage'>> & {
  /** An open store, or the URL of one. Either is closed with the server. */
  readonly storage?: string | Store;
};

/** An API server in this process, with a client for it. */
export class EmbeddedApi extends ApiClient {
  readonly server: RunningServer;
  readonly #clients: KubeClient[] = [];

  private constructor(server: RunningServer) {
    super({ url: server.url, ca: server.caCertificate, token: server.adminToken }, { connections: 10 });
    this.server = server;
  }

  static async start({ storage = 'memory:', ...rest }: EmbeddedApiOptions = {}): Promise<EmbeddedApi> {
    const store = typeof storage === 'string' ? await openStore(storage) : storage;
    return new EmbeddedApi(await startServer({ ...rest, storage: store }));
  }

  /** A Kubernetes client with all rights. It is closed with the server. */
  client(options: TransportOptions = {}): KubeClient {
    const access = clusterAccessOf(parseKubeconfig(this.server.kubeconfig(), '/kubeconfig'));
    const client = new KubeClient(access, options);
    this.#clients.push(client);
    return client;
  }

  override async close(): Promise<void> {
    await super.close();
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.server.close();
  }
}
