#!/usr/bin/env node
// Replays scenarios against an API server and compares its answers with those that kube-apiserver 1.36 gave:
//
//   node run.mjs --kubeconfig FILE [--only TEXT] [--strict] [--verbose] [--dir DIR] [--json FILE]
//                [--departures FILE]
//
// --departures names the steps where a server answers differently on purpose: a JSON list of
// { "step": "file/scenario#label", "reason": "…" }. With --record it writes expected/ from the server that it
// is pointed at, which should only ever be kube-apiserver.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Client, readKubeconfig } from './lib/client.mjs';
import { differences, Masks, normalise } from './lib/normalise.mjs';
import { startWebhook } from './lib/webhook.mjs';

const { values: opt } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    only: { type: 'string' },
    dir: { type: 'string' },
    json: { type: 'string' },
    departures: { type: 'string' },
    record: { type: 'boolean' },
    strict: { type: 'boolean' },
    verbose: { type: 'boolean' },
    list: { type: 'boolean' },
  },
});
const root = opt.dir ? path.resolve(opt.dir) : path.dirname(fileURLToPath(import.meta.url));
const scenarioDir = path.join(root, 'scenarios');
const expectedDir = path.join(root, 'expected');

class Scenario {
  steps = [];
  masks = new Masks();
  cleanups = [];
  constructor(client) {
    this.client = client;
  }

  #record(label, answer) {
    this.steps.push({ label, answer: normalise(answer, this.masks) });
  }

  /**
   * A request whose answer is compared. `pick(body)` narrows what is compared, for long or partly irrelevant
   * bodies.
   */
  async step(label, method, url, { body, headers = {}, type, pick } = {}) {
    if (type) headers = { ...headers, 'content-type': type };
    const res = await this.client.request(method, url, { body, headers });
    const warnings = res.headers.warning ? [res.headers.warning].flat() : undefined;
    const shown = { status: res.status, body: pick && res.status < 400 ? pick(res.body) : res.body };
    if (warnings) shown.warnings = warnings;
    this.#record(label, shown);
    return res.body;
  }

  /** A request that only sets the scene: it must succeed, and its answer is not compared. */
  async setup(method, url, { body, headers = {}, type } = {}) {
    if (type) headers = { ...headers, 'content-type': type };
    const res = await this.client.request(method, url, { body, headers });
    if (res.status >= 300)
      throw new Error(`set-up ${method} ${url}: ${res.status} ${JSON.stringify(res.body).slice(0, 600)}`);
    return res.body;
  }

  /**
   * A value computed by the scenario itself that is compared (a count of webhook calls, an order of names,
   * ...).
   */
  note(label, value) {
    this.#record(label, { value });
  }

  /** Opens a watch, runs `during`, and compares the `count` events that came. */
  async watch(label, url, { count, timeoutMs, headers, bookmarks, pick } = {}, during = async () => {}) {
    const w = await this.client.watch(url, { count, timeoutMs, headers, bookmarks });
    await during();
    const events = await w.finish();
    this.#record(label, { status: w.opened.status, events: pick ? events.map(pick) : events });
    return events;
  }

  /** Waits until `check` holds (it may request through t.client), without comparing anything. */
  async until(what, check, timeoutMs = 10_000) {
    const end = Date.now() + timeoutMs;
    for (;;) {
      if (await check()) return;
      if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
      await new Promise((r) => setTimeout(r, 40));
    }
  }

  /** Creates a CRD, waits until it is established and served in discovery, and removes it at the end. */
  async crd(crd) {
    const base = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await this.setup('POST', base, { body: crd });
    this.cleanups.push(() => this.client.request('DELETE', `${base}/${crd.metadata.name}`));
    await this.established(crd.metadata.name);
  }

  async established(name) {
    const url = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    let crd;
    await this.until(`${name} to be established`, async () => {
      crd = (await this.client.request('GET', url)).body;
      return crd.status?.conditions?.some((c) => c.type === 'Established' && c.status === 'True');
    });
    for (const v of crd.spec.versions.filter((v) => v.served)) {
      // 404: not routed yet; 429: its storage is still starting (which a list with a limit does not tell)
      await this.until(
        `${name} ${v.name} to be served`,
        async () =>
          ![404, 429].includes(
            (await this.client.request('GET', `/apis/${crd.spec.group}/${v.name}/${crd.spec.names.plural}`))
              .status,
          ),
      );
    }
  }

  async namespace(name) {
    const res = await this.client.request('POST', '/api/v1/namespaces', {
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    });
    if (res.status !== 201 && res.status !== 409)
      throw new Error(`namespace ${name}: ${res.status} ${JSON.stringify(res.body)}`);
    return name;
  }

  /** An HTTPS webhook on loopback: see lib/webhook.mjs. */
  async webhook(answer) {
    const hook = await startWebhook(answer);
    this.cleanups.push(() => hook.close());
    return hook;
  }

  onEnd(fn) {
    this.cleanups.push(fn);
  }
  sleep(ms) {
    return new Promise((r) => setTimeout(r, ms));
  }
}

