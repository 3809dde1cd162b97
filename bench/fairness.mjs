// Fair shares: how long the GETs of ten modest clients take alone, beside a greedy one that lists everything
// hundreds of times at once, and beside the same with priority and fairness off. Then what priority and
// fairness costs a request when nothing waits. Usage: node bench/fairness.mjs [--quick]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FlowControl } from '../packages/server/dist/api/fairness/flow-control.js';
import { MetricsRegistry } from '../packages/serving/dist/index.js';
import { readyServer } from './support/process.mjs';

const quick = process.argv.includes('--quick');
const [MODEST, GREEDY, MAPS] = [10, 300, 2000];
const SECONDS = quick ? 5 : 15;
const PAUSE_MS = 50;
const MAP = '/api/v1/namespaces/default/configmaps';
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const row = (...cells) =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(40) : cell.padStart(11))).join(' '));
const quantile = (numbers, q) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * q))] ??
  Number.NaN;
const milliseconds = (value) => `${value.toFixed(1)} ms`;
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** The built command in a process of its own, so that its clients do not take its time. */
async function start(isFair) {
  const folder = mkdtempSync(join(tmpdir(), 'instar-fairness-'));
  const users = ['greedy', ...Array.from({ length: MODEST }, (_, n) => `modest-${n}`)];
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, users.map((user) => `${user},${user},${user}\n`).join(''));
  const server = await readyServer(ROOT, folder, [
    ...['--storage', 'memory:', '--token-auth-file', tokens, '--authorization-mode', 'AlwaysAllow'],
    `--enable-priority-and-fairness=${isFair}`,
  ]);
  const close = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...server, close };
}

/** A client with a connection of its own. */
function clientOf(url, token) {
  const session = http2.connect(url, { rejectUnauthorized: false });
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const stream = session.request({
        ':method': method,
        ':path': path,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      });
      let status = 0;
      stream.on('response', (headers) => {
        status = headers[':status'];
      });
      stream.on('data', () => {});
      stream.on('end', () => resolve(status));
      stream.on('error', reject);
      stream.end(body && JSON.stringify(body));
    });
  return { send, close: () => session.destroy() };
}

async function fill({ url, token }) {
  const { send, close } = clientOf(url, token);
  for (let n = 0; n < MAPS; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        send('POST', MAP, { metadata: { name: `m-${n + at}` }, data: { text: 'x'.repeat(500) } }),
      ),
    );
  close();
}

/** The times of the modest clients, and how many lists the greedy one got. */
async function measure(url, withGreedy) {
  const until = performance.now() + SECONDS * 1000;
  const outcome = { times: [], refused: 0, lists: 0, refusedLists: 0 };
  const modest = async (n) => {
    const client = clientOf(url, `modest-${n}`);
    while (performance.now() < until) {
      const begun = performance.now();
      const status = await client.send('GET', `${MAP}/m-${n}`);
      if (status === 200) outcome.times.push(performance.now() - begun);
      else outcome.refused++;
      await pause(PAUSE_MS);
    }
    client.close();
  };
  const greedy = withGreedy ? clientOf(url, 'greedy') : undefined;
  const list = async (n) => {
    while (performance.now() < until) {
      // A selector that nothing matches: the work is the server's, not that of this client.
      const status = await greedy.send('GET', `${MAP}?labelSelector=n%3D${n}`).catch(() => 0);
      if (status === 200) outcome.lists++;
      else {
        outcome.refusedLists++;
        await pause(100);
      }
    }
  };
  const lists = withGreedy ? Array.from({ length: GREEDY }, (_, n) => list(n)) : [];
  await Promise.all(Array.from({ length: MODEST }, (_, n) => modest(n)));
  greedy?.close();
  await Promise.allSettled(lists);
  return outcome;
}

function print(name, { times, refused, lists, refusedLists }) {
  const [half, most] = [0.5, 0.99].map((q) => milliseconds(quantile(times, q)));
  row(name, half, most, String(times.length), String(refused), String(lists), String(refusedLists));
}

function classification() {
  const control = new FlowControl({ seats: 600, metrics: new MetricsRegistry(), objectCount: () => 1 });
  const info = {
    isResourceRequest: true,
    verb: 'get',
    group: '',
    namespace: 'default',
    resource: 'configmaps',
    subresource: '',
    name: 'm',
  };
  const requests = Array.from({ length: 1000 }, (_, n) => ({
    info,
    path: `${MAP}/m`,
    rawQuery: '',
    user: { name: `user-${n}`, uid: '', groups: ['dev', 'system:authenticated'], extra: {} },
  }));
  const run = (count) => {
    for (let n = 0; n < count; n++) {
      const request = requests[n % requests.length];
      const schema = control.classify(request);
      const seated = schema.level.queues.tryStart(
        schema.flowOf(request),
        control.seatsOf(request, schema.level),
      );
      schema.level.queues.finish(seated);
    }
  };
  run(100_000);
  const begun = process.hrtime.bigint();
  const count = quick ? 500_000 : 2_000_000;
  run(count);
  return Number(process.hrtime.bigint() - begun) / 1000 / count;
}

row('modest clients', 'p50', 'p99', 'GETs', 'refused', 'lists', 'refused');
for (const isFair of [true, false]) {
  const server = await start(isFair);
  await fill(server);
  const name = isFair ? 'fair shares' : 'limits for all together';
  print(`${name}, alone`, await measure(server.url, false));
  print(`${name}, beside the greedy one`, await measure(server.url, true));
  await server.close();
}
console.log(`\nclassify, seat and release one request: ${classification().toFixed(2)} µs`);
process.exit(0);
