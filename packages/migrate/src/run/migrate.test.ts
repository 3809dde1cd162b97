import { join } from 'node:path';
import type { KubeApi } from '@instar/client';
import { apiErrors } from '@instar/machinery';
import { eventually, temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { answering, ConversionWebhook, convertCronTab } from '@instar/testing/webhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { crdRef, readDefinition } from '../definition/definition.ts';
import { switchStorage } from '../definition/switch-storage.ts';
import { readStored } from '../stored/read-stored.ts';
import { asForeign } from '../testing/foreign-api.ts';
import { migrate } from './migrate.ts';
import type { ReportEntry } from './outcome.ts';
import { Pace } from './pace.ts';
import { StateFile } from './state-file.ts';

const GROUP = 'stable.example.com';
const NAME = `crontabs.${GROUP}`;
const OBJECTS = 100;
const objects = { group: GROUP, version: 'v1', resource: 'crontabs', namespace: 'default' };
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

let server: EmbeddedApi;
let api: KubeApi;
let hook: ConversionWebhook;
let folder: string;

beforeEach(async () => {
  folder = temporaryFolder(onTestFinished);
  hook = new ConversionWebhook();
  await hook.start();
  server = await EmbeddedApi.start();
  api = server.client();
  const webhook = {
    conversionReviewVersions: ['v1'],
    clientConfig: { caBundle: hook.caBundle, url: hook.url },
  };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const names = { plural: 'crontabs', kind: 'CronTab' };
  const spec = {
    group: GROUP,
    scope: 'Namespaced',
    names,
    versions,
    conversion: { strategy: 'Webhook', webhook },
  };
  await api.create(
    { ...crdRef(NAME) },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: NAME },
      spec,
    },
  );
  await eventually('the definition to be served', () => api.findResource(NAME));
  const create = (i: number) => ({
    metadata: { name: `c${String(i).padStart(3, '0')}` },
    spec: { cronSpec: '* * * * *' },
  });
  const all = Array.from({ length: OBJECTS }, (_, i) => ({
    apiVersion: `${GROUP}/v1`,
    kind: 'CronTab',
    ...create(i),
  }));
  await Promise.all(all.map((object) => api.create(objects, object)));
  await switchStorage(api, await readDefinition(api, 'crontabs'), 'v2');
});

afterEach(async () => {
  await server.close();
  await hook.stop();
});

it('waits for 503 as for 429, also when it removes stored versions', async () => {
  const unavailable = apiErrors.serviceUnavailable('the storage of the server cannot take the request now');
  const body = Buffer.from(JSON.stringify(unavailable.status));
  const request = vi.spyOn(api, 'request').mockResolvedValueOnce({ status: 503, headers: {}, body });
  const patch = vi.spyOn(api, 'patch').mockRejectedValueOnce(unavailable);
  const { pruning } = await migrate(api, await readDefinition(api, NAME));
  expect(pruning).toEqual({ pruned: ['v1'], storedVersions: ['v2'] });
  expect(patch).toHaveBeenCalledTimes(2);
  request.mockRestore();
});

/** One in a hundred cannot be converted. */
const breakSome = () => {
  hook.answer = answering((object, desired) => {
    if (object.metadata.name.endsWith('42')) throw new Error('it is odd');
    return convertCronTab(object, desired);
  });
};

const storedVersions = async () => (await readDefinition(api, NAME)).status.storedVersions;

