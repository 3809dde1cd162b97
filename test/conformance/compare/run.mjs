#!/usr/bin/env node
// Asks kube-apiserver and Instar the same, one request after the other, and prints where the answers differ:
//
//   node test/conformance/compare/run.mjs --kube-apiserver FILE [--only TEXT] [--verbose]
//
// Both are started here, on loopback, each with storage of its own; etcd and openssl must be on PATH, and the
// command must be built. departures.json names the requests that are answered otherwise on purpose.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '../recordings/lib/client.mjs';
import { Comparison } from './comparison.mjs';
import { startInstar, startKubeApiserver } from './servers.mjs';

const { values: options } = parseArgs({
  options: {
    'kube-apiserver': { type: 'string' },
    only: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});
if (options['kube-apiserver'] === undefined) {
  console.error('usage: node run.mjs --kube-apiserver FILE [--only TEXT] [--verbose]');
  process.exit(2);
}

const here = path.dirname(fileURLToPath(import.meta.url));
const departures = new Map(
  JSON.parse(readFileSync(path.join(here, 'departures.json'), 'utf8')).map(({ step, reason }) => [
    step,
    reason,
  ]),
);
const folder = mkdtempSync(path.join(tmpdir(), 'instar-compare-'));
const servers = [];
process.on('exit', () => {
  for (const server of servers) server.stop();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

servers.push(await startKubeApiserver(options['kube-apiserver'], folder));
servers.push(await startInstar(folder));
const [real, ours] = servers.map(({ access }) => new Client(access));

const totals = { requests: 0, same: 0, departed: 0, differ: 0 };
for (const file of readdirSync(path.join(here, 'scenarios')).sort()) {
  const module = await import(pathToFileURL(path.join(here, 'scenarios', file)));
  for (const [name, run] of Object.entries(module)) {
    const id = `${file.replace(/\.mjs$/, '')}/${name}`;
    if (options.only !== undefined && !id.includes(options.only)) continue;
    const comparison = new Comparison(id, real, ours, { departures, totals, isVerbose: options.verbose });
    await comparison.run(run);
  }
}
console.log(
  `${totals.same} of ${totals.requests} requests answered as kube-apiserver does; ` +
    `${totals.departed} otherwise on purpose, ${totals.differ} differ`,
);
process.exit(totals.differ === 0 ? 0 : 1);
