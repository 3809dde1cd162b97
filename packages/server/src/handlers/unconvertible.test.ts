// What can be done with objects while they cannot be converted: delete them, and look at their metadata.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answering, ConversionWebhook, convertCronTab } from '../testing/conversion-webhook.ts';
import { EmbeddedApi } from '../testing/embedded-api.ts';

const GROUP = 'stable.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const METADATA_ONLY = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
const METADATA_LIST = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };
const SKIP = '?instar.dev/skipUnconvertible=true';
const HELD = { finalizers: ['example.com/hold'] };

const url = (version: string, name = ''): string => `/apis/${GROUP}/${version}/namespaces/default/crontabs${name === '' ? '' : `/${name}`}`;

const versions = (storage: string) =>
  ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === storage,
    ...(name === 'v2' && { selectableFields: [{ jsonPath: '.spec.image' }] }),
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { [name === 'v1' ? 'cronSpec' : 'schedule']: { type: 'string' }, image: { type: 'string', default: 'i' } },
          },
        },
      },
    },
  }));

const cronTab = (name: string, metadata: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'CronTab',
  metadata: { name, ...metadata },
  spec: { cronSpec: '* * * * *' },
});

let api: EmbeddedApi;
let hook: ConversionWebhook;

async function define(): Promise<void> {
  const names = { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' };
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: hook.url, caBundle: hook.caBundle } };
  const spec = { group: GROUP, scope: 'Namespaced', names, versions: versions('v1'), conversion: { strategy: 'Webhook', webhook } };
  await api.send('POST', CRDS, { metadata: { name: `crontabs.${GROUP}` }, spec });
  await api.until('the definition to be served', async () => (await api.send('GET', url('v1'))).status === 200);
}

const create = (name: string, metadata?: object) => api.send('POST', url('v1'), cronTab(name, metadata));
const names = async (): Promise<string[]> =>
  (await api.send('GET', url('v1'))).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);

beforeEach(async () => {
  api = await EmbeddedApi.start();
  hook = new ConversionWebhook();
  await hook.start();
  await define();
});

afterEach(async () => {
  await api.close();
  await hook.stop();
});

describe('with the webhook down, an object that is stored in another version than new ones are', () => {
  beforeEach(async () => {
    await create('held', HELD);
    await create('free');
    await api.send('PATCH', `${CRDS}/crontabs.${GROUP}`, { spec: { versions: versions('v2') } });
    await hook.stop();
    await api.until('v2 to be stored', async () => (await api.send('POST', `${url('v1')}?dryRun=All`, cronTab('new'))).status === 500);
  });

  it('is marked in the version that it is stored in, and stays in it', async () => {
    const marked = await api.send('DELETE', url('v1', 'held'));
    expect(marked).toMatchObject({ status: 200, body: { apiVersion: `${GROUP}/v1`, spec: { cronSpec: '* * * * *', image: 'i' } } });
    expect(marked.body.metadata).toMatchObject({ ...HELD, deletionTimestamp: expect.any(String), generation: 2 });
    expect((await api.send('GET', url('v1', 'held'))).body).toEqual(marked.body);
  });

  it.each(['Foreground', 'Orphan'])('goes with propagation %s', async (policy) => {
    expect((await api.send('DELETE', `${url('v1', 'free')}?propagationPolicy=${policy}`)).status).toBe(200);
    await api.until('it to go', async () => (await api.send('GET', url('v1', 'free'))).status === 404);
  });

  it('is marked in any version by who does not want to see it converted', async () => {
    expect((await api.send('DELETE', `${url('v2', 'held')}${SKIP}`)).body).toMatchObject({ apiVersion: `${GROUP}/v1`, metadata: HELD });
    expect((await api.send('DELETE', `${url('v2', 'free')}${SKIP}&propagationPolicy=Foreground`)).status).toBe(200);
    await api.until('it to go', async () => (await api.send('GET', url('v1', 'free'))).status === 404);
    expect((await api.send('GET', url('v1', 'held'))).body.metadata).toHaveProperty('deletionTimestamp');
  });

  it('is marked in any version by who wants its metadata only', async () => {
    const { status, body, warnings } = await api.send('DELETE', url('v2', 'held'), undefined, METADATA_ONLY);
    expect({ status, body }).toMatchObject({ status: 200, body: { kind: 'PartialObjectMetadata', metadata: HELD } });
    expect(body.metadata).toHaveProperty('deletionTimestamp');
    expect(warnings).toEqual([expect.stringMatching(/^metadata is shown as it is stored: conversion webhook for /)]);
  });

  it('goes with its collection', async () => {
    expect((await api.send('DELETE', url('v1'))).status).toBe(200);
    expect(await names()).toEqual(['held']);
  });
});

