// The whole server under load, each result compared with what the machine can do, measured in the same run:
// an empty HTTPS server of Node, the engine's own commit rate alone and behind such a server, the bytes of a
// list written from memory. Usage: node bench/server.mjs [--quick]
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../packages/store/dist/index.js';
import { cpuSeconds, mappedMegabytes, readyServer, residentMegabytes } from './support/process.mjs';

const quick = process.argv.includes('--quick');
const root = fileURLToPath(new URL('..', import.meta.url));
const dir = await mkdtemp(path.join(tmpdir(), 'instar-bench-'));
const rows = [];
const row = (what, value, beside = '') => {
  rows.push([what, value, beside]);
  console.log(`${what.padEnd(46)} ${String(value).padStart(22)}   ${beside}`);
};
const perSecond = (n, seconds) => Math.round(n / seconds);
const percent = (a, b) => `${Math.round((100 * a) / b)} %`;

/** Requests over one HTTP/2 connection, `concurrency` of them in flight. */
async function load(url, token, requests, concurrency, make) {
  const session = http2.connect(url, { rejectUnauthorized: false, settings: { enablePush: false } });
  let next = 0;
  const one = (i) =>
    new Promise((resolve, reject) => {
      const { body, ...headers } = make(i);
      const stream = session.request(
        { authorization: `Bearer ${token}`, accept: 'application/json', ...headers },
        { endStream: body === undefined },
      );
      let status = 0;
      stream.on('response', (h) => {
        status = h[':status'];
      });
      stream.on('data', () => {});
      stream.on('end', () =>
        status < 300 ? resolve() : reject(new Error(`${headers[':method']} ${headers[':path']}: ${status}`)),
      );
      stream.on('error', reject);
      if (body !== undefined) stream.end(body);
    });
  const began = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < requests) await one(next++);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  session.close();
  return seconds;
}

const object = (name, kind = 'ConfigMap') =>
  JSON.stringify({
    apiVersion: 'v1',
    kind,
    metadata: { name, labels: { app: 'bench' } },
    data: Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`key-${i}`, 'x'.repeat(100)])),
  });
const maps = '/api/v1/namespaces/default/configmaps';
const post = (name) => ({
  ':method': 'POST',
  ':path': maps,
  'content-type': 'application/json',
  body: object(name),
});

