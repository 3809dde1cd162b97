// Admission: how long one write takes with nothing configured, with webhooks that do not match, with policies
// in CEL and with webhooks that are called. Writes of 2 KB, serially, over one HTTP/2 connection to a server
// in memory; the variants alternate, so that other load affects all of them. Usage: node bench/admission.mjs
// [--quick]
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startServer } from '../packages/server/dist/index.js';
import { openStore } from '../packages/store/dist/index.js';
import { jsonClient } from './support/json-client.mjs';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 3 : 8;
const WRITES = quick ? 200 : 800;
const GROUP = 'admissionregistration.k8s.io';
const MAPS = '/api/v1/namespaces/default/configmaps';
const row = (what, value, beside) => console.log(`${what.padEnd(46)} ${value.padStart(12)}   ${beside}`);

async function startWebhook() {
  const file = fileURLToPath(new URL('support/admission-webhook.mjs', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))));
  return { ...JSON.parse(line), stop: () => child.kill() };
}

const rule = (resources) => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources,
});

function configuration(name, hook, count, resources) {
  const webhook = (index) => ({
    name: `w${index}.bench.example.com`,
    rules: [rule(resources)],
    clientConfig: { url: `https://127.0.0.1:${hook.port}/`, caBundle: hook.ca },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  const path = `/apis/${GROUP}/v1/validatingwebhookconfigurations`;
  return {
    path,
    objects: [
      [path, { metadata: { name }, webhooks: Array.from({ length: count }, (_, index) => webhook(index)) }],
    ],
  };
}

function policies(count) {
  const at = (plural) => `/apis/${GROUP}/v1/${plural}`;
  const validations = [
    {
      expression:
        "object.data.all(key, size(object.data[key]) < 10000) && object.metadata.name.startsWith('bench')",
    },
  ];
  return {
    objects: Array.from({ length: count }, (_, index) => [
      [
        at('validatingadmissionpolicies'),
        {
          metadata: { name: `p${index}` },
          spec: { matchConstraints: { resourceRules: [rule(['configmaps'])] }, validations },
        },
      ],
      [
        at('validatingadmissionpolicybindings'),
        { metadata: { name: `b${index}` }, spec: { policyName: `p${index}`, validationActions: ['Deny'] } },
      ],
    ]).flat(),
  };
}

const hook = await startWebhook();
const server = await startServer({ storage: await openStore('memory:') });
const { send, session } = jsonClient(server);
const ways = {
  'nothing configured': { objects: [] },
  '100 webhooks about other resources': configuration('others', hook, 100, ['secrets']),
  'one policy in CEL': policies(1),
  'ten policies in CEL': policies(10),
  'one validating webhook': configuration('one', hook, 1, ['configmaps']),
  'four validating webhooks': configuration('four', hook, 4, ['configmaps']),
};
const data = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, 'x'.repeat(90)]));
const times = new Map(Object.keys(ways).map((way) => [way, []]));
await send('POST', MAPS, { metadata: { name: 'bench' }, data });

async function measure(way, counts) {
  for (const [path, object] of ways[way].objects) await send('POST', path, object);
  for (let write = 0; write < WRITES; write++) {
    const began = performance.now();
    await send('PUT', `${MAPS}/bench`, { metadata: { name: 'bench' }, data: { ...data, write: `${write}` } });
    // The first ones open connections and compile.
    if (counts && write >= WRITES / 10) times.get(way).push(performance.now() - began);
  }
  for (const [path, { metadata }] of ways[way].objects) await send('DELETE', `${path}/${metadata.name}`);
}

for (let round = 0; round <= ROUNDS; round++)
  for (const way of Object.keys(ways)) await measure(way, round > 0);
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const medians = new Map([...times].map(([way, list]) => [way, median(list)]));
const plain = medians.get('nothing configured');
console.log(`median of ${ROUNDS * WRITES * 0.9} updates each\n`);
for (const [way, ms] of medians)
  row(
    way,
    `${(ms * 1000).toFixed(0)} µs`,
    `${(ms / plain).toFixed(2)} × nothing, +${((ms - plain) * 1000).toFixed(0)} µs`,
  );
session.close();
await server.close();
hook.stop();