const files = fs
  .readdirSync(scenarioDir)
  .filter((f) => f.endsWith('.mjs'))
  .sort();
const scenarios = [];
for (const f of files) {
  const mod = await import(pathToFileURL(path.join(scenarioDir, f)));
  for (const [name, run] of Object.entries(mod))
    if (typeof run === 'function') scenarios.push({ id: `${f.replace(/\.mjs$/, '')}/${name}`, run });
}
const chosen = scenarios.filter((s) => !opt.only || s.id.includes(opt.only));
if (opt.list) {
  for (const s of chosen) console.log(s.id);
  process.exit(0);
}
if (!opt.kubeconfig) {
  console.error('usage: node run.mjs --kubeconfig FILE [--only TEXT] [--strict] [--verbose]');
  process.exit(2);
}

const client = new Client(readKubeconfig(opt.kubeconfig));
const departures = new Map(
  opt.departures ? JSON.parse(fs.readFileSync(opt.departures, 'utf8')).map((d) => [d.step, d.reason]) : [],
);
const totals = { steps: 0, hard: 0, soft: 0, departed: 0, scenarios: 0, failed: 0 };
const report = [];
for (const { id, run } of chosen) {
  const t = new Scenario(client);
  let error;
  try {
    await run(t);
  } catch (e) {
    error = e;
  }
  for (const c of t.cleanups.reverse())
    try {
      await c();
    } catch {
      /* best effort */
    }
  const file = path.join(expectedDir, `${id.replace('/', '.')}.json`);
  if (opt.record) {
    if (error) {
      console.log(`NOT RECORDED ${id}: ${error.stack}`);
      process.exitCode = 1;
      continue;
    }
    fs.mkdirSync(expectedDir, { recursive: true });
    fs.writeFileSync(file, `${JSON.stringify(t.steps, null, 1)}\n`);
    console.log(`recorded ${id}: ${t.steps.length} steps`);
    continue;
  }
  const expected = JSON.parse(fs.readFileSync(file, 'utf8'));
  const problems = [];
  expected.forEach((want, i) => {
    totals.steps++;
    const got = t.steps[i];
    if (!got || got.label !== want.label) {
      problems.push({ step: want.label, missing: true });
      totals.hard++;
      return;
    }
    if (isDeepStrictEqual(want.answer, got.answer)) return;
    if (departures.has(`${id}#${want.label}`)) {
      totals.departed++;
      return;
    }
    const diffs = differences(want.answer, got.answer);
    const hard = diffs.filter((d) => !d.soft);
    if (hard.length) totals.hard++;
    else totals.soft++;
    problems.push({ step: want.label, hard, soft: diffs.filter((d) => d.soft) });
  });
  totals.scenarios++;
  const bad = error || problems.some((p) => p.missing || p.hard?.length || (opt.strict && p.soft?.length));
  if (bad) totals.failed++;
  report.push({ id, ok: !bad, error: error?.message, problems });
  console.log(`${bad ? 'FAIL' : 'ok  '} ${id}`);
  if (error) console.log(`     stopped: ${error.message}`);
  const show = (d) =>
    `       ${d.soft ? 'wording' : 'differs'} ${d.path}: expected ${JSON.stringify(d.expected)?.slice(0, 300)}, got ${JSON.stringify(d.actual)?.slice(0, 300)}`;
  for (const p of problems) {
    if (p.missing) {
      console.log(`     missing step: ${p.step}`);
      continue;
    }
    const lines = [...p.hard, ...(opt.strict || opt.verbose ? p.soft : [])];
    if (!lines.length) continue;
    console.log(`     ${p.step}`);
    for (const d of lines.slice(0, opt.verbose ? 50 : 6)) console.log(show(d));
  }
}
if (opt.json) fs.writeFileSync(opt.json, JSON.stringify({ totals, report }, null, 1));
if (!opt.record) {
  console.log(
    `${totals.steps - totals.hard - totals.departed} of ${totals.steps} steps as kube-apiserver answers (${totals.soft} with other wording, ${totals.departed} otherwise on purpose); ${totals.scenarios - totals.failed} passed, ${totals.failed} failed`,
  );
  process.exitCode = totals.failed ? 1 : 0;
}
process.exit();