/** In its own process, so that its CPU time is measured separately. */
async function emptyServer() {
  const child = spawn(
    process.execPath,
    [path.join(root, 'bench/support/empty-server.mjs'), path.join(dir, 'bare')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const port = await new Promise((resolve) =>
    child.stdout.once('data', (text) => resolve(Number(String(text)))),
  );
  return { url: `https://127.0.0.1:${port}`, pid: child.pid, stop: () => child.kill() };
}

try {
  // Start to ready, three times on an existing data directory (the first start makes certificates).
  const times = [];
  for (let i = 0; i < 4; i++) {
    const server = await readyServer(root, path.join(dir, 'start'));
    times.push(server.readyMs);
    if (i === 3)
      row('memory at ready', `${residentMegabytes(server.pid)} MB`, 'kube-apiserver 1.36 with etcd: 310 MB');
    await server.stop();
  }
  row(
    'start to ready (first / later)',
    `${times[0]} / ${Math.min(...times.slice(1))} ms`,
    'kube-apiserver 1.36 with etcd: 3,500 ms',
  );

  const server = await readyServer(root, path.join(dir, 'data'));
  const empty = await emptyServer();
  const gets = quick ? 5_000 : 30_000;
  await load(server.url, server.token, 1, 1, () => post('one'));
  const read = { ':method': 'GET', ':path': `${maps}/one` };
  const measure = async (target, token, make, n, c) => {
    await load(target.url, token, Math.min(2000, n), c, make); // warm up
    const before = cpuSeconds(target.pid);
    const seconds = await load(target.url, token, n, c, make);
    return { rate: perSecond(n, seconds), cpuMs: ((cpuSeconds(target.pid) - before) * 1000) / n };
  };
  const bare = await measure(empty, '', () => read, gets, 32);
  const got = await measure(server, server.token, () => read, gets, 32);
  row(
    'GET of 2 KB',
    `${got.rate}/s, ${got.cpuMs.toFixed(3)} ms CPU`,
    `${percent(got.rate, bare.rate)} of an empty HTTPS server (${bare.rate}/s, ${bare.cpuMs.toFixed(3)} ms); kube-apiserver: 1.0 ms`,
  );

  // Durable creates: 64 writers, compared with the engine alone with values of the same size, and behind a
  // server that does nothing else. Both servers have done some before, so that their code is compiled.
  const creates = quick ? 2_000 : 10_000;
  const store = await openStore(`lmdb:${path.join(dir, 'raw')}`, {});
  const value = Buffer.from(object('engine'));
  let n = 0;
  const engineBegan = performance.now();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (n < creates) {
        const key = `/registry/raw/${n++}`;
        await store.commit({
          conditions: [{ key, modRevision: 0 }],
          operations: [{ type: 'put', key, value }],
        });
      }
    }),
  );
  const engineRate = perSecond(creates, (performance.now() - engineBegan) / 1000);
  await store.close();
  const behind = await measure(empty, '', (i) => post(`b-${i}`), creates, 64);
  const early = creates / 5;
  await load(server.url, server.token, early, 64, (i) => post(`m-${i}`));
  const cpuBefore = cpuSeconds(server.pid);
  const createRate = perSecond(
    creates - early,
    await load(server.url, server.token, creates - early, 64, (i) => post(`m-${early + i}`)),
  );
  const createCpu = ((cpuSeconds(server.pid) - cpuBefore) * 1000) / (creates - early);
  row(
    'durable creates, 64 writers',
    `${createRate}/s, ${createCpu.toFixed(2)} ms CPU`,
    `${percent(createRate, engineRate)} of the engine's own ${engineRate}/s; kube-apiserver: 200-550/s, 2.2 ms`,
  );
  row(
    '  the same engine behind an empty HTTPS server',
    `${behind.rate}/s, ${behind.cpuMs.toFixed(2)} ms CPU`,
    `${percent(behind.rate, engineRate)} of the engine's own; the creates above are ${percent(createRate, behind.rate)} of it`,
  );

  row(
    `memory with ${creates} objects`,
    `${residentMegabytes(server.pid)} MB`,
    `of which ${mappedMegabytes(server.pid)} MB are mapped files; kube-apiserver 1.36 with etcd: 800 MB`,
  );

  const updates = quick ? 1_000 : 5_000;
  const patched = await measure(
    server,
    server.token,
    (i) => ({
      ':method': 'PATCH',
      ':path': `${maps}/m-${i % creates}`,
      'content-type': 'application/merge-patch+json',
      body: `{"data":{"p":"${i}-${performance.now()}"}}`,
    }),
    updates,
    64,
  );
  row(
    'merge patches, 64 writers',
    `${patched.rate}/s, ${patched.cpuMs.toFixed(2)} ms CPU`,
    `kube-apiserver: 150-190/s`,
  );
  const applied = await measure(
    server,
    server.token,
    (i) => ({
      ':method': 'PATCH',
      ':path': `${maps}/m-${i % creates}?fieldManager=bench&force=true`,
      'content-type': 'application/apply-patch+yaml',
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m-${i % creates}"},"data":{"q":"${i}-${performance.now()}"}}`,
    }),
    updates,
    64,
  );
  row('server-side applies, 64 writers', `${applied.rate}/s, ${applied.cpuMs.toFixed(2)} ms CPU`);

  // The cost of ownership for a plain update: the same updates of objects without managedFields.
  const many = 100;
  const cost = async (kind) => {
    const make = (n) => {
      const name = `${kind}-${n % many}`;
      const body = object(name).replace('x'.repeat(100), String(n).padEnd(100, 'y'));
      return { ':method': 'PUT', ':path': `${maps}/${name}`, 'content-type': 'application/json', body };
    };
    await load(server.url, server.token, 1000, 16, make);
    const before = cpuSeconds(server.pid);
    await load(server.url, server.token, updates, 16, make);
    return ((cpuSeconds(server.pid) - before) * 1000) / updates;
  };
  const clear = '{"metadata":{"managedFields":[{}]}}';
  const cleared = (i) => ({
    ':method': 'PATCH',
    ':path': `${maps}/bare-${i}`,
    'content-type': 'application/merge-patch+json',
    body: clear,
  });
  await load(server.url, server.token, many, 16, (i) => post(`owned-${i}`));
  await load(server.url, server.token, many, 16, (i) => post(`bare-${i}`));
  await load(server.url, server.token, many, 16, cleared);
  const bareCost = await cost('bare');
  const owned = await cost('owned');
  const share = percent(owned - bareCost, owned);
  row(
    'update with managedFields',
    `${owned.toFixed(3)} ms CPU`,
    `${share} of it for ownership (${bareCost.toFixed(3)} ms without)`,
  );

  // LIST of everything, compared with copying and writing the same bytes from memory.
  const all = await listBytes(server, maps);
  const times3 = [];
  for (let i = 0; i < 5; i++) times3.push((await listBytes(server, maps)).ms);
  const written = [];
  for (let i = 0; i < 6; i++)
    written.push((await listBytes({ url: empty.url, token: '' }, `/bytes/${all.bytes.length}`)).ms);
  empty.stop();
  const [list, least] = [Math.min(...times3), Math.min(...written)];
  row(
    `LIST of ${creates + 1} × 2 KB`,
    `${list.toFixed(0)} ms`,
    `${(list / least).toFixed(1)}× writing these ${(all.bytes.length / 1e6).toFixed(1)} MB from memory (${least.toFixed(0)} ms); kube-apiserver: 900 ms`,
  );
  row(
    'memory after all this',
    `${residentMegabytes(server.pid)} MB`,
    `of which ${mappedMegabytes(server.pid)} MB are mapped files`,
  );

  // 200 watchers, 300 updates: every watcher must see every update.
  await watchers(server, quick ? 50 : 200, quick ? 100 : 300);
  await server.stop();
} finally {
  await rm(dir, { recursive: true, force: true });
}

