// Two servers over three members of etcd, with a proxy on each of the six connections between them.
import { ApiClient } from '@instar/testing/api';
import { ServerProcess } from '@instar/testing/command';
import { EtcdCluster, type EtcdMember } from '@instar/testing/etcd';
import { FaultProxy } from './fault-proxy.ts';

export interface ArenaServer {
  readonly process: ServerProcess;
  readonly proxies: readonly FaultProxy[];
  client: ApiClient;
}

export class Arena {
  readonly cluster: EtcdCluster;
  readonly servers: readonly ArenaServer[];

  private constructor(cluster: EtcdCluster, servers: readonly ArenaServer[]) {
    this.cluster = cluster;
    this.servers = servers;
  }

  static async open(): Promise<Arena> {
    const cluster = await EtcdCluster.start({ members: 3, heartbeatMs: 50 });
    const servers = await Promise.all([0, 1].map(() => openServer(cluster)));
    return new Arena(cluster, servers);
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      await server.client.close();
      await server.process.kill();
      await server.process.remove();
      for (const proxy of server.proxies) proxy.close();
    }
    await this.cluster.stop();
  }

  async leader(): Promise<EtcdMember> {
    for (const member of this.cluster.members) if (await isLeader(member)) return member;
    return this.cluster.members[0]!;
  }

  /** Everything works again. */
  async heal(): Promise<void> {
    for (const { proxies } of this.servers) for (const proxy of proxies) proxy.mode = 'pass';
    await Promise.all(this.cluster.members.map((member) => member.listening()));
  }

  async killServer(server: ArenaServer): Promise<void> {
    await server.process.kill();
    await server.process.startAgain();
    await server.client.close();
    server.client = new ApiClient(await server.process.access());
  }
}

async function openServer(cluster: EtcdCluster): Promise<ArenaServer> {
  const proxies = await Promise.all(cluster.members.map((member) => FaultProxy.open(member.clientPort)));
  const url: `etcd:${string}` = `etcd://${proxies.map((proxy) => proxy.endpoint).join(',')}`;
  const process = await ServerProcess.start({ storage: url, flags: ['--log-level', 'warn'] });
  return { process, proxies, client: new ApiClient(await process.access()) };
}

async function isLeader(member: EtcdMember): Promise<boolean> {
  try {
    const response = await fetch(`http://${member.endpoint}/v3/maintenance/status`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(500),
    });
    const status = (await response.json()) as { header?: { member_id?: string }; leader?: string };
    return status.leader !== undefined && status.leader === status.header?.member_id;
  } catch {
    return false;
  }
}
