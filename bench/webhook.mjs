// The webhook kit over real TLS: AdmissionReviews/s and their latency, conversions in batches of 100 objects
// of 2 KB, those of a process that has just started, memory of the process. Beside each result: the same
// bytes to and from a handler that ignores them, and published results of other projects. Usage: node
// bench/webhook.mjs [--quick]
import { spawn } from 'node:child_process';
import http2 from 'node:http2';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, residentMegabytes } from './support/process.mjs';

const self = fileURLToPath(import.meta.url);
const quick = process.argv.includes('--quick');
const group = 'bench.example.com';
const row = (what, value, beside = '') =>
  console.log(`${what.padEnd(46)} ${String(value).padStart(26)}   ${beside}`);

/**
 * In place, which the kit allows and which is the fastest; copying all but one field takes several µs more.
 */
const rename = (from, to) => (object) => {
  const { spec } = object;
  spec[to] = spec[from];
  delete spec[from];
  return object;
};
const LENS = {
  apiVersion: 'instar.dev/v1alpha1',
  kind: 'Lens',
  metadata: { name: 'crontabs' },
  spec: {
    crd: `crontabs.${group}`,
    lenses: [{ from: 'v1', to: 'v2', ops: [{ rename: { from: 'spec.cronSpec', to: 'spec.schedule' } }] }],
  },
};

/** The host itself, in its own process. */
async function serve() {
  const { admission, allow, conversion, deny, ratchet, serveWebhooks } = await import(
    '../packages/webhook/dist/index.js'
  );
  const { parseLens } = await import('../packages/lens/dist/index.js');
  const required = [{ type: 'FieldValueRequired', field: 'spec.cronSpec', detail: '' }];
  const host = await serveWebhooks({
    listen: { host: '127.0.0.1', port: 0 },
    tls: { selfManaged: {} },
    webhooks: {
      '/always': admission(() => allow()),
      '/validate': admission(({ object }) =>
        object.spec.data['key-1'] === '' ? deny('empty', 400) : allow(),
      ),
      '/ratchet': admission(ratchet((object) => (object.spec.cronSpec === '' ? required : []))),
      '/convert': conversion({
        group,
        kind: 'CronTab',
        convert: { 'v1→v2': rename('cronSpec', 'schedule'), 'v2→v1': rename('schedule', 'cronSpec') },
      }),
      '/lens': conversion({ lens: parseLens(LENS).lens }),
    },
  });
  process.stdout.write(`${host.url} ${Buffer.from(host.caBundle).toString('base64')}\n`);
}

/** An API server whose writes wait only for the webhook. */
async function serveApi() {
  const { startServer } = await import('../packages/cli/dist/index.js');
  const server = await startServer({ storage: 'memory:' });
  process.stdout.write(`${server.url} ${server.adminToken}\n`);
}

/** The minimum with Node: the same bytes in and out over HTTP/2, without parsing them. */
async function serveBare() {
  const { createCa, createLeaf } = await import('../packages/serving/dist/index.js');
  const ca = { ...createCa('bench', 1), commonName: 'bench' };
  const leaf = createLeaf(ca, {
    subject: { commonName: 'localhost' },
    usage: 'server',
    hosts: ['localhost'],
    days: 1,
  });
  const settings = { initialWindowSize: 1024 * 1024 };
  const server = http2.createSecureServer({
    key: leaf.key,
    cert: leaf.certificate,
    noDelay: true,
    maxSessionMemory: 256,
    settings,
  });
  const verdict = Buffer.alloc(150, 'x');
  server.on('session', (session) => session.setLocalWindowSize(8 * 1024 * 1024));
  server.on('stream', (stream, headers) => {
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => {
      const body = headers[':path'].startsWith('/mirror') ? Buffer.concat(chunks) : verdict;
      stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': body.length });
      stream.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`https://127.0.0.1:${server.address().port}\n`));
}

const object = (i) => ({
  apiVersion: `${group}/v1`,
  kind: 'CronTab',
  metadata: {
    name: `c-${String(i).padStart(5, '0')}`,
    namespace: 'default',
    uid: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
    generation: 1,
  },
  spec: {
    cronSpec: '* * * * *',
    data: Object.fromEntries(Array.from({ length: 16 }, (_, k) => [`key-${k}`, 'x'.repeat(90)])),
  },
});

const gvk = { group, version: 'v1', kind: 'CronTab' };
const admissionReview = (operation) => ({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind: gvk,
    resource: { group, version: 'v1', resource: 'crontabs' },
    requestKind: gvk,
    requestResource: { group, version: 'v1', resource: 'crontabs' },
    name: 'c',
    namespace: 'default',
    operation,
    userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
    object: object(1),
    oldObject: operation === 'UPDATE' ? object(2) : null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  },
});
const conversionReview = (count) => ({
  kind: 'ConversionReview',
  apiVersion: 'apiextensions.k8s.io/v1',
  request: {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    desiredAPIVersion: `${group}/v2`,
    objects: Array.from({ length: count }, (_, i) => object(i)),
  },
});

