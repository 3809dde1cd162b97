import { describeUnless } from '@instar/testing';
import { EtcdCluster, missingEtcd } from '@instar/testing/etcd';
import { afterAll, beforeAll } from 'vitest';
import { describeStoreContract } from '../../contract/index.ts';
import { openStore } from '../../open.ts';

const missing = missingEtcd();
let cluster: EtcdCluster;
let count = 0;

describeUnless(missing, 'etcd', () => {
  beforeAll(async () => {
    cluster = await EtcdCluster.start();
  });
  afterAll(() => cluster.stop());

  describeStoreContract('etcd:', {
    open: (options) => openStore(`${cluster.url}/contract-${count++}`, options),
    noClock: 'etcd has its own clock; see etcd-expiry.test.ts',
  });
});