function listBytes({ url, token }, target) {
  return new Promise((resolve, reject) => {
    const session = http2.connect(url, {
      rejectUnauthorized: false,
      settings: { initialWindowSize: 64 << 20 },
    });
    session.once('connect', () => session.setLocalWindowSize(64 << 20));
    const began = performance.now();
    const stream = session.request({
      ':path': target,
      authorization: `Bearer ${token}`,
      accept: 'application/json',
    });
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => {
      const ms = performance.now() - began;
      session.close();
      resolve({ ms, bytes: Buffer.concat(chunks) });
    });
    stream.on('error', reject);
  });
}

async function watchers(server, count, updates) {
  const session = http2.connect(server.url, { rejectUnauthorized: false });
  let seen = 0;
  let done;
  const all = new Promise((resolve) => {
    done = resolve;
  });
  const { metadata } = JSON.parse((await listBytes(server, `${maps}?limit=1`)).bytes);
  const streams = Array.from({ length: count }, () => {
    const stream = session.request({
      ':path': `${maps}?watch=true&resourceVersion=${metadata.resourceVersion}`,
      authorization: `Bearer ${server.token}`,
      accept: 'application/json',
    });
    stream.on('data', (chunk) => {
      for (let i = 0; i < chunk.length; i++) if (chunk[i] === 10) seen++;
      if (seen >= count * updates) done();
    });
    return stream;
  });
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('response', resolve))));
  const cpu = cpuSeconds(server.pid);
  const began = performance.now();
  await load(server.url, server.token, updates, 8, (i) => ({
    ':method': 'PATCH',
    ':path': `${maps}/one`,
    'content-type': 'application/merge-patch+json',
    body: `{"data":{"w":"${i}"}}`,
  }));
  await all;
  const seconds = (performance.now() - began) / 1000;
  row(
    `${count} watchers × ${updates} updates`,
    `${seconds.toFixed(2)} s`,
    `${(((cpuSeconds(server.pid) - cpu) * 1e6) / (count * updates)).toFixed(1)} µs CPU an event delivered`,
  );
  session.destroy();
}
