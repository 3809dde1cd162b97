import { afterAll, beforeAll, describe } from 'vitest';
import { describeStoreContract } from '../../contract/index.ts';
import { openStore } from '../../open.ts';
import { EtcdCluster, whyNoEtcd } from '../../testing/index.ts';

const reason = whyNoEtcd();
let cluster: EtcdCluster;
let count = 0;

describe.skipIf(reason !== undefined)(`etcd${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  beforeAll(async () => {
    cluster = await EtcdCluster.start();
  });
  afterAll(() => cluster.stop());

  describeStoreContract('etcd:', {
    open: (options) => openStore(`${cluster.url}/contract-${count++}`, options),
    noClock: 'etcd has its own clock; see etcd-expiry.test.ts',
  });
});
