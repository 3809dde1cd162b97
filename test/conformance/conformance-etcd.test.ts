// The recordings that depend on storage, on etcd: reads, writes, watches and the lifecycle of definitions.
// All areas pass on etcd; these are run every time.
import { describeUnless } from '@instar/testing';
import { ServerProcess } from '@instar/testing/command';
import { EtcdCluster, missingEtcd } from '@instar/testing/etcd';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replayRecordings } from './replay.ts';

describeUnless(missingEtcd(), 'as kube-apiserver answers, on etcd', () => {
  let cluster: EtcdCluster;
  let server: ServerProcess;

  beforeAll(async () => {
    cluster = await EtcdCluster.start();
    server = await ServerProcess.start({
      storage: cluster.url as `etcd:${string}`,
      flags: ['--controllers=-*'],
    });
  }, 30_000);

  afterAll(async () => {
    await server.remove();
    await cluster.stop();
  }, 30_000);

  it.each(['verbs-read', 'verbs-watch', 'verbs-update', 'verbs-delete', 'conversion-storage', 'versions'])(
    'in the scenarios of %s',
    async (area) => {
      const { code, output } = await replayRecordings(server.kubeconfig, area);
      expect(code, output).toBe(0);
    },
    120_000,
  );
});