describe('a migration through the API', () => {
  it('prunes the old version after rewriting everything', async () => {
    const { counts, pruning } = await migrate(api, await readDefinition(api, NAME));
    expect(counts).toMatchObject({ rewritten: OBJECTS, failed: 0 });
    expect(pruning).toEqual({ pruned: ['v1'], storedVersions: ['v2'] });
    const stored = await readStored(api, await readDefinition(api, NAME));
    expect(stored).toMatchObject({
      known: true,
      honest: true,
      versions: [
        { version: 'v2', objects: OBJECTS },
        { version: 'v1', objects: 0 },
      ],
    });
  });

  it('skips what cannot be converted until it can be', async () => {
    breakSome();
    const report: ReportEntry[] = [];
    const { counts, pruning } = await migrate(api, await readDefinition(api, NAME), {
      report: (entry) => report.push(entry),
    });
    expect(counts).toMatchObject({ rewritten: OBJECTS - 1, failed: 1 });
    const failed = report.filter(({ kind }) => kind === 'failed');
    expect(failed.map(({ name }) => name).sort()).toEqual(['c042']);
    expect(failed[0]).toMatchObject({ from: 'v1', reason: expect.stringContaining('it is odd') as string });
    expect(pruning).toEqual({ kept: ['v1', 'v2'], reason: 'the server still stores 1 in v1' });
    hook.answer = answering(convertCronTab);
    expect(await migrate(api, await readDefinition(api, NAME))).toMatchObject({
      counts: { rewritten: 1, current: OBJECTS - 1 },
    });
    expect(await storedVersions()).toEqual(['v2']);
  });

  it('only counts in a dry run what would be rewritten or fail', async () => {
    breakSome();
    const before = await api.list(objects, { limit: 1 });
    const { counts } = await migrate(api, await readDefinition(api, NAME), { dryRun: true });
    expect(counts).toMatchObject({ rewritten: OBJECTS - 1, failed: 1 });
    expect((await api.list(objects, { limit: 1 })).items[0]?.metadata.resourceVersion).toBe(
      before.items[0]?.metadata.resourceVersion,
    );
  });

  it('resumes after the last finished page when it was stopped', async () => {
    const state = new StateFile(join(folder, 'state.json'));
    const stop = new AbortController();
    let seen = 0;
    const options = {
      state,
      pageSize: 20,
      concurrency: 4,
      signal: stop.signal,
      progress: () => void (++seen === 50 && stop.abort(new Error('stopped'))),
    };
    await expect(migrate(api, await readDefinition(api, NAME), options)).rejects.toThrow();
    expect(await state.read()).toMatchObject({ finished: false, counts: { rewritten: 40 } });
    const { counts } = await migrate(api, await readDefinition(api, NAME), {
      state,
      pageSize: 20,
      resume: true,
    });
    // The pages are those of the time at which the first run began: what it did after its last page counts as
    // done by others.
    expect(counts.rewritten + counts.overtaken).toBe(OBJECTS);
    expect(counts.overtaken).toBeLessThan(20);
  });

  it('does nothing while it is paused', async () => {
    const pace = new Pace(0, new AbortController().signal);
    pace.pause();
    const turns = vi.spyOn(pace, 'turn');
    let done = 0;
    const running = migrate(api, await readDefinition(api, NAME), { pace, progress: () => void done++ });
    await eventually('the migration to wait for its turn', () => turns.mock.calls.length > 0);
    expect(done).toBe(0);
    pace.resume();
    expect((await running).counts.rewritten).toBe(OBJECTS);
  });

  it('never overwrites a concurrent write', async () => {
    const ref = { ...objects, version: 'v2', name: 'c000' };
    let isWritten = false;
    const racing = asForeign(api);
    const write = async (): Promise<void> => {
      isWritten = true;
      await api.patch(ref, { spec: { image: 'theirs' } }, { type: 'merge' });
    };
    // The page has been read when the first patch is sent; by then the object has changed.
    const request: KubeApi['request'] = async (asked) => {
      if (asked.method === 'PATCH' && !isWritten) await write();
      return racing.request(asked);
    };
    const { counts } = await migrate(
      new Proxy(racing, {
        get: (target, name) => (name === 'request' ? request : Reflect.get(target, name)),
      }),
      await readDefinition(api, NAME),
    );
    expect(counts.overtaken).toBeGreaterThanOrEqual(1);
    expect(await api.get(ref)).toMatchObject({ spec: { image: 'theirs', schedule: '* * * * *' } });
  });
});

describe('on a server without a census', () => {
  it('says that the stored versions are not known', async () => {
    const foreign = asForeign(api);
    expect(await readStored(foreign, await readDefinition(api, NAME))).toMatchObject({
      known: false,
      claimed: ['v1', 'v2'],
      looked: OBJECTS,
      managedFields: [{ version: 'v1', objects: OBJECTS, defined: true }],
    });
  });

  it('proves by a whole pass under one definition that a version is unused', async () => {
    const foreign = asForeign(api);
    expect(await migrate(foreign, await readDefinition(api, NAME))).toMatchObject({
      counts: { rewritten: OBJECTS },
      pruning: { pruned: ['v1'] },
    });
    expect(await readStored(api, await readDefinition(api, NAME))).toMatchObject({
      honest: true,
      claimed: ['v2'],
    });
  });

  it('skips what cannot be converted, although that fails whole lists', async () => {
    breakSome();
    const foreign = asForeign(api);
    await expect(api.list({ ...objects, version: 'v2' })).rejects.toThrow('it is odd');
    const { counts, pruning } = await migrate(foreign, await readDefinition(api, NAME));
    expect(counts).toMatchObject({ rewritten: OBJECTS - 1, failed: 1 });
    expect(pruning).toEqual({ kept: ['v1', 'v2'], reason: '1 object could not be rewritten' });
  });

  it('prunes nothing if the definition changed in the meantime', async () => {
    const foreign = asForeign(api);
    const before = await readDefinition(api, NAME);
    await api.patch(crdRef(NAME), { spec: { names: { shortNames: ['ct'] } } }, { type: 'merge' });
    const { pruning } = await migrate(foreign, before);
    expect(pruning).toMatchObject({
      kept: ['v1', 'v2'],
      reason: expect.stringContaining('changed') as string,
    });
  });
});
