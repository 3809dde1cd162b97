// Storage migration of objects of 2 KB on embedded storage: serial patches as the in-tree migrator sends
// them, `instar migrate` through the API, and the fast path of the server (StorageVersionMigration). The
// latency of other requests meanwhile, and memory at two sizes. Usage: node bench/migrate.mjs [--quick]
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, readyServer, residentMegabytes } from './support/process.mjs';

const quick = process.argv.includes('--quick');
const SMALL = quick ? 500 : 5_000;
const COUNT = quick ? 2_000 : 20_000;
const ONE_BY_ONE = quick ? 300 : 3_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const dir = await mkdtemp(path.join(tmpdir(), 'instar-bench-'));
const group = 'bench.example.com';
const crdName = `crontabs.${group}`;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const row = (what, value, beside = '') =>
  console.log(`${what.padEnd(46)} ${String(value).padStart(16)}   ${beside}`);
const perSecond = (count, ms) => `${Math.round((count * 1000) / ms).toLocaleString('en')} objects/s`;
const sleep = (ms) => new Promise((resume) => setTimeout(resume, ms));

const server = await readyServer(root, dir);
const session = http2.connect(server.url, { rejectUnauthorized: false });

function request(method, target, body, type = 'application/merge-patch+json') {
  return new Promise((resolve, reject) => {
    const headers = { ':method': method, ':path': target, authorization: `Bearer ${server.token}` };
    const stream = session.request(body === undefined ? headers : { ...headers, 'content-type': type }, {
      endStream: body === undefined,
    });
    let [status, text] = [0, ''];
    stream.on('response', (answer) => {
      status = answer[':status'];
    });
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    stream.on('end', () =>
      status < 300 ? resolve(text) : reject(new Error(`${method} ${target}: ${status} ${text}`)),
    );
    stream.on('error', reject);
    if (body !== undefined) stream.end(JSON.stringify(body));
  });
}

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const versions = (stored) =>
  ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === stored, schema }));
const url = (version, name = '') => `/apis/${group}/${version}/namespaces/default/crontabs${name}`;
const object = (i) => ({
  apiVersion: `${group}/v1`,
  kind: 'CronTab',
  metadata: { name: `c-${String(i).padStart(6, '0')}` },
  spec: {
    cronSpec: '* * * * *',
    data: Object.fromEntries(Array.from({ length: 16 }, (_, k) => [`key-${k}`, 'x'.repeat(90)])),
  },
});

async function inParallel(from, to, width, work) {
  let next = from;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < to) await work(next++);
    }),
  );
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const storedIn = async (version) => {
  const { status } = JSON.parse(await request('GET', `/apis/instar.dev/v1alpha1/storedversions/${crdName}`));
  return status.versions.find((known) => known.version === version).objects;
};

/** Makes the other version the storage version. */
async function store(version) {
  await request('PATCH', `${CRDS}/${crdName}`, { spec: { versions: versions(version) } });
  await sleep(300);
}

/** The longest latency of a small read during `work`. */
async function felt(work) {
  let [isOver, longest] = [false, 0];
  const before = cpuSeconds(server.pid);
  const asking = (async () => {
    while (!isOver) {
      longest = Math.max(longest, await timed(() => request('GET', '/api/v1/namespaces/default')));
      await sleep(5);
    }
  })();
  const took = await timed(work);
  isOver = true;
  await asking;
  return { took, longest, cpu: cpuSeconds(server.pid) - before };
}

/**
 * A migration of everything, compared with serial patches: CPU time of the server, and other requests.
 */
const worth = ({ took, longest, cpu }) =>
  `${((each * COUNT) / took).toFixed(1)} × one by one; ${((cpu * 1000) / COUNT).toFixed(2)} ms CPU of the server each; a read beside it ${Math.round(longest)} ms at most`;

/** Runs `instar migrate` as a process; returns its maximum memory. */
function command(...flags) {
  const args = [
    path.join(root, 'packages/cli/bundle/main.js'),
    'migrate',
    crdName,
    '--restart',
    '--kubeconfig',
    server.kubeconfig,
  ];
  const child = spawn(process.execPath, [...args, '--state', path.join(dir, 'state.json'), ...flags], {
    stdio: 'ignore',
  });
  let most = 0;
  const timer = setInterval(() => {
    try {
      most = Math.max(most, residentMegabytes(child.pid));
    } catch {
      // It has just ended.
    }
  }, 20);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      clearInterval(timer);
      if (code === 0) resolve(most);
      else reject(new Error(`instar migrate ended with ${code}`));
    });
  });
}

async function onServer() {
  const resource = { group, resource: 'crontabs' };
  const migration = { metadata: { generateName: 'bench-' }, spec: { resource } };
  const target = '/apis/storagemigration.k8s.io/v1/storageversionmigrations';
  const { metadata } = JSON.parse(await request('POST', target, migration, 'application/json'));
  for (;;) {
    const { status } = JSON.parse(await request('GET', `${target}/${metadata.name}`));
    const isTrue = (type) =>
      status.conditions?.some((condition) => condition.type === type && condition.status === 'True');
    if (isTrue('Failed')) throw new Error(JSON.stringify(status));
    if (isTrue('Succeeded') && !isTrue('Running')) return;
    await sleep(20);
  }
}

const names = { plural: 'crontabs', kind: 'CronTab' };
const crd = {
  metadata: { name: crdName },
  spec: { group, scope: 'Namespaced', names, versions: versions('v1') },
};
await request('POST', CRDS, crd, 'application/json');
await sleep(500);
await inParallel(0, SMALL, 64, (i) => request('POST', url('v1'), object(i), 'application/json'));

await store('v2');
let small = 0;
await timed(async () => {
  small = await command();
});
await inParallel(SMALL, COUNT, 64, (i) => request('POST', url('v1'), object(i), 'application/json'));

await store('v1');
const items = JSON.parse(await request('GET', `${url('v1')}?limit=${ONE_BY_ONE}`)).items.map(
  ({ metadata }) => metadata,
);
const cpuBefore = cpuSeconds(server.pid);
const sequential = await timed(async () => {
  for (const { name, resourceVersion } of items)
    await request('PATCH', url('v1', `/${name}`), { metadata: { resourceVersion } });
});
const cpuEach = ((cpuSeconds(server.pid) - cpuBefore) * 1000) / items.length;
row(
  'one patch after the other',
  perSecond(items.length, sequential),
  `${cpuEach.toFixed(2)} ms CPU of the server each`,
);
const each = sequential / items.length;
// The others too, so that all must be migrated.
await onServer();

async function apiPath(to, flags, what) {
  await store(to);
  let memory = 0;
  const measured = await felt(async () => {
    memory = await command(...flags);
  });
  if ((await storedIn(to)) !== COUNT) throw new Error('not everything was migrated');
  row(what, perSecond(COUNT, measured.took), worth(measured));
  return memory;
}
const large = await apiPath('v2', [], 'instar migrate');
await apiPath('v1', ['--concurrency', '64'], 'instar migrate --concurrency 64');

await store('v2');
const before = residentMegabytes(server.pid);
const measured = await felt(onServer);
if ((await storedIn('v2')) !== COUNT) throw new Error('not everything was migrated');
row('in the server', perSecond(COUNT, measured.took), worth(measured));
row('memory of the server, before and after', `${before} MB, ${residentMegabytes(server.pid)} MB`);
row(`memory of instar migrate at ${SMALL.toLocaleString('en')} objects`, `${small} MB`);
row(`memory of instar migrate at ${COUNT.toLocaleString('en')} objects`, `${large} MB`);

session.close();
await server.stop();
await rm(dir, { recursive: true, force: true });
