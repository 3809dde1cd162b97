// The same recordings on etcd, as far as storage has a say: reads, writes, watches and the life of
// definitions. All areas pass on it; these few are run every time.
import { fileURLToPath } from 'node:url';
import { EtcdCluster, whyNoEtcd } from '@instar/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerProcess } from '../e2e/server-process.ts';
import { hasRecordings, replay } from './replay.ts';

const departures = fileURLToPath(new URL('departures.json', import.meta.url));
const reason = hasRecordings ? whyNoEtcd() : 'the recordings are not beside the repository';

describe.skipIf(reason !== undefined)(
  `as kube-apiserver answers, on etcd${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let cluster: EtcdCluster;
    let server: ServerProcess;

    beforeAll(async () => {
      cluster = await EtcdCluster.start();
      server = await ServerProcess.start({ storage: cluster.url as `etcd:${string}` });
    }, 30_000);

    afterAll(async () => {
      await server.remove();
      await cluster.stop();
    }, 30_000);

    it.each(['verbs-read', 'verbs-watch', 'verbs-update', 'verbs-delete', 'conversion-storage', 'versions'])(
      '%s',
      async (area) => {
        const { code, output } = await replay('conformance', server.kubeconfig, [
          '--only',
          area,
          '--departures',
          departures,
        ]);
        expect(code, output).toBe(0);
      },
      120_000,
    );
  },
);
