// How long other clients wait while one client sends the worst that is known: beside every request, a probe
// GETs a small object every 5 ms over its own connection, and its waits are printed. A probe in a process of
// its own, so that preparing and sending the request does not delay it. The longest definition needs the
// corpus beside the repository (or INSTAR_SHARED). Usage: node bench/stalls.mjs [--only TEXT]
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { encodeJson, parseYaml } from '../packages/machinery/dist/index.js';
import { cpuSeconds, readyServer } from './support/process.mjs';

const self = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const PROBE_MS = 5;
const MAX_BODY = 3 * 1024 * 1024 - 1024;

function connect(url, headers) {
  const session = http2.connect(url, { rejectUnauthorized: false, maxHeaderListPairs: 1000 });
  const call = (method, target, body, type) =>
    new Promise((resolve, reject) => {
      const stream = session.request({
        ...headers,
        ':method': method,
        ':path': target,
        ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
      });
      let status = 0;
      let bytes = 0;
      stream.on('response', (head) => {
        status = head[':status'];
      });
      stream.on('data', (chunk) => {
        bytes += chunk.length;
      });
      stream.on('end', () => resolve({ status, bytes }));
      // A body that is refused before it is sent breaks the stream after the answer.
      stream.on('error', (error) => (status > 0 ? resolve({ status, bytes }) : reject(error)));
      stream.end(body);
    });
  return { call, close: () => session.close() };
}

/** The probe itself: collects waits until it is asked for them. */
async function probe([url, target, token]) {
  const { call } = connect(url, token === '' ? {} : { authorization: `Bearer ${token}` });
  let waits = [];
  process.on('message', () => {
    process.send(waits);
    waits = [];
  });
  await call('GET', target);
  process.send('ready');
  for (;;) {
    const began = performance.now();
    await call('GET', target);
    waits.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
  }
}

async function startProbe(url, target, token) {
  const child = spawn(process.execPath, [self, '--probe', url, target, token], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  endWithThis(child.pid);
  const message = () => new Promise((resolve) => child.once('message', resolve));
  await message();
  const waits = async () => {
    child.send('waits');
    return message();
  };
  return { waits, stop: () => child.kill() };
}

/** Also if a row fails. */
const endWithThis = (pid) =>
  process.on('exit', () => {
    try {
      process.kill(pid);
    } catch {
      // It has ended already.
    }
  });

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(name, pid, { waits }, send) {
  if (only !== undefined && !name.includes(only)) return;
  await sleep(500);
  await waits();
  const [began, cpu] = [performance.now(), cpuSeconds(pid)];
  const { status } = await send();
  const took = performance.now() - began;
  // What follows the answer: controllers, OpenAPI, collection of garbage.
  await sleep(500);
  const all = (await waits()).sort((a, b) => a - b);
  const ms = (value) => `${value.toFixed(0)} ms`.padStart(9);
  console.log(
    `${name.padEnd(52)} ${status} ${ms(took)} ${ms((cpuSeconds(pid) - cpu) * 1000)} ${ms(all[Math.floor(all.length * 0.99)])} ${ms(all.at(-1))}`,
  );
}

const repeated = (text, bytes = MAX_BODY - 16 * 1024) => text.repeat(Math.floor(bytes / text.length));
const numbered = (make, bytes = MAX_BODY - 16 * 1024) => {
  const parts = [];
  for (let i = 0, length = 0; length < bytes; i++) {
    parts.push(make(i));
    length += parts.at(-1).length;
  }
  return parts.slice(0, -1).join('');
};

/** The longest definition of the corpus: of the largest files, not of all. */
function longestDefinition() {
  const corpus = path.join(process.env.INSTAR_SHARED ?? path.join(root, '../shared'), 'corpus/crds');
  if (!existsSync(corpus)) return undefined;
  const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml(\.gz)?$/.test(name))
    .map((name) => path.join(corpus, name))
    .map((file) => ({ file, bytes: statSync(file).size * (file.endsWith('.gz') ? 20 : 1) }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, 8);
  return files
    .map(({ file }) => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)))
    .map((bytes) => parseYaml(bytes).value)
    .filter(({ apiVersion }) => apiVersion === 'apiextensions.k8s.io/v1')
    .map((value) => ({ value, json: encodeJson(value) }))
    .filter(({ json }) => json.length <= MAX_BODY)
    .sort((a, b) => b.json.length - a.json.length)[0];
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/bench.example.com/v1/namespaces/default/widgets';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const APPLY_TYPE = 'application/apply-patch+yaml';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  items: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { name: { type: 'string' }, size: { type: 'integer' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
const widget = (name, items) => ({
  apiVersion: 'bench.example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', labels: { app: 'web', tier: `t${name.length}` } },
  spec: { items },
});

