// An API server of ours for the tests of this room, and clients for it.
import { type EmbeddedServerOptions, startServer } from 'instar';
import { KubeClient } from '../kube-client.ts';
import { clusterAccessOf } from '../kubeconfig/cluster-access.ts';
import { parseKubeconfig } from '../kubeconfig/kubeconfig.ts';
import type { TransportOptions } from '../transport/transport.ts';

type RunningServer = Awaited<ReturnType<typeof startServer>>;

export class TestServer {
  readonly server: RunningServer;
  readonly #clients: KubeClient[] = [];

  private constructor(server: RunningServer) {
    this.server = server;
  }

  static async start(options: EmbeddedServerOptions = {}): Promise<TestServer> {
    return new TestServer(await startServer({ storage: 'memory:', ...options }));
  }

  client(options: TransportOptions = {}): KubeClient {
    const client = new KubeClient(
      clusterAccessOf(parseKubeconfig(this.server.kubeconfig(), '/kubeconfig')),
      options,
    );
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.server.close();
  }
}

export const configMaps = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' } as const;

export const configMap = (name: string, data: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** Asks until it is so; for what happens in its own time. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries === 1000) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
