// What only an engine for several servers can get wrong: each other's writes, other users of the same etcd,
// broken connections, leases.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCa, createLeaf } from '@instar/serving';
import { describeUnless, eventually, temporaryFolder } from '@instar/testing';
import { EtcdCluster, missingEtcd } from '@instar/testing/etcd';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { bytes, put, textOf, write } from '../../contract/engine.ts';
import { Recorder } from '../../contract/recorder.ts';
import { openStore } from '../../open.ts';
import type { StoreOptions } from '../../options.ts';
import type { Store } from '../../store.ts';
import { EtcdClient } from './etcd-client.ts';
import { SharedLeases } from './shared-leases.ts';

const missing = missingEtcd();
const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(url: string, options: StoreOptions = {}): Promise<Store> {
  const store = await openStore(url, options);
  opened.push(store);
  return store;
}

describeUnless(missing, 'several stores over one etcd', () => {
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await EtcdCluster.start();
  });
  afterAll(() => cluster.stop());

  it('see the writes of the others, at the latest when they ask for the current revision', async () => {
    const [a, b] = [await open(`${cluster.url}/see`), await open(`${cluster.url}/see`)];
    const watch = new Recorder(b, '/', (await b.currentRevision()) + 1);
    for (let round = 0; round < 50; round++) {
      const revision = await write(a, put('/k', `${round}`));
      expect(await b.currentRevision()).toBeGreaterThanOrEqual(revision);
      expect(textOf(watch.events.at(-1)?.entry)).toBe(`${round}`);
    }
    expect(watch.faults).toEqual([]);
  });

  it('let only one of them change what both have seen', async () => {
    const stores = [await open(`${cluster.url}/race`), await open(`${cluster.url}/race`)];
    let modRevision = 0;
    for (let round = 0; round < 20; round++) {
      const commit = { conditions: [{ key: '/k', modRevision }], operations: [put('/k', `${round}`)] };
      const results = await Promise.all(stores.map((store) => store.commit(commit)));
      expect(results.filter(({ committed }) => committed)).toHaveLength(1);
      modRevision = results.find(({ committed }) => committed)!.revision;
    }
  });

  it('are not blocked by what others do elsewhere in the same etcd', async () => {
    const scoped = await open(cluster.url, { etcd: { scope: '/registry/' } });
    const other = await open(cluster.url);
    const watch = new Recorder(scoped, '/registry/', (await scoped.currentRevision()) + 1);
    for (let round = 0; round < 3; round++) {
      const foreign = await write(other, put('/elsewhere', `${round}`));
      expect(await scoped.currentRevision()).toBeGreaterThanOrEqual(foreign);
      expect(watch.revision).toBeGreaterThanOrEqual(foreign);
    }
    expect([watch.events, watch.faults]).toEqual([[], []]);
    expect((await scoped.list({ prefix: '/registry/' })).entries).toEqual([]);
  });

  it('report history from before they were opened', async () => {
    const first = await open(`${cluster.url}/late`);
    const start = await first.currentRevision();
    for (let at = 0; at < 2_500; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, more) => write(first, put(`/k${at + more}`))));
    const late = await open(`${cluster.url}/late`);
    const watch = new Recorder(late, '/', start + 1);
    const last = await write(first, put('/last'));
    await watch.reaches(last);
    expect([watch.events.length, watch.faults]).toEqual([2_501, []]);
    const elsewhere = new Recorder(late, '/none', start + 1);
    await elsewhere.reaches(last);
    expect(elsewhere.events).toEqual([]);
  });

  it('compact history together, once, by the key that kube-apiserver uses', async () => {
    const options = { historySeconds: 0.3 };
    const stores = [await open(`${cluster.url}/old`, options), await open(`${cluster.url}/old`, options)];
    const old = await write(stores[0]!, put('/k'));
    const raw = await open(cluster.url);
    await eventually('the history to be compacted', async () => (await raw.compactedRevision()) >= old);
    const key = await raw.get('compact_rev_key');
    expect(Number(textOf(key))).toBeGreaterThanOrEqual(old);
    await expect(stores[1]!.list({ prefix: '/', revision: old - 1 })).rejects.toMatchObject({
      code: 'compacted',
    });
  });

  it('let entries expire by leases that entries share', async () => {
    const store = await open(`${cluster.url}/ttl`);
    const watch = new Recorder(store, '/', (await store.currentRevision()) + 1);
    const short = (key: string) => ({ type: 'put', key, value: bytes(key), ttlSeconds: 1 }) as const;
    await write(store, short('/a'), put('/stays'));
    await write(store, short('/b'), short('/renewed'));
    await write(store, put('/renewed'));
    await eventually(
      'two entries to expire',
      async () => (await store.list({ prefix: '/' })).entries.length === 2,
    );
    await store.currentRevision();
    expect(watch.lines.filter((line) => line.startsWith('delete')).map((line) => line.split(' ')[1])).toEqual(
      ['/a', '/b'],
    );
    const client = new EtcdClient(
      { endpoints: cluster.members.map(({ endpoint }) => endpoint), namespace: '' },
      {},
    );
    const leases = new SharedLeases(client);
    const ids = [await leases.leaseFor(3600), await leases.leaseFor(3600), await leases.leaseFor(60)];
    expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
    await client.close();
  }, 30_000);

  it('say what is wrong when no member answers', async () => {
    const nobody = openStore('etcd://127.0.0.1:1', { etcd: { requestTimeoutMs: 200 } });
    await expect(nobody).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    const web = openStore(cluster.url, { etcd: { requestTimeoutMs: 500, tls: true } });
    await expect(web).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('refuse requests that etcd would refuse', async () => {
    const store = await open(`${cluster.url}/large`);
    const value = new Uint8Array(2 * 1024 * 1024);
    await expect(write(store, { type: 'put', key: '/large', value })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(await store.get('/large')).toBeUndefined();
  });
});

describeUnless(missing, 'etcd with little room', () => {
  it('refuses only writes that need space when it is full', async () => {
    const cluster = await EtcdCluster.start({ flags: ['--quota-backend-bytes', '2097152'] });
    try {
      const store = await open(cluster.url);
      const fill = async () => {
        for (let at = 0; ; at++) await write(store, put(`/k${at}`, 'x'.repeat(200_000)));
      };
      await expect(fill()).rejects.toMatchObject({ code: 'full' });
      expect(textOf(await store.get('/k0'))).toHaveLength(200_000);
      expect((await store.list({ prefix: '/' })).entries.length).toBeGreaterThan(3);
      await expect(write(store, put('/small'))).rejects.toMatchObject({ code: 'full' });
      const late = await open(cluster.url);
      expect(textOf(await late.get('/k0'))).toHaveLength(200_000);
      const watch = new Recorder(late, '/', (await late.currentRevision()) + 1);
      const deleted = await write(store, { type: 'delete', key: '/k0' });
      await watch.reaches(deleted);
      expect(watch.lines).toEqual([`delete /k0 ${deleted}`]);
    } finally {
      for (const store of opened.splice(0)) await store.close();
      await cluster.stop();
    }
  }, 60_000);
});

describeUnless(missing, 'etcd behind TLS', () => {
  it('accepts clients with a certificate of its CA', async () => {
    const directory = temporaryFolder(onTestFinished);
    const file = (name: string, text: string): string => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    const ca = { ...createCa('etcd-ca', 1), commonName: 'etcd-ca' };
    const caFile = file('ca.crt', ca.certificate);
    const pairOf = (name: string, usage: 'server' | 'client') => {
      const pair = createLeaf(ca, {
        subject: { commonName: name },
        usage,
        days: 1,
        ...(usage === 'server' && { hosts: ['127.0.0.1'] }),
      });
      return { certFile: file(`${name}.crt`, pair.certificate), keyFile: file(`${name}.key`, pair.key) };
    };
    const cluster = await EtcdCluster.start({ tls: { caFile, ...pairOf('etcd', 'server') } });
    try {
      const store = await open(cluster.url, { etcd: { caFile, ...pairOf('instar', 'client') } });
      const revision = await write(store, put('/a', 'secret'));
      expect(await store.get('/a')).toMatchObject({ modRevision: revision });
      await expect(openStore(cluster.url, { etcd: { caFile, requestTimeoutMs: 400 } })).rejects.toMatchObject(
        { code: 'unavailable' },
      );
      await expect(
        openStore(cluster.url, { etcd: { ...pairOf('other', 'client'), requestTimeoutMs: 400 } }),
      ).rejects.toThrow(/self-signed|unable/);
      await expect(openStore(cluster.url, { etcd: { caFile, certFile: caFile } })).rejects.toThrow(
        /given together/,
      );
    } finally {
      for (const store of opened.splice(0)) await store.close();
      await cluster.stop();
    }
  }, 30_000);
});

describeUnless(missing, 'etcd with users', () => {
  it('accepts clients with the password, also after the token has expired', async () => {
    const cluster = await EtcdCluster.start({ flags: ['--auth-token', 'simple', '--auth-token-ttl', '1'] });
    const ask = async (path: string, body: object) => {
      const answer = await fetch(`http://${cluster.endpoints}/v3/auth/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      expect(answer.status, path).toBe(200);
    };
    try {
      await ask('user/add', { name: 'root', password: 'secret' });
      await ask('role/add', { name: 'root' });
      await ask('user/grant', { user: 'root', role: 'root' });
      await ask('enable', {});
      await expect(openStore(cluster.url, { etcd: { requestTimeoutMs: 500 } })).rejects.toMatchObject({
        code: 'unavailable',
      });
      const wrong = { username: 'root', password: 'guess', requestTimeoutMs: 5_000 };
      await expect(openStore(cluster.url, { etcd: wrong })).rejects.toThrow(
        /authentication failed, invalid user ID or password/,
      );
      const store = await open(cluster.url, { etcd: { username: 'root', password: 'secret' } });
      const watch = new Recorder(store, '/', (await store.currentRevision()) + 1);
      await write(store, put('/a'));
      // Simple tokens live for a second here; the next request must fetch another.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      const revision = await write(store, put('/b'));
      expect(watch.lines).toEqual([expect.stringContaining('put /a'), `put /b ${revision}`]);
    } finally {
      for (const store of opened.splice(0)) await store.close();
      await cluster.stop();
    }
  }, 30_000);
});
