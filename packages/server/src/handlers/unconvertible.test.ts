// What can be done with objects while they cannot be converted: delete them, and look at their metadata.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConversionWebhook } from '../testing/conversion-webhook.ts';
import { EmbeddedApi } from '../testing/embedded-api.ts';

const GROUP = 'stable.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const METADATA_ONLY = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
const SKIP = '?instar.dev/skipUnconvertible=true';
const HELD = { finalizers: ['example.com/hold'] };

const url = (version: string, name = ''): string => `/apis/${GROUP}/${version}/namespaces/default/crontabs${name === '' ? '' : `/${name}`}`;

const versions = (storage: string) =>
  ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === storage,
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