async function serverRows(dir) {
  const server = await readyServer(root, dir);
  endWithThis(server.pid);
  const { call, close } = connect(server.url, { authorization: `Bearer ${server.token}` });
  await call('POST', CRDS, JSON.stringify(definition), JSON_TYPE);
  await sleep(500);
  let next = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < 10_000)
        await call(
          'POST',
          WIDGETS,
          JSON.stringify(widget(`w${next++}`, [{ name: 'a', size: 1 }])),
          JSON_TYPE,
        );
    }),
  );
  const probe = await startProbe(server.url, `${WIDGETS}/w1`, server.token);
  const row = (name, send) => measure(name, server.pid, probe, send);
  const post =
    (target, body, type = JSON_TYPE) =>
    () =>
      call('POST', target, body, type);
  const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata:\n';
  await row('nothing but the probe', async () => {
    await sleep(1000);
    return { status: '  -' };
  });
  await row(
    'YAML, 156 KiB of duplicate keys',
    post(CONFIG_MAPS, head + repeated('  a: b\n', 160_000), YAML_TYPE),
  );
  await row('YAML, 3 MiB of duplicate keys', post(CONFIG_MAPS, head + repeated('  a: b\n'), YAML_TYPE));
  await row(
    'YAML, 3 MiB, every line indented too little',
    post(CONFIG_MAPS, `a: [\n${repeated('x,\n')}`, YAML_TYPE),
  );
  await row('JSON, 3 MiB of duplicate keys, 900 levels deep', () =>
    post(CONFIG_MAPS, `${'{"a":'.repeat(900)}{${repeated('"a":1,')}"a":1}${'}'.repeat(900)}`)(),
  );
  await row(
    'JSON, 3 MiB of unknown fields',
    post(
      WIDGETS,
      `{"apiVersion":"bench.example.com/v1","kind":"Widget","metadata":{"name":"u"},"spec":{${numbered((i) => `"k${i}":1,`)}"z":1}}`,
    ),
  );
  const absent = Array.from({ length: 4_500 }, (_, i) => `!k${i}`).join(',');
  const unequal = Array.from({ length: 4_500 }, (_, i) => `app!=v${i}`).join(',');
  for (const [what, selector] of [
    ['4,500 absent keys', absent],
    ['4,500 unequal values', unequal],
  ])
    await row(`list of 10,000, selector with ${what}`, () =>
      call('GET', `${WIDGETS}?limit=1&labelSelector=${selector.replaceAll('!=', '%21=')}`),
    );
  await row('list of 10,000, everything', () => call('GET', WIDGETS));
  const items = Array.from({ length: 28_000 }, (_, i) => ({ name: `item-${i}-${'x'.repeat(16)}`, size: i }));
  const large = encodeJson(widget('large', items));
  await row(`custom resource of ${(large.length / 1e6).toFixed(1)} MB, create`, post(WIDGETS, large));
  await row('the same, applied', () =>
    call(
      'PATCH',
      `${WIDGETS}/applied?fieldManager=bench&force=true`,
      large.replace('"large"', '"applied"'),
      APPLY_TYPE,
    ),
  );
  await row('the same, one label changed by a merge patch', () =>
    call('PATCH', `${WIDGETS}/large`, '{"metadata":{"labels":{"a":"b"}}}', 'application/merge-patch+json'),
  );
  const longest = longestDefinition();
  if (longest === undefined) console.log('the longest definition of the corpus: skipped, there is no corpus');
  else {
    const { metadata, spec } = longest.value;
    const document = `/openapi/v3/apis/${spec.group}/${spec.versions[0].name}`;
    const applied = `${CRDS}/${metadata.name}?fieldManager=bench&force=true`;
    const size = `${(longest.json.length / 1e6).toFixed(1)} MB`;
    await row(`definition of ${size} (${metadata.name})`, post(CRDS, longest.json));
    await row('its OpenAPI v3 document', () => call('GET', document));
    await row('the same definition, applied', () => call('PATCH', applied, longest.json, APPLY_TYPE));
  }
  probe.stop();
  close();
  await server.stop();
}

/** The host itself, in a process of its own. */
async function serveKit() {
  const { conversion, serveWebhooks } = await import('../packages/webhook/dist/index.js');
  const convert = { 'v1→v2': (object) => object, 'v2→v1': (object) => object };
  const host = await serveWebhooks({
    listen: { host: '127.0.0.1', port: 0 },
    tls: { selfManaged: {} },
    webhooks: { '/convert': conversion({ group: 'bench.example.com', kind: 'Widget', convert }) },
  });
  process.send(host.url);
}

async function kitRows() {
  const child = spawn(process.execPath, [self, '--serve-kit'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  endWithThis(child.pid);
  const url = await new Promise((resolve) => child.once('message', resolve));
  const { call, close } = connect(url, {});
  const probe = await startProbe(url, '/healthz', '');
  const review = (bytes) =>
    `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u","desiredAPIVersion":"bench.example.com/v2","objects":[ ${repeated('[{}],', bytes)}[]]}}`;
  for (const [name, bytes] of [
    ['webhook kit, 40 MB of tiny lists', 40e6],
    ['webhook kit, 8 MB of tiny lists', 8e6],
  ])
    await measure(name, child.pid, probe, () =>
      call('POST', '/convert', review(bytes), JSON_TYPE).catch(() => ({ status: 'cut' })),
    );
  probe.stop();
  close();
  child.kill();
}

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
if (process.argv[2] === '--probe') await probe(process.argv.slice(3));
else if (process.argv[2] === '--serve-kit') await serveKit();
else {
  const dir = await mkdtemp(path.join(tmpdir(), 'instar-bench-'));
  try {
    // Code "cut": the stream was closed without an answer.
    console.log(`${''.padEnd(52)} code      took       CPU  probe p99   worst`);
    await serverRows(dir);
    await kitRows();
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