describe('with a webhook that does not answer', () => {
  const NOT_YET =
    /^metadata is shown as it is stored: conversion webhook for \S+, Kind=CronTab has not answered yet \[converting default\//;
  let release: () => void;

  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await create(name, name === 'c' ? HELD : {});
    const released = new Promise<void>((resolve) => (release = resolve));
    const convert = answering((object, desired) => {
      const converted = convertCronTab(object, desired) as { metadata: object };
      return { ...converted, metadata: { ...converted.metadata, labels: { converted: 'yes' } } };
    });
    hook.answer = (review) => released.then(() => convert(review));
  });

  it('metadata is shown as it is stored, and as it is converted once that is done', async () => {
    const one = await api.send('GET', url('v2', 'a'), undefined, METADATA_ONLY);
    expect(one).toMatchObject({ status: 200, body: { metadata: { name: 'a' } }, warnings: [expect.stringMatching(NOT_YET)] });
    expect(one.body.metadata).not.toHaveProperty('labels');
    const all = await api.send('GET', url('v2'), undefined, METADATA_LIST);
    expect(all).toMatchObject({ status: 200, warnings: [expect.stringMatching(NOT_YET)] });
    expect(all.body.items).toHaveLength(3);
    release();
    expect((await api.send('GET', url('v2', 'a'))).body.metadata.labels).toEqual({ converted: 'yes' });
    expect((await api.send('GET', url('v2'))).body.items).toHaveLength(3);
    expect(await api.send('GET', url('v2', 'b'), undefined, METADATA_ONLY)).toMatchObject({
      body: { metadata: { labels: { converted: 'yes' } } },
      warnings: [],
    });
    expect(hook.reviews.map(({ request }) => request.objects.length)).toEqual([1, 2]);
  });

  it('objects are selected and deleted by who wants metadata only', async () => {
    expect((await api.send('GET', `${url('v2')}?labelSelector=a`, undefined, METADATA_LIST)).body.items).toEqual([]);
    expect((await api.send('DELETE', url('v2', 'b'), undefined, METADATA_ONLY)).status).toBe(200);
    expect((await api.send('DELETE', url('v2', 'c'), undefined, METADATA_ONLY)).body.metadata).toHaveProperty('deletionTimestamp');
    expect(await names()).toEqual(['a', 'c']);
    release();
  });

  it('objects are deleted by who does not want to see them converted, and it is not called', async () => {
    expect((await api.send('DELETE', `${url('v2', 'b')}${SKIP}`)).status).toBe(200);
    expect((await api.send('DELETE', `${url('v2', 'c')}${SKIP}`)).body.metadata).toHaveProperty('deletionTimestamp');
    expect(await names()).toEqual(['a', 'c']);
    expect(hook.calls).toBe(0);
    release();
  });

  it.each(['', '&fieldSelector=spec.image%3Di'])('watches of metadata go on%s', async (selector) => {
    const { events } = await api.watch(`${url('v2')}?watch=1${selector}`, 5, METADATA_ONLY);
    await create('d');
    await api.send('DELETE', url('v1', 'd'));
    const seen = (await events).map(({ type, object }) => [type, object.kind, object.metadata.name]);
    expect(seen.slice(0, 3)).toEqual(['a', 'b', 'c'].map((name) => ['ADDED', 'PartialObjectMetadata', name]));
    expect(seen.at(-1)![2]).toBe('d');
    release();
  });
});
