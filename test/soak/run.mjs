// The soak: good and hostile clients together against the built server and the webhook kit, for a while.
// `npm run soak -- [--minutes N] [--seed N] [--logs DIR]`. Good clients must get right answers all the time;
// at the end memory is flat, descriptors and slots are free, and both programs end within 5 seconds of
// SIGTERM. Prints a summary; the exit code is 0 or 1. Everything is on loopback.
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from './client.mjs';
import {
  CRDS,
  cronTabDefinition,
  cronTabs,
  GADGETS,
  gadgets,
  HISTORY_SECONDS,
  MAPS,
} from './definitions.mjs';
import { checkEnd } from './end-checks.mjs';
import { Converter, DefinitionAuthor, Lister, Writer } from './good-clients.mjs';
import { attack } from './hostile.mjs';
import { MemorySamples } from './memory-samples.mjs';
import { accessOf, Program } from './processes.mjs';
import { Random } from './random.mjs';
import { Report } from './report.mjs';
import { Starvation } from './starvation.mjs';
import { printSummary } from './summary.mjs';
import { Watcher } from './watchers.mjs';
import { WebhookFaults } from './webhook-faults.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    logs: { type: 'string' },
  },
});
const durationMs = Number(options.minutes) * 60_000;
if (!(durationMs > 0)) throw new Error(`--minutes ${options.minutes}: expected a positive number`);
/** History, caches and connections have reached their usual size by then. */
const warmUpMs = Math.min(durationMs / 3, 120_000);
const sampleMs = Math.min(Math.max((durationMs - warmUpMs) / 30, 2_500), 20_000);
/** Requests have 60 seconds. */
const MAX_LATE_MS = 90_000;
/** Bounds what hostile clients hold at a time: each has up to 10 connections. */
const HOSTILE_CLIENTS = 8;
const HOSTILE_CLIENTS_OF_KIT = 3;

const folder = mkdtempSync(join(tmpdir(), 'instar-soak-'));
const logs = options.logs ?? folder;
mkdirSync(logs, { recursive: true });
const random = new Random(Number(options.seed));
console.log(`soak: ${options.minutes} minutes, seed ${options.seed}`);

const kit = await Program.start(
  'the kit',
  [
    'webhook',
    'serve',
    ...['--module', fileURLToPath(new URL('kit-module.mjs', import.meta.url))],
    ...[
      '--bind-address',
      '127.0.0.1',
      '--port',
      '0',
      '--host',
      '127.0.0.1',
      '--cert-dir',
      join(folder, 'kit'),
    ],
  ],
  join(logs, 'kit.log'),
);
const server = await Program.start(
  'the server',
  ['serve', '--data-dir', join(folder, 'data'), '--port', '0', '--history', `${HISTORY_SECONDS}s`],
  join(logs, 'server.log'),
);

const endsAt = Date.now() + durationMs;
const soak = {
  access: accessOf(join(folder, 'data', 'kubeconfig'), server.url),
  kitAccess: {
    url: `https://127.0.0.1:${kit.port}`,
    port: kit.port,
    ca: readFileSync(join(folder, 'kit', 'ca.crt'), 'utf8'),
  },
  report: new Report(),
  webhookFaults: new WebhookFaults(),
  starvation: new Starvation([server.pid, kit.pid, process.pid]),
  ended: false,
  isOver: () => soak.ended || Date.now() >= endsAt,
  pause: (milliseconds) => sleep(Math.max(0, Math.min(milliseconds, endsAt - Date.now()))),
};

for (const program of [server, kit]) {
  void program.ended.then((how) => {
    if (!soak.isOver()) soak.report.fault('process', `pid ${program.pid} ended with ${how}`);
    soak.ended = true;
  });
}

await prepare();
const baseDescriptors = { server: server.descriptors(), kit: kit.descriptors() };

const clients = [
  ...[0, 1].map((id) => new Writer(soak, `w${id}`, 'h1', random.fork(), MAPS)),
  new Writer(soak, 'w2', 'h2', random.fork(), MAPS),
  new Writer(soak, 'w0', 'h1', random.fork(), GADGETS),
  ...[1, 2].map((id) => new Writer(soak, `w${id}`, 'h2', random.fork(), GADGETS)),
  ...['h1', 'h2'].map((protocol) => new Lister(soak, protocol, random.fork())),
  ...['h1', 'h2'].map((protocol) => new Converter(soak, `c-${protocol}`, protocol, random.fork())),
  new DefinitionAuthor(soak, 'a', 'h1', random.fork()),
  ...['h1', 'h2', 'WebSocket'].flatMap((transport) => [
    new Watcher(soak, transport, random.fork()),
    new Watcher(soak, transport, random.fork()),
  ]),
];
for (const client of clients) await client.prepare?.();

const samples = { server: new MemorySamples(), kit: new MemorySamples() };
await Promise.all([
  ...clients.map((client) => ended(client.constructor.name, client.run())),
  ...Array.from({ length: HOSTILE_CLIENTS }, () =>
    ended('a hostile client of the server', attack(soak, 'server', random.fork())),
  ),
  ...Array.from({ length: HOSTILE_CLIENTS_OF_KIT }, () =>
    ended('a hostile client of the kit', attack(soak, 'kit', random.fork())),
  ),
  ended('the faults of the webhook', soak.webhookFaults.run(soak, kit, random.fork())),
  ended('the measuring of memory', measure()),
]);
const hasEndedEarly = soak.ended;
const waited = soak.starvation.shares();
soak.starvation.stop();
soak.ended = true;

const checks = hasEndedEarly ? [] : await checkEnd({ soak, server, kit, clients, samples, baseDescriptors });
printSummary(soak.report, checks, {
  minutes: options.minutes,
  seed: options.seed,
  webhookFaults: soak.webhookFaults.count,
  waited,
});
if (hasEndedEarly) for (const program of [server, kit]) await program.terminate();
rmSync(folder, { recursive: true, force: true });
process.exitCode =
  soak.report.faultCount === 0 && !hasEndedEarly && checks.every(({ holds }) => holds) ? 0 : 1;

/** The definitions, and a conversion, so that the server has a connection to the webhook. */
async function prepare() {
  const client = new Client(soak.access, 'h1');
  await client.send('POST', CRDS, gadgets());
  await client.send('POST', CRDS, cronTabDefinition(soak.kitAccess.url, soak.kitAccess.ca));
  for (const path of [GADGETS, cronTabs('v1'), MAPS]) {
    while ((await client.send('GET', path)).status !== 200) await sleep(50);
  }
  await client.close();
  await sleep(500);
}

/** A client that does not end is a fault, and does not keep the soak from its checks. */
async function ended(name, running) {
  const late = new AbortController();
  const limit = sleep(endsAt - Date.now() + MAX_LATE_MS, 'late', { signal: late.signal }).catch(
    () => undefined,
  );
  if ((await Promise.race([running, limit])) === 'late')
    soak.report.fault('end', `${name} had not ended ${MAX_LATE_MS / 1000} s after the others should have`);
  late.abort();
}

async function measure() {
  await soak.pause(warmUpMs);
  while (!soak.isOver()) {
    if (!soak.webhookFaults.isActive) {
      await samples.server.take(server).catch((error) => soak.report.fault('memory', error));
      await samples.kit.take(kit).catch((error) => {
        if (!soak.webhookFaults.isActive) soak.report.fault('memory', error);
      });
    }
    await soak.pause(sampleMs);
  }
}
