#!/usr/bin/env node
// Sends requests.json, one after the other, to a server that was started with policy.yaml, and compares the
// events of its audit log with events.jsonl.
//   node audit/replay.mjs --kubeconfig FILE --log FILE [--dir DIR] [--verbose]      (--record writes
// events.jsonl: only ever from kube-apiserver)
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, readKubeconfig } from '../lib/client.mjs';
import { differences } from '../lib/normalise.mjs';

const { values: opt } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    log: { type: 'string' },
    dir: { type: 'string' },
    record: { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
});
const dir = opt.dir ?? path.dirname(fileURLToPath(import.meta.url));
const client = new Client(readKubeconfig(opt.kubeconfig));
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const requests = JSON.parse(fs.readFileSync(path.join(dir, 'requests.json'), 'utf8'));
const agent = `conformance-audit/${Date.now()}`;

for (const [i, { method, path: url, headers = {}, body, await: awaited, sleepMs }] of requests.entries()) {
  await client.request(method, url, { headers: { ...headers, 'user-agent': `${agent} ${i}` }, body });
  for (
    let n = 0;
    awaited && n < 200 && [404, 429].includes((await client.request('GET', awaited)).status);
    n++
  )
    await sleep(50);
  if (sleepMs) await sleep(sleepMs);
}
await sleep(1500); // a log may be written a little later

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const seen = new Map();
const mask = (value, key) => {
  if (Array.isArray(value)) return value.map((v) => mask(v));
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((k) => [k, mask(value[k], k)]),
    );
  if (key === 'resourceVersion' || key === 'gitVersion') return '<rv>';
  if (key === 'auditID') {
    if (!seen.has(value)) seen.set(value, `<audit${seen.size + 1}>`);
    return seen.get(value);
  }
  if (typeof value !== 'string') return value;
  return value
    .replace(TIME, '<time>')
    .replace(UID, '<uid>')
    .replace(/\bgen-[a-z0-9]{5}\b/g, 'gen-<id>');
};
// Who the admin of the kubeconfig is differs from server to server.
const nameOfAdmin = (
  await client.request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: {} })
).body.status.userInfo.username;
const events = fs
  .readFileSync(opt.log, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((l) => JSON.parse(l))
  .filter((e) => e.userAgent?.startsWith(agent))
  .map((e) => ({ ...e, request: Number(e.userAgent.split(' ')[1]) }))
  .sort((a, b) => a.request - b.request)
  .map(({ userAgent, sourceIPs, ...e }) => {
    if (e.user?.username === nameOfAdmin) e.user = { username: '<admin>' };
    for (const k of Object.keys(e.annotations ?? {})) if (/latency\.k8s\.io/.test(k)) delete e.annotations[k];
    return mask({ ...e, sourceIPs: sourceIPs && ['<ip>'] });
  });
const file = path.join(dir, 'events.jsonl');
if (opt.record) {
  fs.writeFileSync(file, `${events.map((e) => JSON.stringify(e)).join('\n')}\n`);
  console.log(`recorded ${events.length} events of ${requests.length} requests`);
} else {
  const want = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((l) => JSON.parse(l));
  const of = (list, i) => list.filter((e) => e.request === i).map(({ auditID, ...e }) => e);
  let bad = 0;
  for (const [i, r] of requests.entries()) {
    const diffs = differences(of(want, i), of(events, i)).filter((d) => !d.soft || opt.verbose);
    if (!diffs.length) continue;
    bad++;
    console.log(`differs ${i} ${r.method} ${r.path}`);
    for (const d of diffs.slice(0, opt.verbose ? 50 : 6))
      console.log(
        `   ${d.path}: expected ${JSON.stringify(d.expected)?.slice(0, 300)}, got ${JSON.stringify(d.actual)?.slice(0, 300)}`,
      );
  }
  console.log(`${requests.length - bad} of ${requests.length} requests audited as kube-apiserver does`);
  process.exitCode = bad ? 1 : 0;
}
process.exit();
