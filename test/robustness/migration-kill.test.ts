// A migration that is killed twice while it runs, with a server that is killed too, while clients write:
// nothing is lost, no update is overwritten, and in the end everything is stored in the new version.
// INSTAR_MIGRATION_OBJECTS=100000 makes it a long test.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@instar/testing';
import { ApiClient, type ApiObject } from '@instar/testing/api';
import { printLogsOnFailure, Run, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, expect, it } from 'vitest';

const OBJECTS = Number(process.env['INSTAR_MIGRATION_OBJECTS'] ?? 2_000);
/** Many objects take long, and the machine may be busy. */
const TIMEOUT_MS = Math.max(180_000, OBJECTS * 30);
const WRITERS = 4;
const GROUP = 'stable.example.com';
const CRD = `crontabs.${GROUP}`;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = (version: string, name = '') =>
  `/apis/${GROUP}/${version}/namespaces/default/crontabs${name && `/${name}`}`;
const nameOf = (index: number) => `c${String(index).padStart(6, '0')}`;

interface CronTab extends ApiObject {
  readonly spec: Readonly<Record<string, number>>;
}

const definition = (stored: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: CRD },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === stored,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
});

/** Writes its own field to any object, in either version, and records what was acknowledged. */
class Writer {
  readonly acknowledged = new Map<string, number>();
  readonly #client: ApiClient;
  readonly #field: string;
  #count = 0;
  #stopped = false;
  #running = Promise.resolve();

  constructor(client: ApiClient, field: string) {
    this.#client = client;
    this.#field = field;
  }

  start(): void {
    this.#stopped = false;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  check(objects: ReadonlyMap<string, CronTab>): void {
    for (const [name, count] of this.acknowledged)
      expect([name, objects.get(name)?.spec[this.#field]]).toEqual([name, count]);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const name = nameOf(Math.floor(Math.random() * OBJECTS));
      const count = ++this.#count;
      const patch = { spec: { [this.#field]: count } };
      const { status, body } = await this.#client.send(
        'PATCH',
        path(count % 2 === 0 ? 'v1' : 'v2', name),
        patch,
      );
      expect(status, JSON.stringify(body)).toBe(200);
      this.acknowledged.set(name, count);
      await sleep(1);
    }
  }
}

let server: ServerProcess;
let client: ApiClient;
printLogsOnFailure(() => [server]);

beforeAll(async () => {
  server = await ServerProcess.start({ storage: 'lmdb' });
  client = new ApiClient(await server.access());
  await client.send('POST', CRDS, definition('v1'));
  await eventually('the definition to be served', () => client.send('GET', path('v1')), {
    holds: ({ status }) => status === 200,
  });
  let next = 0;
  const create = async (): Promise<void> => {
    for (let index = next++; index < OBJECTS; index = next++) {
      const object = {
        apiVersion: `${GROUP}/v1`,
        kind: 'CronTab',
        metadata: { name: nameOf(index) },
        spec: { seed: index },
      };
      expect((await client.send('POST', path('v1'), object)).status).toBe(201);
    }
  };
  await Promise.all(Array.from({ length: 32 }, create));
  await client.send('PATCH', `${CRDS}/${CRD}`, { spec: definition('v2').spec });
}, TIMEOUT_MS);

afterAll(async () => {
  await client.close();
  await server.remove();
});

/** Everything, page by page. */
async function readAll(): Promise<Map<string, CronTab>> {
  const found = new Map<string, CronTab>();
  for (let next = ''; ; ) {
    const { body } = await client.send('GET', `${path('v2')}?limit=2000${next && `&continue=${next}`}`);
    for (const item of body.items as CronTab[]) found.set(item.metadata.name, item);
    next = (body.metadata as { continue?: string }).continue ?? '';
    if (next === '') return found;
  }
}

it(`migrates ${OBJECTS} objects without overwriting an update although it is killed twice`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const state = join(server.dataDir, 'state.json');
  const flags = [
    'migrate',
    CRD,
    '--kubeconfig',
    server.kubeconfig,
    '--state',
    state,
    '--page',
    '100',
    '--concurrency',
    '64',
    '--resume',
  ];
  const rate = OBJECTS > 10_000 ? [] : ['--rate', '2000'];
  const done = async (): Promise<number> => {
    if (!existsSync(state)) return 0;
    const { counts } = JSON.parse(await readFile(state, 'utf8')) as { counts: Record<string, number> };
    return counts['rewritten']! + counts['current']! + counts['overtaken']!;
  };
  const killAt = async (share: number): Promise<void> => {
    const run = new Run(...flags, ...rate);
    while ((await done()) < OBJECTS * share && run.child.exitCode === null) await sleep(10);
    expect(await run.end('SIGKILL'), run.stderr).toBe('SIGKILL');
  };
  const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(client, `w${index}`));
  for (const writer of writers) writer.start();
  await killAt(0.2);
  await killAt(0.5);
  for (const writer of writers) await writer.stop();
  await server.kill();
  await server.startAgain();
  for (const writer of writers) writer.start();
  const last = new Run(...flags);
  expect(await last.ended, last.stderr + last.stdout).toBe(0);
  for (const writer of writers) await writer.stop();

  const objects = await readAll();
  expect(objects.size).toBe(OBJECTS);
  for (let index = 0; index < OBJECTS; index++) expect(objects.get(nameOf(index))?.spec['seed']).toBe(index);
  for (const writer of writers) writer.check(objects);
  expect(writers.every(({ acknowledged }) => acknowledged.size > 0)).toBe(true);
  const report = await client.send('GET', `/apis/instar.dev/v1alpha1/storedversions/${CRD}`);
  expect(report.body.status).toMatchObject({ objects: OBJECTS, claimed: ['v2'], honest: true });
  expect(existsSync(state)).toBe(false);
  await rm(state, { force: true });
});
