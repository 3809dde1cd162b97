// What clients see of etcd's limits: compacted history, members that do not respond, a full store, an
// incomplete restore.
import { openStore, type Store } from '@instar/store';
import { describeUnless, eventually } from '@instar/testing';
import { ApiClient, type WatchEvent } from '@instar/testing/api';
import { printLogsOnFailure, Run, ServerProcess } from '@instar/testing/command';
import { EtcdCluster, missingEtcd } from '@instar/testing/etcd';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FaultProxy } from './etcd/fault-proxy.ts';

const missing = missingEtcd();
const MAPS = '/api/v1/namespaces/default/configmaps';

async function firstEvent(client: ApiClient, revision: string): Promise<WatchEvent | undefined> {
  for await (const event of client.watch(`${MAPS}?watch=1&resourceVersion=${revision}&timeoutSeconds=5`))
    return event;
  return undefined;
}

describeUnless(missing, 'a server on etcd', () => {
  let cluster: EtcdCluster;
  let server: ServerProcess;
  let client: ApiClient;
  let store: Store;
  printLogsOnFailure(() => [server]);

  beforeAll(async () => {
    cluster = await EtcdCluster.start({ flags: ['--quota-backend-bytes', String(12 * 1024 * 1024)] });
    server = await ServerProcess.start({ storage: cluster.url as `etcd:${string}` });
    store = await openStore(cluster.url);
  }, 30_000);
  beforeEach(async () => {
    client = new ApiClient(await server.access());
  });
  afterEach(() => client.close());
  afterAll(async () => {
    await store.close();
    await server.remove();
    await cluster.stop();
  }, 30_000);

  const create = (name: string, value = '') =>
    client.send('POST', MAPS, { metadata: { name }, data: { value } });

  it('serves the history from before it was started until that is compacted', async () => {
    const { body } = await create('first');
    const { resourceVersion } = body.metadata;
    await create('second');
    await server.kill();
    await server.startAgain();
    expect(await firstEvent(client, resourceVersion)).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'second' } },
    });
    await store.compact(await store.currentRevision());
    await server.kill();
    await server.startAgain();
    expect(await firstEvent(client, resourceVersion)).toMatchObject({
      type: 'ERROR',
      object: { code: 410, reason: 'Expired' },
    });
    const list = await client.send(
      'GET',
      `${MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`,
    );
    expect([list.status, list.body.reason]).toEqual([410, 'Expired']);
  }, 30_000);

  it('refuses only creations when etcd is full', async () => {
    const fill = async () => {
      for (let at = 0; at < 100; at++) {
        const { status, body } = await create(`large-${at}`, 'x'.repeat(900_000));
        if (status !== 201) return { status, body };
      }
      return undefined;
    };
    expect(await fill()).toMatchObject({
      status: 500,
      body: { reason: 'InternalError', message: expect.stringContaining('no space is left') },
    });
    expect((await client.send('GET', `${MAPS}/large-0`)).status).toBe(200);
    expect((await client.send('DELETE', `${MAPS}/large-0`)).status).toBe(200);
    expect((await client.send('GET', `${MAPS}/large-0`)).status).toBe(404);
  }, 60_000);

  it('does not start on storage with an incomplete restore', async () => {
    const key = '/registry/instar/unfinished-restore';
    const other = await EtcdCluster.start();
    try {
      const half = await openStore(other.url);
      await half.commit({ conditions: [], operations: [{ type: 'put', key, value: Buffer.from('id') }] });
      await half.close();
      const run = new Run(
        'serve',
        '--data-dir',
        `${server.dataDir}/other`,
        '--storage',
        other.url,
        '--port',
        '0',
      );
      expect(await run.ended).toBe(1);
      expect(run.stderr).toContain('a restore into this storage was aborted: run it again');
    } finally {
      await other.stop();
    }
  }, 30_000);
});

describeUnless(missing, 'a member that falls silent', () => {
  it('is replaced by another one, for reads and watches', async () => {
    const cluster = await EtcdCluster.start({ members: 3 });
    const proxies = await Promise.all(cluster.members.map((member) => FaultProxy.open(member.clientPort)));
    const direct = await openStore(cluster.url);
    const store = await openStore(`etcd://${proxies.map(({ endpoint }) => endpoint).join(',')}`, {
      etcd: { requestTimeoutMs: 2_000 },
    });
    try {
      const received: string[] = [];
      const fromRevision = (await store.currentRevision()) + 1;
      store.watch({
        prefix: '/',
        fromRevision,
        onBatch: ({ events }) => received.push(...events.map(({ key }) => key)),
        onEnd: (error) => received.push(error.code),
      });
      for (const proxy of proxies.slice(0, 2)) proxy.mode = 'hold';
      const { revision } = await direct.commit({
        conditions: [],
        operations: [{ type: 'put', key: '/a', value: Buffer.from('') }],
      });
      await eventually('the revision to be read from another member', () => store.currentRevision(), {
        holds: (current) => current >= revision,
        timeoutMs: 30_000,
      });
      expect(received).toEqual(['/a']);
      expect(
        (
          await store.commit({
            conditions: [],
            operations: [{ type: 'put', key: '/b', value: Buffer.from('') }],
          })
        ).committed,
      ).toBe(true);
      expect(received).toEqual(['/a', '/b']);
    } finally {
      for (const proxy of proxies) proxy.close();
      await Promise.all([store.close(), direct.close()]);
      await cluster.stop();
    }
  }, 60_000);
});

describeUnless(missing, 'a network that was cut for longer than history is kept', () => {
  it('ends watches with "compacted" so that a client can list and watch again', async () => {
    const cluster = await EtcdCluster.start();
    const proxy = await FaultProxy.open(cluster.members[0]!.clientPort);
    const direct = await openStore(cluster.url);
    const store = await openStore(`etcd://${proxy.endpoint}`, { etcd: { requestTimeoutMs: 2_000 } });
    const put = (to: Store, key: string) =>
      to.commit({ conditions: [], operations: [{ type: 'put', key, value: Buffer.from('') }] });
    try {
      let ended: unknown;
      const fromRevision = (await store.currentRevision()) + 1;
      store.watch({ prefix: '/', fromRevision, onBatch: () => {}, onEnd: (error) => (ended = error) });
      proxy.mode = 'refuse';
      await expect(store.currentRevision()).rejects.toMatchObject({ code: 'unavailable' });
      await put(direct, '/missed');
      const { revision } = await put(direct, '/compacted');
      await direct.compact(revision);
      proxy.mode = 'pass';
      await eventually('the watch to end', () => ended, { timeoutMs: 30_000 });
      expect(ended).toMatchObject({ code: 'compacted', compactedRevision: revision });
      expect((await store.list({ prefix: '/' })).entries.map(({ key }) => key)).toEqual([
        '/compacted',
        '/missed',
      ]);
      const received: string[] = [];
      const next = (await store.currentRevision()) + 1;
      store.watch({
        prefix: '/',
        fromRevision: next,
        onBatch: ({ events }) => received.push(...events.map(({ key }) => key)),
        onEnd: () => {},
      });
      await put(store, '/after');
      expect(received).toEqual(['/after']);
    } finally {
      proxy.close();
      await Promise.all([store.close(), direct.close()]);
      await cluster.stop();
    }
  }, 60_000);
});