function client(url, headers = {}) {
  const session = http2.connect(url, {
    rejectUnauthorized: false,
    settings: { enablePush: false, initialWindowSize: 4 * 1024 * 1024 },
  });
  session.once('connect', () => session.setLocalWindowSize(64 * 1024 * 1024));
  const post = (path, body) =>
    new Promise((resolve, reject) => {
      const stream = session.request({
        ...headers,
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/json',
        'content-length': body.length,
      });
      let status = 0;
      stream.on('response', (head) => {
        status = head[':status'];
      });
      stream.on('data', () => {});
      stream.on('end', () => (status < 300 ? resolve() : reject(new Error(`${path}: ${status}`))));
      stream.on('error', reject);
      stream.end(body);
    });
  return { post, close: () => session.close() };
}

async function load(pid, work, count, width) {
  const [cpu, began] = [cpuSeconds(pid), performance.now()];
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next++ < count) await work();
    }),
  );
  return {
    perCpuSecond: count / (cpuSeconds(pid) - cpu),
    perSecond: (count * 1000) / (performance.now() - began),
  };
}

async function oneByOne(work, count) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return `p50 ${times[count >> 1].toFixed(2)} p99 ${times[Math.floor(count * 0.99)].toFixed(2)} ms`;
}

async function start(role) {
  const child = spawn(process.execPath, [self, role], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = String(await new Promise((resolve) => child.stdout.once('data', resolve)));
  const [url, secret] = line.trim().split(' ');
  const { post, close } = client(url, role === '--serve-api' ? { authorization: `Bearer ${secret}` } : {});
  const stop = () => {
    close();
    child.kill();
  };
  return { pid: child.pid, url, secret, post, stop };
}

/**
 * Parsing, converting and encoding 100 objects in this process, without network and validation.
 */
function inProcess(bytes, count) {
  const convert = rename('cronSpec', 'schedule');
  const once = () => {
    const review = JSON.parse(bytes.toString('utf8'));
    const convertedObjects = review.request.objects.map((object) => ({
      ...convert(object),
      apiVersion: `${group}/v2`,
    }));
    return Buffer.from(JSON.stringify({ convertedObjects }));
  };
  for (let i = 0; i < count / 2; i++) once();
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) once();
  const { user, system } = process.cpuUsage(before);
  return (count * 100) / ((user + system) / 1e6);
}

/**
 * The first 40 reviews of a process that has just started, as for a list of 10,000 objects: nothing is
 * compiled yet.
 */
async function justStarted(path, review) {
  const kit = await start('--serve');
  await kit.post(path, Buffer.from(JSON.stringify(conversionReview(0))));
  const count = 40;
  const { perCpuSecond } = await load(kit.pid, () => kit.post(path, review), count, 1);
  kit.stop();
  return `${(1000 / perCpuSecond).toFixed(1)} ms of processor`;
}

