// One and two servers over one etcd, each result compared with a plain client of that etcd in the same run.
// The client is our own (one connection, as many concurrent requests as the servers get): Debian ships no
// benchmark tool with etcd. Usage: node bench/etcd.mjs [--quick]
import { mkdtemp, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import https from 'node:https';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EtcdClient } from '../packages/store/dist/engines/etcd/etcd-client.js';
import { openStore } from '../packages/store/dist/index.js';
import { EtcdCluster, missingEtcd } from '../packages/testing/dist/etcd/index.js';
import { readyServer } from './support/process.mjs';

const missing = missingEtcd();
if (missing !== undefined) {
  console.log(`skipped: ${missing}`);
  process.exit(0);
}
const quick = process.argv.includes('--quick');
const root = fileURLToPath(new URL('..', import.meta.url));
const dir = await mkdtemp(path.join(tmpdir(), 'instar-bench-etcd-'));
const WRITERS = 64;
const creates = quick ? 1_500 : 6_000;
const reads = quick ? 4_000 : 20_000;
const delays = quick ? 100 : 400;
const maps = '/api/v1/namespaces/default/configmaps';

const row = (what, value, beside = '') =>
  console.log(`${what.padEnd(44)} ${String(value).padStart(24)}   ${beside}`);
const percent = (a, b) => `${Math.round((100 * a) / b)} %`;
const object = (name) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`key-${i}`, 'x'.repeat(100)])),
  });

/** Calls per second, with that many concurrently. */
async function rate(count, atOnce, call) {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await call(next++);
    }),
  );
  return Math.round((count * 1000) / (performance.now() - began));
}

/** Requests over one HTTP/2 connection per server, to each server in turn. */
function clientOf(servers) {
  const sessions = servers.map(({ url, token }) => ({
    session: http2.connect(url, { rejectUnauthorized: false, settings: { enablePush: false } }),
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  }));
  const send = (at, given, body) =>
    new Promise((resolve, reject) => {
      const { session, headers } = sessions[at % sessions.length];
      const stream = session.request({ ...headers, ...given }, { endStream: body === undefined });
      let status = 0;
      stream.on('response', (answer) => (status = answer[':status']));
      stream.on('data', () => {});
      stream.on('end', () =>
        status < 300 ? resolve() : reject(new Error(`${given[':method']} ${given[':path']}: ${status}`)),
      );
      stream.on('error', reject);
      if (body !== undefined) stream.end(body);
    });
  const json = { 'content-type': 'application/json' };
  return {
    create: (at, name) => send(at, { ':method': 'POST', ':path': maps, ...json }, object(name)),
    read: (at, name, query = '') => send(at, { ':method': 'GET', ':path': `${maps}/${name}${query}` }),
    close: () => {
      for (const { session } of sessions) session.close();
    },
  };
}

/**
 * Milliseconds from the beginning of a create to its event: the median and the 99th percentile.
 */
async function watchDelays(write, subscribe) {
  const waiting = new Map();
  const stop = await subscribe((name) => waiting.get(name)?.());
  const taken = [];
  for (let at = 0; at < delays; at++) {
    const name = `delay-${Math.random().toString(36).slice(2)}-${at}`;
    const began = performance.now();
    const received = new Promise((resolve) => waiting.set(name, resolve));
    await Promise.all([write(name), received]);
    taken.push(performance.now() - began);
    waiting.delete(name);
  }
  stop();
  taken.sort((a, b) => a - b);
  const at = (share) => taken[Math.floor(taken.length * share)].toFixed(1);
  return { middle: Number(at(0.5)), text: `${at(0.5)} / ${at(0.99)} ms` };
}

