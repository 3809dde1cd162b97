import { createHash } from 'node:crypto';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { answering, ConversionWebhook, convertCronTab } from '@instar/testing/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const GROUP = 'stable.example.com';
const NAME = `crontabs.${GROUP}`;
const CRD = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${NAME}`;
const MIGRATIONS = '/apis/storagemigration.k8s.io/v1/storageversionmigrations';
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

let api: EmbeddedApi;
let hook: ConversionWebhook;

const url = (version: string, name = '') =>
  `/apis/${GROUP}/${version}/namespaces/default/crontabs${name && `/${name}`}`;
const versions = (stored: string) =>
  ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === stored, schema }));

async function define(stored: string): Promise<void> {
  const webhook = {
    conversionReviewVersions: ['v1'],
    clientConfig: { caBundle: hook.caBundle, url: hook.url },
  };
  const spec = {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab' },
    versions: versions(stored),
    conversion: { strategy: 'Webhook', webhook },
  };
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec,
  };
  const created = await api.send('POST', CRD.slice(0, CRD.lastIndexOf('/')), body);
  if (created.status !== 201) await api.send('PATCH', CRD, { spec: { versions: spec.versions } });
  const hash = createHash('sha256')
    .update(`${GROUP}/${stored}/CronTab`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
  await eventually('the definition to be served', async () => {
    const { resources = [] } = (await api.send('GET', `/apis/${GROUP}/v2`)).body;
    return resources[0]?.storageVersionHash === hash;
  });
}

const create = (name: string) =>
  api.send('POST', url('v1'), {
    apiVersion: `${GROUP}/v1`,
    kind: 'CronTab',
    metadata: { name },
    spec: { cronSpec: '* * * * *' },
  });

async function migrate(
  name: string,
  resource = { group: GROUP, resource: 'crontabs' },
): Promise<Record<string, string>> {
  const body = {
    apiVersion: 'storagemigration.k8s.io/v1',
    kind: 'StorageVersionMigration',
    metadata: { name },
    spec: { resource },
  };
  expect((await api.send('POST', MIGRATIONS, body)).status).toBe(201);
  let conditions: { type: string; status: string; message: string }[] = [];
  await eventually('the migration to be over', async () => {
    conditions = (await api.send('GET', `${MIGRATIONS}/${name}`)).body.status.conditions ?? [];
    return conditions.some(({ type, status }) => type === 'Running' && status === 'False');
  });
  return Object.fromEntries(conditions.map(({ type, status, message }) => [type, `${status}: ${message}`]));
}

beforeEach(async () => {
  api = await EmbeddedApi.start();
  hook = new ConversionWebhook();
  await hook.start();
});

afterEach(async () => {
  await api.close();
  await hook.stop();
});

describe('a StorageVersionMigration', () => {
  it('rewrites every object in the storage version', async () => {
    await define('v1');
    for (let i = 0; i < 30; i++) await create(`c${i}`);
    const before = (await api.send('GET', url('v1', 'c7'))).body;
    await define('v2');
    const { resourceVersion } = (await api.send('GET', url('v1'))).body.metadata;
    const watch = await api.firstEvents(`${url('v1')}?watch=true&resourceVersion=${resourceVersion}`, 30);
    const conditions = await migrate('all');
    expect(conditions).toEqual({
      Running: 'False: Migration completed',
      Succeeded: 'True: Migration completed',
    });
    const after = (await api.send('GET', `${url('v1', 'c7')}?instar.dev/showStoredVersion=true`)).body;
    expect(after.metadata.annotations).toEqual({ 'instar.dev/stored-version': 'v2' });
    expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    const { resourceVersion: _, ...metadata } = before.metadata;
    expect((await api.send('GET', url('v1', 'c7'))).body).toMatchObject({ ...before, metadata });
    const crd = (await api.send('GET', CRD)).body;
    expect(crd.status.storedVersions).toEqual(['v2']);
    expect(crd.status.conditions.at(-1)).toMatchObject({
      type: 'StorageMigrating',
      status: 'False',
      reason: 'MigrationSucceeded',
    });
    const events = (await watch.events).filter(({ type }) => type === 'MODIFIED');
    expect(events).toHaveLength(30);
    expect(new Set(events.map(({ object }) => object.metadata.resourceVersion)).size).toBe(30);
  });

  it('of lenses, which have no definition, ends', async () => {
    expect(await migrate('lenses', { group: 'instar.dev', resource: 'lenses' })).toMatchObject({
      Succeeded: 'True: Migration completed',
    });
  });

  it('stores nothing that was converted under an earlier definition', async () => {
    await define('v1');
    await create('one');
    await define('v2');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const wrong = answering((object, apiVersion) => ({ ...object, apiVersion, spec: { schedule: 'wrong' } }));
    hook.answer = async (review) => {
      await held;
      return wrong(review);
    };
    const migrated = migrate('all');
    await eventually('the webhook to be asked', async () => hook.calls > 0);
    hook.answer = answering(convertCronTab);
    await api.send('PATCH', CRD, {
      spec: { conversion: { webhook: { clientConfig: { url: `${hook.url}/mended` } } } },
    });
    await eventually(
      'the new way to count',
      async () => (await api.send('GET', url('v2', 'one'))).body.spec.schedule === '* * * * *',
    );
    release();
    expect(await migrated).toMatchObject({ Succeeded: 'True: Migration completed' });
    expect((await api.send('GET', url('v2', 'one'))).body.spec).toEqual({ schedule: '* * * * *' });
  });

  it('migrates all but the objects that cannot be converted, whose version it does not prune', async () => {
    await define('v1');
    for (let i = 0; i < 10; i++) await create(`c${i}`);
    await define('v2');
    hook.answer = answering((object, desired) => {
      if (object.metadata.name === 'c3') throw new Error('c3 is odd');
      return convertCronTab(object, desired);
    });
    const { Failed } = await migrate('most');
    expect(Failed).toMatch(
      /^True: 1\/10 not yet migrated\. migration encountered unhandled error: default\/c3: .*c3 is odd/,
    );
    const { status } = (
      await api.send('GET', `/apis/instar.dev/v1alpha1/storedversions/${NAME}?conversions=true`)
    ).body;
    expect(
      status.versions.map(({ version, objects }: { version: string; objects: number }) => [version, objects]),
    ).toEqual([
      ['v2', 9],
      ['v1', 1],
    ]);
    expect(status.conversions).toMatchObject({
      to: 'v2',
      tried: 1,
      failures: [{ namespace: 'default', name: 'c3', version: 'v1' }],
    });
    expect((await api.send('GET', CRD)).body.status.storedVersions).toEqual(['v1', 'v2']);
  });

  it('stores nothing that exceeds the size limit of writes', async () => {
    await define('v1');
    await create('small');
    await create('large');
    hook.answer = answering((object, to) => {
      const converted = convertCronTab(object, to) as { spec: object };
      if (object.metadata.name !== 'large') return converted;
      return { ...converted, spec: { ...converted.spec, padding: 'x'.repeat(1.6 * 1024 * 1024) } };
    });
    await define('v2');
    const { Failed = '' } = await migrate('too-large');
    expect(Failed).toMatch(/large: it would have \d+ bytes in stable.example.com\/v2: limit is 1572864/);
    expect((await api.send('GET', CRD)).body.status.storedVersions).toEqual(['v1', 'v2']);
  });

  it('overwrites no concurrent write', async () => {
    await define('v1');
    const names = Array.from({ length: 60 }, (_, i) => `c${i}`);
    await Promise.all(names.map(create));
    await define('v2');
    const migrating = migrate('racing');
    for (let round = 1; round <= 3; round++)
      await Promise.all(names.map((name) => api.send('PATCH', url('v1', name), { spec: { round } })));
    expect(await migrating).toMatchObject({ Succeeded: 'True: Migration completed' });
    const { items } = (await api.send('GET', url('v1'))).body;
    expect(items.map(({ spec }: { spec: object }) => spec)).toEqual(
      names.map(() => ({ cronSpec: '* * * * *', round: 3 })),
    );
    expect((await api.send('GET', CRD)).body.status.storedVersions).toEqual(['v2']);
  });

  it('of a built-in resource has nothing to do', async () => {
    expect(await migrate('configmaps', { group: '', resource: 'configmaps' })).toMatchObject({
      Succeeded: 'True: Migration completed',
    });
  });

  it('names a valid resource, which cannot be changed', async () => {
    const bad = { metadata: { name: 'bad' }, spec: { resource: { group: 'A B', resource: '' } } };
    const { status, body } = await api.send('POST', MIGRATIONS, bad);
    expect(status).toBe(422);
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      'spec.resource.resource',
      'spec.resource.group',
    ]);
  });
});
