// KEP-598: what the feature gate CustomResourceWebhookConversion protects, and what a rollback to a server
// without it leaves behind.
import { openStore } from '@instar/store';
import { eventually, temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { ConversionWebhook } from '@instar/testing/webhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const GROUP = 'stable.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const BETA_CRDS = '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions';
const NAME = `crontabs.${GROUP}`;
const names = { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' };
const url = (version: string, name = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/default/crontabs${name === '' ? '' : `/${name}`}`;

const schema = (field: string) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
  },
});
const version = (name: string, field: string, rest: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: schema(field),
  ...rest,
});
const crd = (spec: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME },
  spec: { group: GROUP, scope: 'Namespaced', names, ...spec },
});
const betaCrd = (spec: object) => ({ ...crd(spec), apiVersion: 'apiextensions.k8s.io/v1beta1' });
const TWO_VERSIONS = [version('v1', 'cronSpec'), version('v2', 'schedule')];

let directory: string;
let api: EmbeddedApi;
let hook: ConversionWebhook;

const byWebhook = () => ({
  strategy: 'Webhook',
  webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: hook.url, caBundle: hook.caBundle } },
});

async function startWith(allowed: boolean): Promise<void> {
  await api?.close();
  const storage = await openStore(`lmdb:${directory}`);
  api = await EmbeddedApi.start({ storage, featureGates: { CustomResourceWebhookConversion: allowed } });
}

const served = (version: string) =>
  eventually('the definition to be served', async () => (await api.send('GET', url(version))).status === 200);

beforeEach(async () => {
  directory = temporaryFolder(onTestFinished);
  hook = new ConversionWebhook();
  await hook.start();
});

afterEach(async () => {
  await api.close();
  await hook.stop();
});

describe('with the gate off', () => {
  beforeEach(() => startWith(false));

  it('a create loses its settings per version', async () => {
    const versions = [
      { name: 'v1', served: true, storage: true, schema: schema('a') },
      { name: 'v2', served: true, storage: false, schema: schema('b') },
    ];
    const made = await api.send('POST', BETA_CRDS, betaCrd({ versions }));
    expect(made.status).toBe(201);
    expect(made.body.spec.versions).toEqual([
      { name: 'v1', served: true, storage: true },
      { name: 'v2', served: true, storage: false },
    ]);
  });

  it('a create with a webhook is refused', async () => {
    const refused = await api.send(
      'POST',
      CRDS,
      crd({ versions: [version('v1', 'a')], conversion: byWebhook() }),
    );
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain(
      'required when strategy is set to Webhook, but not allowed because the CustomResourceWebhookConversion feature is disabled',
    );
  });

  it('v1 keeps only what all versions share', async () => {
    const columns = (jsonPath: string) => ({
      additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath }],
    });
    const versions = [version('v1', 'a', columns('.spec.a')), version('v2', 'a', columns('.spec.b'))];
    const made = await api.send('POST', `${CRDS}?dryRun=All`, crd({ versions }));
    expect(made.body.spec.versions.map(Object.keys)).toEqual([
      expect.not.arrayContaining(['additionalPrinterColumns']),
      expect.anything(),
    ]);
    expect(made.body.spec.versions[1].schema).toEqual(schema('a'));
  });

  it('v1 refuses differing schemas because of the gate', async () => {
    const refused = await api.send('POST', CRDS, crd({ versions: TWO_VERSIONS }));
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('the CustomResourceWebhookConversion feature is disabled');
  });

  it('an update may change only the settings per version that exist', async () => {
    await startWith(true);
    await api.send('POST', CRDS, crd({ versions: TWO_VERSIONS }));
    await served('v1');
    await startWith(false);
    const changed = await api.send('PATCH', `${CRDS}/${NAME}`, {
      spec: { versions: [version('v1', 'x'), version('v2', 'y')] },
    });
    expect(changed.body.spec.versions.map(({ schema: s }: { schema: unknown }) => s)).toEqual([
      schema('x'),
      schema('y'),
    ]);
    const subresources = { subresources: { status: {} } };
    const added = await api.send('PATCH', `${CRDS}/${NAME}`, {
      spec: { versions: [version('v1', 'x', subresources), version('v2', 'y')] },
    });
    expect(added.body.spec.versions[0].subresources).toBeUndefined();
    expect(added.body.spec.versions[1].schema).toEqual(schema('y'));
  });
});

// "Upgrade/Rollback Scenarios", scenario 2, and "Rollback" 1 to 4 of the documents.
it('a rollback makes objects unavailable without losing any of them', async () => {
  await startWith(true);
  await api.send('POST', CRDS, crd({ versions: TWO_VERSIONS, conversion: byWebhook() }));
  await served('v1');
  await api.send('POST', url('v1'), {
    apiVersion: `${GROUP}/v1`,
    kind: 'CronTab',
    metadata: { name: 'one' },
    spec: { cronSpec: '1' },
  });
  await api.send('PATCH', `${CRDS}/${NAME}`, {
    spec: { versions: TWO_VERSIONS.map((v) => ({ ...v, storage: v.name === 'v2' })) },
  });
  await eventually(
    'v2 to be stored',
    async () => (await api.send('GET', `${CRDS}/${NAME}`)).body.status.storedVersions.length === 2,
  );
  await api.send('POST', url('v2'), {
    apiVersion: `${GROUP}/v2`,
    kind: 'CronTab',
    metadata: { name: 'two' },
    spec: { schedule: '2' },
  });
  const before = (await api.send('GET', url('v1'))).body.items;
  const callsBefore = hook.calls;

  await startWith(false);
  await eventually(
    'the definition to be known',
    async () => (await api.send('GET', url('v1'))).status !== 404,
  );
  const body = { apiVersion: `${GROUP}/v1`, kind: 'CronTab', metadata: { name: 'three' }, spec: {} };
  for (const answer of [
    await api.send('GET', url('v1')),
    await api.send('GET', url('v2')),
    await api.send('GET', url('v1', 'one')),
    await api.send('GET', url('v2', 'none')),
    await api.send('GET', `${url('v1')}?watch=true`),
    await api.send('POST', url('v1'), body),
    await api.send('DELETE', url('v1', 'one')),
  ]) {
    expect(answer.status).toBe(500);
    expect(answer.body.message).toContain('webhook conversion is disabled on this server');
  }
  const kept = await api.send('PATCH', `${CRDS}/${NAME}`, { metadata: { labels: { a: 'b' } } });
  expect(kept.body.spec.conversion.strategy).toBe('Webhook');
  expect(hook.calls).toBe(callsBefore);

  await startWith(true);
  await served('v1');
  expect((await api.send('GET', url('v1'))).body.items).toEqual(before);
});

// "Step 5 alternative" of the documents: to go back to one version while objects are stored in both.
it('a version in which objects are stored can be unserved, but not removed', async () => {
  await startWith(true);
  await api.send('POST', CRDS, crd({ versions: TWO_VERSIONS }));
  await served('v2');
  await api.send('PATCH', `${CRDS}/${NAME}`, {
    spec: { versions: TWO_VERSIONS.map((v) => ({ ...v, storage: v.name === 'v2' })) },
  });
  const removed = await api.send('PATCH', `${CRDS}/${NAME}`, {
    spec: { versions: [version('v1', 'cronSpec')] },
  });
  expect(removed.status).toBe(422);
  expect(removed.body.message).toContain('status.storedVersions');
  const unserved = [version('v1', 'cronSpec'), version('v2', 'schedule', { served: false })];
  expect((await api.send('PATCH', `${CRDS}/${NAME}`, { spec: { versions: unserved } })).status).toBe(200);
});