function watchOf({ url, token }) {
  return (onName) =>
    new Promise((resolve, reject) => {
      const options = {
        rejectUnauthorized: false,
        agent: false,
        headers: { authorization: `Bearer ${token}` },
      };
      const asked = https.get(
        `${url}${maps}?watch=1&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
        options,
      );
      asked.once('error', reject);
      asked.once('response', (response) => {
        let rest = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop();
          for (const line of lines) onName(JSON.parse(line).object.metadata.name);
        });
        response.on('error', () => {});
        resolve(() => asked.destroy());
      });
    });
}

async function measureEtcd(cluster) {
  const client = new EtcdClient(
    { endpoints: cluster.members.map(({ endpoint }) => endpoint), namespace: '' },
    {},
  );
  const value = Buffer.from(object('raw'));
  const keyOf = (name) => Buffer.from(`/raw/${name}`);
  const put = (name) =>
    client.txn({
      compare: [{ key: keyOf(name), target: 'mod', equals: 0 }],
      success: [{ type: 'put', key: keyOf(name), value }],
      failure: [{ type: 'range', range: { key: keyOf(name) } }],
    });
  await rate(500, WRITERS, (i) => put(`warm-${i}`));
  const puts = await rate(creates, WRITERS, (i) => put(`m-${i}`));
  const gets = await rate(reads, WRITERS, (i) => client.range({ key: keyOf(`m-${i % creates}`) }));
  await client.close();
  const store = await openStore(`${cluster.url}/raw`);
  const delay = await watchDelays(
    (name) => store.commit({ conditions: [], operations: [{ type: 'put', key: `/${name}`, value }] }),
    async (onName) => {
      const onBatch = ({ events }) => {
        for (const { key } of events) onName(key.slice(1));
      };
      const watch = store.watch({
        prefix: '/',
        fromRevision: (await store.currentRevision()) + 1,
        onBatch,
        onEnd: () => {},
      });
      return () => watch.stop();
    },
  );
  await store.close();
  row('etcd alone: conditional puts, 64 concurrently', `${puts}/s`);
  row('etcd alone: linearizable reads, 64 concurrently', `${gets}/s`);
  row('etcd alone: put to event (middle / 99 %)', delay.text);
  return { puts, gets, delay };
}

async function measureServers(servers, etcd) {
  const many = servers.length === 1 ? '1 server' : `${servers.length} servers`;
  const client = clientOf(servers);
  const prefix = `s${servers.length}`;
  await rate(500, WRITERS, (i) => client.create(i, `${prefix}-warm-${i}`));
  const created = await rate(creates, WRITERS, (i) => client.create(i, `${prefix}-${i}`));
  row(`${many}: creates, 64 concurrently`, `${created}/s`, `${percent(created, etcd.puts)} of etcd alone`);
  await rate(1000, WRITERS, (i) => client.read(i, `${prefix}-${i % 100}`));
  const read = await rate(reads, WRITERS, (i) => client.read(i, `${prefix}-${i % creates}`));
  row(
    `${many}: consistent GETs, 64 concurrently`,
    `${read}/s`,
    `${percent(read, etcd.gets)} of etcd alone: reads that wait together ask etcd once`,
  );
  const stale = await rate(reads, WRITERS, (i) =>
    client.read(i, `${prefix}-${i % creates}`, '?resourceVersion=0'),
  );
  row(`${many}: GETs of resourceVersion=0, 64 concurrently`, `${stale}/s`, 'from memory');
  // With two servers: written through one, watched through the other.
  const delay = await watchDelays((name) => client.create(0, name), watchOf(servers.at(-1)));
  row(
    `${many}: create to event (middle / 99 %)`,
    delay.text,
    `${(delay.middle / etcd.delay.middle).toFixed(1)} × etcd alone`,
  );
  client.close();
}

const cluster = await EtcdCluster.start();
const open = [];
try {
  const { version } = await new EtcdClient(
    { endpoints: [cluster.members[0].endpoint], namespace: '' },
    {},
  ).status();
  console.log(
    `etcd ${version}, one member; objects of ${object('x').length} bytes; everything on ${cpus().length} cores`,
  );
  const etcd = await measureEtcd(cluster);
  for (let count = 1; count <= 2; count++) {
    open.push(await readyServer(root, path.join(dir, `server-${count}`), ['--storage', cluster.url]));
    await measureServers(open, etcd);
  }
} finally {
  for (const server of open) await server.stop();
  await cluster.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit(0);
