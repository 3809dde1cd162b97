// The calls of a conversion webhook for one write in a version that is not the storage version, and that
// nothing is stored whose answer cannot be made, whatever the engine does with the values it gets.
import { PATCH_MEDIA_TYPES } from '@instar/machinery';
import { openStore, type Store } from '@instar/store';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { copying } from '@instar/testing/store';
import { answering, ConversionWebhook, convertCronTab } from '@instar/testing/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const GROUP = 'stable.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const url = (version: string, name = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/default/crontabs${name === '' ? '' : `/${name}`}`;

const version = (name: string, time: string) => ({
  name,
  served: true,
  storage: name === 'v1',
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { [time]: { type: 'string' }, image: { type: 'string' } } },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
});

let api: EmbeddedApi;
let hook: ConversionWebhook;

async function define(): Promise<void> {
  await api.send('POST', CRDS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `crontabs.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
      versions: [version('v1', 'cronSpec'), version('v2', 'schedule')],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: hook.url, caBundle: hook.caBundle },
        },
      },
    },
  });
  await eventually('the CRD to be served', async () => (await api.send('GET', url('v1'))).status === 200);
}

/** Stored in v1 by a client of v1, who owns its fields in that version. */
async function create(metadata: object = {}): Promise<void> {
  const object = {
    apiVersion: `${GROUP}/v1`,
    kind: 'CronTab',
    metadata: { name: 'c', ...metadata },
    spec: { cronSpec: '* * * * *', image: 'i' },
  };
  const { status } = await api.send('POST', `${url('v1')}?fieldManager=author`, object);
  expect(status).toBe(201);
  hook.reviews.length = 0;
}

/** Converts this many reviews, then fails. */
function failAfter(calls: number): void {
  const convert = answering(convertCronTab);
  const fail = answering(() => {
    throw new Error('no more');
  });
  hook.answer = (review) => (hook.calls <= calls ? convert : fail)(review);
}

const engines: [string, (store: Store) => Store][] = [
  ['hands values on', (store) => store],
  ['copies values', copying],
];

describe.each(engines)('with an engine that %s', (_, engine) => {
  beforeEach(async () => {
    hook = new ConversionWebhook();
    await hook.start();
    api = await EmbeddedApi.start({ storage: engine(await openStore('memory:')) });
    await define();
  });
  afterEach(async () => {
    await api.close();
    await hook.stop();
  });

  it('a PATCH calls the webhook three times', async () => {
    await create();
    const { status, body } = await api.send('PATCH', url('v2', 'c'), { spec: { schedule: '1 * * * *' } });
    expect([status, body.apiVersion, body.spec]).toEqual([
      200,
      `${GROUP}/v2`,
      { schedule: '1 * * * *', image: 'i' },
    ]);
    expect(hook.reviews.map(({ request }) => [request.desiredAPIVersion, request.objects.length])).toEqual([
      [`${GROUP}/v2`, 1],
      [`${GROUP}/v1`, 2],
      [`${GROUP}/v2`, 1],
    ]);
    const stored = await api.send('GET', url('v1', 'c'));
    expect(stored.body.spec).toEqual({ cronSpec: '1 * * * *', image: 'i' });
    expect(stored.body.metadata.generation).toBe(2);
  });

  it('an apply calls the webhook three times', async () => {
    await create();
    const applied = { apiVersion: `${GROUP}/v2`, kind: 'CronTab', spec: { image: 'j' } };
    const { status, body } = await api.send(
      'PATCH',
      `${url('v2', 'c')}?fieldManager=applier&force=true`,
      applied,
      { 'content-type': PATCH_MEDIA_TYPES.apply },
    );
    expect([status, body.spec]).toEqual([200, { schedule: '* * * * *', image: 'j' }]);
    expect(hook.calls).toBe(3);
    expect((await api.send('GET', url('v1', 'c'))).body.spec).toEqual({ cronSpec: '* * * * *', image: 'j' });
  });

  it('a PUT of the status calls the webhook three times', async () => {
    await create();
    const { body } = await api.send('GET', url('v2', 'c'));
    const { status } = await api.send('PUT', `${url('v2', 'c')}/status`, { ...body, status: { a: 1 } });
    expect(status).toBe(200);
    expect(hook.calls).toBe(3);
    expect((await api.send('GET', url('v1', 'c'))).body.status).toEqual({ a: 1 });
  });

  it('a label that a PATCH sets is stored, with the spec that was converted for its owners', async () => {
    await create();
    const patch = { metadata: { labels: { a: 'b' } }, spec: { image: 'k' } };
    await api.send('PATCH', url('v2', 'c'), patch);
    const { body } = await api.send('GET', url('v1', 'c'));
    expect([body.metadata.labels, body.spec]).toEqual([{ a: 'b' }, { cronSpec: '* * * * *', image: 'k' }]);
  });

  it.each([
    [0, 500, 'i'],
    [1, 500, 'i'],
    [2, 500, 'i'],
    [3, 200, 'x'],
  ])('a webhook that fails after %i calls answers a PATCH with %i', async (calls, status, image) => {
    await create();
    failAfter(calls);
    expect((await api.send('PATCH', url('v2', 'c'), { spec: { image: 'x' } })).status).toBe(status);
    expect((await api.send('GET', url('v1', 'c'))).body.spec.image).toBe(image);
  });

  it('a deletion that waits for finalizers needs no conversion after the mark', async () => {
    await create({ finalizers: ['example.com/hold'] });
    // The object as admission sees it, in the storage version with its mark, and back.
    failAfter(3);
    const { status, body } = await api.send('DELETE', url('v2', 'c'));
    expect([status, body.kind, body.spec]).toEqual([200, 'CronTab', { schedule: '* * * * *', image: 'i' }]);
    expect(hook.calls).toBeLessThanOrEqual(3);
    expect((await api.send('GET', url('v1', 'c'))).body.metadata.deletionTimestamp).toBeDefined();
  });
});
