// Two servers over one etcd: each sees the writes of the other, and only one runs what only one may run.
import { openStore } from '@instar/store';
import { describeUnless, eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { EtcdCluster, missingEtcd } from '@instar/testing/etcd';
import { afterAll, beforeAll, expect, it } from 'vitest';

const missing = missingEtcd();
const MAPS = '/api/v1/namespaces/default/configmaps';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const crd = (plural: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind: plural[0]!.toUpperCase() + plural.slice(1) },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

describeUnless(missing, 'two servers over one etcd', () => {
  let cluster: EtcdCluster;
  let servers: [EmbeddedApi, EmbeddedApi];

  const start = async () =>
    EmbeddedApi.start({ storage: await openStore(cluster.url, { etcd: { scope: '/registry/' } }) });

  beforeAll(async () => {
    cluster = await EtcdCluster.start();
    servers = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await cluster.stop();
  });

  it('read each other’s writes immediately', async () => {
    const [a, b] = servers;
    for (let round = 0; round < 20; round++) {
      const [writer, reader] = round % 2 === 0 ? [a, b] : [b, a];
      expect((await writer.send('POST', MAPS, { metadata: { name: `m${round}` } })).status).toBe(201);
      expect((await reader.send('GET', `${MAPS}/m${round}`)).status).toBe(200);
      const { items } = (await reader.send('GET', MAPS)).body;
      const written = items.filter(({ metadata }: { metadata: { name: string } }) =>
        /^m\d+$/.test(metadata.name),
      );
      expect(written).toHaveLength(round + 1);
    }
  });

  it('change and delete what the other has just written', async () => {
    const [a, b] = servers;
    for (let round = 0; round < 10; round++) {
      await a.send('POST', MAPS, { metadata: { name: 'both' }, data: { n: '0' }, immutable: true });
      // The cache of the other may have an older object of that name, or none.
      expect((await b.send('PATCH', `${MAPS}/both`, { data: { n: '1' } })).status).toBe(422);
      expect((await b.send('DELETE', `${MAPS}/both`)).status).toBe(200);
      await a.send('POST', MAPS, { metadata: { name: 'both' }, data: { n: '0' } });
      expect((await b.send('PATCH', `${MAPS}/both`, { data: { n: '1' } })).body.data).toEqual({ n: '1' });
      expect((await a.send('DELETE', `${MAPS}/both`)).status).toBe(200);
    }
  });

  it('watch each other’s writes', async () => {
    const [a, b] = servers;
    const { resourceVersion } = (await b.send('GET', MAPS)).body.metadata;
    const { events } = await b.firstEvents(`${MAPS}?watch=1&resourceVersion=${resourceVersion}`, 2);
    await a.send('POST', MAPS, { metadata: { name: 'watched' } });
    await a.send('DELETE', `${MAPS}/watched`);
    expect((await events).map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
  });

  it('both serve a definition that one of them has received', async () => {
    for (const [at, plural] of ['apples', 'pears'].entries()) {
      expect((await servers[at]!.send('POST', CRDS, crd(plural))).status).toBe(201);
      for (const server of servers)
        await eventually(
          `${plural} to be served by both`,
          async () => (await server.send('GET', `/apis/example.com/v1/${plural}`)).status === 200,
        );
    }
  });

  it('always have one working leader, even after one of them stops', async () => {
    const [a, b] = servers;
    const holder = async (server: EmbeddedApi) =>
      (
        await server.send(
          'GET',
          '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/instar-controllers',
        )
      ).body.spec.holderIdentity;
    const first = await holder(a);
    expect(await holder(b)).toBe(first);
    await a.close();
    servers[0] = b;
    await b.send('POST', '/api/v1/namespaces', { metadata: { name: 'doomed' } });
    await b.send('POST', '/api/v1/namespaces/doomed/configmaps', { metadata: { name: 'inside' } });
    await b.send('DELETE', '/api/v1/namespaces/doomed');
    await eventually(
      'the namespace to go',
      async () => (await b.send('GET', '/api/v1/namespaces/doomed')).status === 404,
    );
    servers[0] = await start();
    expect(await holder(servers[0])).toBe(await holder(b));
  }, 30_000);
});
