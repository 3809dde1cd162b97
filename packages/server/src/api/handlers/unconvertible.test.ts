// What can be done with objects while they cannot be converted: delete them, and look at their metadata.
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { answering, ConversionWebhook, convertCronTab } from '@instar/testing/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const GROUP = 'stable.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const METADATA_ONLY = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
const METADATA_LIST = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };
const SKIP = '?instar.dev/skipUnconvertible=true';
const HELD = { finalizers: ['example.com/hold'] };

const url = (version: string, name = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/default/crontabs${name === '' ? '' : `/${name}`}`;

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
            properties: {
              [name === 'v1' ? 'cronSpec' : 'schedule']: { type: 'string' },
              image: { type: 'string', default: 'i' },
            },
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
  const webhook = {
    conversionReviewVersions: ['v1'],
    clientConfig: { url: hook.url, caBundle: hook.caBundle },
  };
  const spec = {
    group: GROUP,
    scope: 'Namespaced',
    names,
    versions: versions('v1'),
    conversion: { strategy: 'Webhook', webhook },
  };
  await api.send('POST', CRDS, { metadata: { name: `crontabs.${GROUP}` }, spec });
  await eventually(
    'the definition to be served',
    async () => (await api.send('GET', url('v1'))).status === 200,
  );
}

const create = (name: string, metadata?: object) => api.send('POST', url('v1'), cronTab(name, metadata));
const names = async (): Promise<string[]> =>
  (await api.send('GET', url('v1'))).body.items.map(
    (item: { metadata: { name: string } }) => item.metadata.name,
  );

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

describe('with the webhook down, an object that is not stored in the storage version', () => {
  beforeEach(async () => {
    await create('held', HELD);
    await create('free');
    await api.send('PATCH', `${CRDS}/crontabs.${GROUP}`, { spec: { versions: versions('v2') } });
    await hook.stop();
    await eventually(
      'v2 to be stored',
      async () => (await api.send('POST', `${url('v1')}?dryRun=All`, cronTab('new'))).status === 500,
    );
  });

  it('stays in its stored version when it is marked for deletion', async () => {
    const marked = await api.send('DELETE', url('v1', 'held'));
    expect(marked).toMatchObject({
      status: 200,
      body: { apiVersion: `${GROUP}/v1`, spec: { cronSpec: '* * * * *', image: 'i' } },
    });
    expect(marked.body.metadata).toMatchObject({
      ...HELD,
      deletionTimestamp: expect.any(String),
      generation: 2,
    });
    expect((await api.send('GET', url('v1', 'held'))).body).toEqual(marked.body);
  });

  it.each(['Foreground', 'Orphan'])('is deleted with propagation %s', async (policy) => {
    expect((await api.send('DELETE', `${url('v1', 'free')}?propagationPolicy=${policy}`)).status).toBe(200);
    await eventually('it to go', async () => (await api.send('GET', url('v1', 'free'))).status === 404);
  });

  it('is marked in any version for a client that accepts it as stored', async () => {
    expect((await api.send('DELETE', `${url('v2', 'held')}${SKIP}`)).body).toMatchObject({
      apiVersion: `${GROUP}/v1`,
      metadata: HELD,
    });
    expect(
      (await api.send('DELETE', `${url('v2', 'free')}${SKIP}&propagationPolicy=Foreground`)).status,
    ).toBe(200);
    await eventually('it to go', async () => (await api.send('GET', url('v1', 'free'))).status === 404);
    expect((await api.send('GET', url('v1', 'held'))).body.metadata).toHaveProperty('deletionTimestamp');
  });

  it('is marked in any version for a client that requests metadata only', async () => {
    const { status, body, warnings } = await api.send('DELETE', url('v2', 'held'), undefined, METADATA_ONLY);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { kind: 'PartialObjectMetadata', metadata: HELD },
    });
    expect(body.metadata).toHaveProperty('deletionTimestamp');
    expect(warnings).toEqual([
      expect.stringMatching(/^metadata is shown as it is stored: conversion webhook for /),
    ]);
  });

  it('is deleted with its collection', async () => {
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

  it('metadata is shown as it is stored until the object is converted', async () => {
    const one = await api.send('GET', url('v2', 'a'), undefined, METADATA_ONLY);
    expect(one).toMatchObject({
      status: 200,
      body: { metadata: { name: 'a' } },
      warnings: [expect.stringMatching(NOT_YET)],
    });
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

  it('objects are selected and deleted for a client that requests metadata only', async () => {
    expect(
      (await api.send('GET', `${url('v2')}?labelSelector=a`, undefined, METADATA_LIST)).body.items,
    ).toEqual([]);
    expect((await api.send('DELETE', url('v2', 'b'), undefined, METADATA_ONLY)).status).toBe(200);
    expect((await api.send('DELETE', url('v2', 'c'), undefined, METADATA_ONLY)).body.metadata).toHaveProperty(
      'deletionTimestamp',
    );
    expect(await names()).toEqual(['a', 'c']);
    release();
  });

  it('objects are deleted without a call for a client that accepts them as stored', async () => {
    expect((await api.send('DELETE', `${url('v2', 'b')}${SKIP}`)).status).toBe(200);
    expect((await api.send('DELETE', `${url('v2', 'c')}${SKIP}`)).body.metadata).toHaveProperty(
      'deletionTimestamp',
    );
    expect(await names()).toEqual(['a', 'c']);
    expect(hook.calls).toBe(0);
    release();
  });

  it.each(['', '&fieldSelector=spec.image%3Di'])('watches of metadata continue%s', async (selector) => {
    const { events } = await api.firstEvents(`${url('v2')}?watch=1${selector}`, 5, METADATA_ONLY);
    await create('d');
    await api.send('DELETE', url('v1', 'd'));
    const seen = (await events).map(({ type, object }) => [type, object.kind, object.metadata.name]);
    expect(seen.slice(0, 3)).toEqual(['a', 'b', 'c'].map((name) => ['ADDED', 'PartialObjectMetadata', name]));
    expect(seen.at(-1)![2]).toBe('d');
    release();
  });
});

describe('the parameter that skips what cannot be converted', () => {
  beforeEach(async () => {
    await create('bad', { labels: { a: 'b' } });
    await create('good', { labels: { a: 'b' } });
    await create('other');
    hook.answer = answering((object, desired) => {
      if (object.metadata.name === 'bad') throw new Error('bad cannot be converted');
      return convertCronTab(object, desired);
    });
  });

  it('deletes a collection without converting any object', async () => {
    expect((await api.send('DELETE', url('v2'))).status).toBe(500);
    const calls = hook.calls;
    const dry = await api.send('DELETE', `${url('v2')}${SKIP}&dryRun=All`);
    expect(dry).toMatchObject({
      status: 200,
      body: { kind: 'CronTabList', items: [{ apiVersion: `${GROUP}/v1` }, {}, {}] },
    });
    expect((await api.send('DELETE', `${url('v2')}${SKIP}&labelSelector=a%3Db`)).body.items).toHaveLength(2);
    expect(await names()).toEqual(['other']);
    expect(hook.calls).toBe(calls);
  });

  it('is refused with a selection that needs a conversion', async () => {
    const { status, body } = await api.send('DELETE', `${url('v2')}${SKIP}&fieldSelector=spec.image%3Di`);
    expect(status).toBe(400);
    expect(body.message).toBe(
      'field label not supported with instar.dev/skipUnconvertible, which takes objects as they are stored: spec.image',
    );
    expect(await names()).toHaveLength(3);
  });

  it('is refused with a watch', async () => {
    const { status, body } = await api.send('GET', `${url('v2')}${SKIP}&watch=1`);
    expect(status).toBe(400);
    expect(body.message).toMatch(/^instar\.dev\/skipUnconvertible cannot be used with a watch/);
  });

  it.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('is set by %s', async (value) => {
    expect(
      (await api.send('GET', `${url('v2')}?instar.dev/skipUnconvertible=${value}`)).body.items,
    ).toHaveLength(2);
  });

  it.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('is not set by %s', async (value) => {
    expect((await api.send('GET', `${url('v2')}?instar.dev/skipUnconvertible=${value}`)).status).toBe(500);
  });

  it.each(['', 'yes', 'tRUE'])('is refused with "%s"', async (value) => {
    const message = `instar.dev/skipUnconvertible: strconv.ParseBool: parsing "${value}": invalid syntax`;
    for (const [method, path] of [
      ['GET', url('v2')],
      ['DELETE', url('v2')],
      ['DELETE', url('v2', 'bad')],
    ] as const) {
      const { status, body } = await api.send(method, `${path}?instar.dev/skipUnconvertible=${value}`);
      expect({ status, message: body.message }).toEqual({ status: 400, message });
    }
  });
});

describe('the deletion of a collection by a client that requests metadata only', () => {
  beforeEach(async () => {
    await create('one', { labels: { a: 'b' } });
    await create('two');
    await hook.stop();
  });

  it('works without the webhook', async () => {
    const { status, body, warnings } = await api.send('DELETE', url('v2'), undefined, METADATA_LIST);
    expect({ status, count: body.items.length }).toEqual({ status: 200, count: 2 });
    expect(warnings).toEqual([expect.stringMatching(/^metadata is shown as it is stored: /)]);
    expect(await names()).toEqual([]);
  });

  it('fails if the selection needs the webhook', async () => {
    expect(
      (await api.send('DELETE', `${url('v2')}?labelSelector=a%3Db`, undefined, METADATA_LIST)).status,
    ).toBe(500);
    expect(await names()).toEqual(['one', 'two']);
  });
});
