// The host kit over real TLS: AdmissionReviews/s and the time of one, conversions in batches of 100 objects of 2 KB, memory of the process.
// Beside each figure: the same bytes to and from a handler that looks at nothing, and what others have published.
// Usage: node bench/webhook.mjs [--quick]
import { spawn } from 'node:child_process';
import http2 from 'node:http2';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, residentMegabytes } from './support/process.mjs';

const self = fileURLToPath(import.meta.url);
const quick = process.argv.includes('--quick');
const group = 'bench.example.com';
const row = (what, value, beside = '') => console.log(`${what.padEnd(46)} ${String(value).padStart(26)}   ${beside}`);

/** The host itself, in a process of its own. */
async function serve() {
  const { admission, allow, conversion, deny, ratchet, serveWebhooks } = await import('../packages/webhook/dist/index.js');
  const echo = { review: 'AdmissionReview', answer: (body) => ({ status: 200, body: `{"bytes":${body.byteLength}}`, outcome: 'allowed' }) };
  const mirror = {
    review: 'ConversionReview',
    answer: (body) => ({ status: 200, body: Buffer.from(body).toString('utf8'), outcome: 'converted' }),
  };
  const rename = (from, to) => (object) => {
    const { [from]: value, ...spec } = object.spec;
    return { ...object, spec: { ...spec, [to]: value } };
  };
  const host = await serveWebhooks({
    listen: { host: '127.0.0.1', port: 0 },
    tls: { selfManaged: {} },
    webhooks: {
      '/nothing': echo,
      '/mirror': mirror,
      '/validate': admission(({ object }) => (object.spec.data['key-1'] === '' ? deny('empty', 400) : allow())),
      '/ratchet': admission(
        ratchet((object) => (object.spec.cronSpec === '' ? [{ type: 'FieldValueRequired', field: 'spec.cronSpec', detail: '' }] : [])),
      ),
      '/convert': conversion({
        group,
        kind: 'CronTab',
        convert: { 'v1→v2': rename('cronSpec', 'schedule'), 'v2→v1': rename('schedule', 'cronSpec') },
      }),
    },
  });
  process.stdout.write(`${host.url}\n`);
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
  spec: { cronSpec: '* * * * *', data: Object.fromEntries(Array.from({ length: 16 }, (_, k) => [`key-${k}`, 'x'.repeat(90)])) },
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

function client(url) {
  const session = http2.connect(url, { rejectUnauthorized: false, settings: { enablePush: false, initialWindowSize: 4 * 1024 * 1024 } });
  session.once('connect', () => session.setLocalWindowSize(64 * 1024 * 1024));
  const post = (path, body) =>
    new Promise((resolve, reject) => {
      const stream = session.request({
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
      stream.on('end', () => (status === 200 ? resolve() : reject(new Error(`${path}: ${status}`))));
      stream.on('error', reject);
      stream.end(body);
    });
  return { post, close: () => session.close() };
}

async function load(pid, work, seconds, width) {
  const end = performance.now() + seconds * 1000;
  const [cpu, began] = [cpuSeconds(pid), performance.now()];
  let count = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (performance.now() < end) {
        await work();
        count++;
      }
    }),
  );
  return { perCpuSecond: count / (cpuSeconds(pid) - cpu), perSecond: (count * 1000) / (performance.now() - began) };
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

async function measure() {
  const child = spawn(process.execPath, [self, '--serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
  const { pid } = child;
  const started = residentMegabytes(pid);
  const { post, close } = client(url);
  const seconds = quick ? 1 : 4;
  const bytes = (review) => Buffer.from(JSON.stringify(review));
  const [create, update, hundred, one] = [
    admissionReview('CREATE'),
    admissionReview('UPDATE'),
    conversionReview(100),
    conversionReview(1),
  ].map(bytes);
  const n = (value) => Math.round(value).toLocaleString('en');

  const reviews = async (what, path, body, base) => {
    await load(pid, () => post(path, body), seconds / 4, 32);
    const { perCpuSecond, perSecond } = await load(pid, () => post(path, body), seconds, 32);
    row(
      what,
      `${n(perCpuSecond)} /cpu-s`,
      `${n(perSecond)} /s here${base ? `; ×${(perCpuSecond / base).toFixed(2)} of doing nothing` : ''}`,
    );
    return perCpuSecond;
  };
  const nothing = await reviews('POST of 2 KB that nobody looks at', '/nothing?timeout=10s', create);
  await reviews('AdmissionReview of a create, 2 KB object', '/validate?timeout=10s', create, nothing);
  await reviews('AdmissionReview of an update, ratcheted', '/ratchet?timeout=10s', update, nothing);
  row('AdmissionReview, one at a time', await oneByOne(() => post('/validate?timeout=10s', create), quick ? 500 : 3000));

  const batches = async (what, path, beside) => {
    await load(pid, () => post(path, hundred), seconds / 4, 4);
    const { perCpuSecond, perSecond } = await load(pid, () => post(path, hundred), seconds, 4);
    row(what, `${n(perCpuSecond * 100)} objects/cpu-s`, `${n(perSecond * 100)} objects/s here${beside}`);
  };
  await batches('100 × 2 KB there and back, nobody looks', '/mirror?timeout=10s', '');
  await batches('conversions by function, 100 × 2 KB', '/convert?timeout=10s', '; published by a peer: 5,700 objects/s');
  row('ConversionReview of one object, one at a time', await oneByOne(() => post('/convert?timeout=10s', one), quick ? 500 : 3000));
  row('memory at the start, after all this', `${started} MB, ${residentMegabytes(pid)} MB`);
  close();
  child.kill();
}

await (process.argv.includes('--serve') ? serve() : measure());