/** The latency of a write with and without one validating webhook. */
async function addedLatency({ url, secret: caBundle }) {
  const api = await start('--serve-api');
  let next = 0;
  const { data } = object(1).spec;
  const bytes = (value) => Buffer.from(JSON.stringify(value));
  const configMap = () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c-${next++}` }, data });
  const write = () => api.post('/api/v1/namespaces/default/configmaps', bytes(configMap()));
  const count = quick ? 300 : 2_000;
  await oneByOne(write, count);
  row('a write without a webhook, one at a time', await oneByOne(write, count));
  const hook = {
    name: 'bench.example.com',
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    clientConfig: { url: `${url}/always`, caBundle },
  };
  const registration = 'admissionregistration.k8s.io/v1';
  const configuration = {
    apiVersion: registration,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'bench' },
    webhooks: [hook],
  };
  await api.post(`/apis/${registration}/validatingwebhookconfigurations`, bytes(configuration));
  await oneByOne(write, count);
  row('a write with one validating webhook', await oneByOne(write, count));
  api.stop();
}

async function measure() {
  const kit = await start('--serve');
  const bare = await start('--serve-bare');
  const started = residentMegabytes(kit.pid);
  const [reviews, batches] = quick ? [2_000, 100] : [20_000, 1_000];
  const bytes = (review) => Buffer.from(JSON.stringify(review));
  const [create, update, hundred, one] = [
    admissionReview('CREATE'),
    admissionReview('UPDATE'),
    conversionReview(100),
    conversionReview(1),
  ].map(bytes);
  const n = (value) => Math.round(value).toLocaleString('en');
  const rate = async (server, path, body, count, width) => {
    await load(server.pid, () => server.post(path, body), count / 2, width);
    return load(server.pid, () => server.post(path, body), count, width);
  };

  const nothing = (await rate(bare, '/', create, reviews, 32)).perCpuSecond;
  row('POST of 2 KB, not parsed, bare Node', `${n(nothing)} /cpu-s`);
  for (const [what, path, body] of [
    ['AdmissionReview of a create, 2 KB object', '/validate?timeout=10s', create],
    ['AdmissionReview of an update, ratcheted', '/ratchet?timeout=10s', update],
  ]) {
    const { perCpuSecond, perSecond } = await rate(kit, path, body, reviews, 32);
    row(
      what,
      `${n(perCpuSecond)} /cpu-s`,
      `${n(perSecond)} /s here; ×${(perCpuSecond / nothing).toFixed(2)} of bare Node`,
    );
  }
  row(
    'AdmissionReview, one at a time',
    await oneByOne(() => kit.post('/validate?timeout=10s', create), quick ? 500 : 3000),
  );

  const mirror = (await rate(bare, '/mirror', hundred, batches, 4)).perCpuSecond * 100;
  row('100 × 2 KB there and back, bare Node', `${n(mirror)} objects/cpu-s`);
  const parsed = inProcess(hundred, batches);
  row('parse, convert, write, without a network', `${n(parsed)} objects/cpu-s`);
  const least = 1 / (1 / mirror + 1 / parsed);
  for (const [what, path] of [
    ['conversions by function, 100 × 2 KB', '/convert?timeout=10s'],
    ['conversions by lens, 100 × 2 KB', '/lens?timeout=10s'],
  ]) {
    const { perCpuSecond, perSecond } = await rate(kit, path, hundred, batches, 4);
    const objects = perCpuSecond * 100;
    row(
      what,
      `${n(objects)} objects/cpu-s`,
      `${n(perSecond * 100)} objects/s here; ×${(objects / least).toFixed(2)} of the two above together`,
    );
  }
  row('  published by a peer', '5,700 objects/s');
  const listed = bytes(conversionReview(250));
  row('first 40 × 250 objects by function, each', await justStarted('/convert?timeout=10s', listed));
  row('first 40 × 250 objects by lens, each', await justStarted('/lens?timeout=10s', listed));
  row(
    'ConversionReview of one object, one at a time',
    await oneByOne(() => kit.post('/convert?timeout=10s', one), quick ? 500 : 3000),
  );
  await addedLatency(kit);
  row('memory at the start, after all this', `${started} MB, ${residentMegabytes(kit.pid)} MB`);
  kit.stop();
  bare.stop();
}

const roles = { '--serve': serve, '--serve-api': serveApi, '--serve-bare': serveBare };
await (roles[process.argv[2]] ?? measure)();
