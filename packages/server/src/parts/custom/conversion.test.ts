import { parseLens } from '@instar/lens';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { answering, ConversionWebhook, type ConvertObject, convertCronTab } from '@instar/testing/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const GROUP = 'stable.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CRD = `${CRDS}/crontabs.${GROUP}`;
const METADATA_ONLY = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
const METADATA_LIST = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };

const url = (version: string, name = '', namespace = 'default'): string =>
  `/apis/${GROUP}/${version}/namespaces/${namespace}/crontabs${name === '' ? '' : `/${name}`}`;

const version = (name: string, time: string) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { [time]: { type: 'string' }, image: { type: 'string' } } },
      },
    },
  },
});

const cronTab = (name: string, apiVersion = 'v1', metadata: object = {}) => ({
  apiVersion: `${GROUP}/${apiVersion}`,
  kind: 'CronTab',
  metadata: { name, ...metadata },
  spec: { [apiVersion === 'v1' ? 'cronSpec' : 'schedule']: '* * * * *', image: 'i' },
});

const SKIP = 'instar.dev/skipUnconvertible=true';

let api: EmbeddedApi;
let hook: ConversionWebhook;

const byWebhook = (clientConfig: object = { url: hook.url }) => ({
  strategy: 'Webhook',
  webhook: { conversionReviewVersions: ['v1'], clientConfig: { caBundle: hook.caBundle, ...clientConfig } },
});

async function define(conversion: object = byWebhook(), annotations: object = {}): Promise<void> {
  const names = { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' };
  const spec = {
    group: GROUP,
    scope: 'Namespaced',
    names,
    versions: [version('v1', 'cronSpec'), version('v2', 'schedule')],
    conversion,
  };
  const metadata = { name: `crontabs.${GROUP}`, annotations };
  await api.send('POST', CRDS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    spec,
  });
  await eventually(
    'the definition to be served',
    async () => (await api.send('GET', url('v1'))).status === 200,
  );
}

async function create(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      api.send('POST', url('v1'), cronTab(`c${String(i).padStart(4, '0')}`)),
    ),
  );
}

/** Fails for objects of this name, converts all others. */
const failingFor =
  (name: string, otherwise: ConvertObject = convertCronTab): ConvertObject =>
  (object, desired) => {
    if (object.metadata.name === name) throw new Error(`${name} cannot be converted`);
    return otherwise(object, desired);
  };

beforeEach(async () => {
  api = await EmbeddedApi.start();
  hook = new ConversionWebhook();
  await hook.start();
});

afterEach(async () => {
  await api.close();
  await hook.stop();
});

describe('reads in another version', () => {
  it('alone fail if the URL of the webhook cannot be connected to', async () => {
    await define(byWebhook({ url: 'https://127.0.0.1:99999/' }));
    await create(1);
    expect((await api.send('GET', url('v1', 'c0000'))).status).toBe(200);
    const { status, body } = await api.send('GET', url('v2', 'c0000'));
    expect(status).toBe(500);
    expect(body.message).toContain('dial tcp: address 99999: invalid port');
  });

  it('need only a few calls for 1,000 objects, however often they are read', async () => {
    await define();
    await create(1000);
    const first = await api.send('GET', url('v2'));
    expect(first.body.items).toHaveLength(1000);
    expect(first.body.items[7]).toMatchObject({
      apiVersion: `${GROUP}/v2`,
      spec: { schedule: '* * * * *', image: 'i' },
    });
    expect(hook.calls).toBe(4);
    expect(await api.send('GET', url('v2'))).toEqual(first);
    expect((await api.send('GET', url('v2', 'c0042'))).body).toEqual(first.body.items[42]);
    expect(hook.calls).toBe(4);
  });

  it('are split into batches as an annotation of the definition says', async () => {
    await define(byWebhook(), {
      'conversion.instar.dev/batch-size': '10',
      'conversion.instar.dev/timeout-seconds': '7',
    });
    await create(100);
    await api.send('GET', url('v2'));
    expect(hook.calls).toBe(10);
  });

  it('share one conversion, even if they are concurrent', async () => {
    await define();
    await create(10);
    await Promise.all(Array.from({ length: 20 }, () => api.send('GET', url('v2'))));
    expect(hook.calls).toBe(1);
  });

  it('need no call to store or read in the stored version', async () => {
    await define();
    await create(10);
    await api.send('GET', url('v1'));
    await api.send('PATCH', url('v1', 'c0001'), { spec: { image: 'j' } });
    expect(hook.calls).toBe(0);
  });

  it('stay cached only if the definition changes in what does not show in objects', async () => {
    await define();
    await create(10);
    await api.send('GET', url('v2'));
    await api.send('PATCH', CRD, { spec: { names: { shortNames: ['ct'] } } });
    await eventually('the short name', async () =>
      JSON.stringify((await api.send('GET', `/apis/${GROUP}/v2`)).body).includes('"ct"'),
    );
    await api.send('GET', url('v2'));
    expect(hook.calls).toBe(1);
    hook.answer = answering((object, desired) => ({
      ...(convertCronTab(object, desired) as object),
      spec: { schedule: 'new' },
    }));
    await api.send('PATCH', CRD, { spec: { conversion: byWebhook({ url: `${hook.url}/second` }) } });
    await eventually(
      'the new path',
      async () => (await api.send('GET', url('v2', 'c0003'))).body.spec.schedule === 'new',
    );
  });

  it('select by the labels that an object has in that version', async () => {
    hook.answer = answering((object, desired) => {
      const made = convertCronTab(object, desired) as { metadata: object };
      return { ...made, metadata: { ...made.metadata, labels: { name: object.metadata.name } } };
    });
    await define();
    await create(3);
    const selected = await api.send('GET', `${url('v2')}?labelSelector=name%3Dc0001`);
    expect(selected.body.items.map((o: { metadata: { name: string } }) => o.metadata.name)).toEqual([
      'c0001',
    ]);
    expect((await api.send('GET', `${url('v1')}?labelSelector=name%3Dc0001`)).body.items).toEqual([]);
  });
});

describe('watches in another version', () => {
  it('get every event after one conversion, however many watches there are', async () => {
    await define();
    await create(1);
    const { resourceVersion } = (await api.send('GET', url('v2'))).body.metadata;
    const before = hook.calls;
    const watches = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.firstEvents(`${url('v2')}?watch=1&resourceVersion=${resourceVersion}`, 3),
      ),
    );
    await api.send('POST', url('v1'), cronTab('new'));
    await api.send('PATCH', url('v1', 'new'), { spec: { image: 'j' } });
    await eventually('both to be converted', async () => hook.calls >= before + 2);
    await api.send('DELETE', url('v1', 'new'));
    for (const { events } of watches) {
      const seen = (await events).map(({ type, object }) => [
        type,
        object.apiVersion,
        object.spec.schedule,
        object.spec.image,
      ]);
      expect(seen).toEqual([
        ['ADDED', `${GROUP}/v2`, '* * * * *', 'i'],
        ['MODIFIED', `${GROUP}/v2`, '* * * * *', 'j'],
        ['DELETED', `${GROUP}/v2`, '* * * * *', 'j'],
      ]);
    }
    expect(hook.calls).toBe(before + 2);
  });

  it('convert queued events in a few calls', async () => {
    await define();
    const { resourceVersion } = (await api.send('GET', url('v2'))).body.metadata;
    const { events } = await api.firstEvents(`${url('v2')}?watch=1&resourceVersion=${resourceVersion}`, 200);
    const convert = hook.answer;
    const queued = new Promise<void>((resolve) => {
      hook.answer = async (review) => {
        await created;
        resolve();
        return convert(review);
      };
    });
    const created = create(200);
    await queued;
    expect(await events).toHaveLength(200);
    expect(hook.calls).toBeLessThan(5);
  });

  it('end with an ERROR that says why, if an event cannot be converted', async () => {
    hook.answer = answering(failingFor('bad'));
    await define();
    const { resourceVersion } = (await api.send('GET', url('v2'))).body.metadata;
    const { events } = await api.firstEvents(`${url('v2')}?watch=1&resourceVersion=${resourceVersion}`, 5);
    await api.send('POST', url('v1'), cronTab('good'));
    await api.send('POST', url('v1'), cronTab('bad'));
    const [first, second] = await events;
    expect(first).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'good' } } });
    expect(second).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 500 } });
    expect(second.object.message).toContain(
      'failed: bad cannot be converted [converting default/bad, from v1 to v2',
    );
  });
});

describe('a webhook that is down', () => {
  beforeEach(async () => {
    await define();
    await create(3);
    await api.send('GET', url('v2', 'c0000'));
    await api.send('POST', url('v1'), cronTab('held', 'v1', { finalizers: ['example.com/hold'] }));
    await hook.stop();
  });

  it('leaves objects readable that were converted before', async () => {
    expect((await api.send('GET', url('v2', 'c0000'))).status).toBe(200);
  });

  it('fails a list with an error that says why at which object', async () => {
    const { status, body } = await api.send('GET', url('v2'));
    expect(status).toBe(500);
    expect(body.message).toMatch(
      /^conversion webhook for stable\.example\.com\/v1, Kind=CronTab failed: Post "https:\/\/127\.0\.0\.1:\d+\/convert\?timeout=30s": dial tcp 127\.0\.0\.1:\d+: connect: connection refused/,
    );
    expect(body.message).toMatch(
      /\[converting default\/c0001, uid [-0-9a-f]+, from v1 to v2, by https:\/\/127\.0\.0\.1:\d+\/convert\]$/,
    );
  });

  it('is not needed to read metadata, nor to delete with metadata as the answer', async () => {
    const one = await api.send('GET', url('v2', 'c0001'), undefined, METADATA_ONLY);
    expect(one.body).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'c0001' } });
    expect((await api.send('GET', url('v2'), undefined, METADATA_LIST)).body.items).toHaveLength(4);
    const refused = await api.send('DELETE', url('v2', 'c0001'));
    expect(refused.status).toBe(500);
    expect(refused.body.message).toMatch(
      /; it can be deleted all the same with \?instar\.dev\/skipUnconvertible=true or in v1$/,
    );
    expect((await api.send('DELETE', url('v2', 'c0001'), undefined, METADATA_ONLY)).status).toBe(200);
    expect((await api.send('GET', url('v1', 'c0001'))).status).toBe(404);
    expect((await api.send('DELETE', `${url('v2', 'c0002')}?${SKIP}`)).status).toBe(200);
    expect((await api.send('GET', url('v1', 'c0002'))).status).toBe(404);
  });

  it('does not prevent the deletion of namespaces, definitions and owners', async () => {
    await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'gone' } });
    await api.send('POST', url('v1', '', 'gone'), cronTab('in-namespace'));
    await api.send('DELETE', '/api/v1/namespaces/gone');
    await eventually(
      'the namespace to go',
      async () => (await api.send('GET', '/api/v1/namespaces/gone')).status === 404,
    );
    const owner = (await api.send('GET', url('v1', 'c0000'))).body.metadata;
    const ownerReferences = [
      { apiVersion: `${GROUP}/v2`, kind: 'CronTab', name: owner.name, uid: owner.uid },
    ];
    await api.send('POST', url('v1'), cronTab('owned', 'v1', { ownerReferences }));
    await api.send('DELETE', url('v1', 'c0000'));
    await eventually(
      'the dependent to go',
      async () => (await api.send('GET', url('v1', 'owned'))).status === 404,
    );
    await api.send('DELETE', CRD);
    await eventually(
      'the object to be marked',
      async () => 'deletionTimestamp' in (await api.send('GET', url('v1', 'held'))).body.metadata,
    );
    await api.send('PATCH', url('v1', 'held'), { metadata: { finalizers: null } });
    await eventually('the definition to go', async () => (await api.send('GET', CRD)).status === 404);
  });

  it('does not lose ownership of fields', async () => {
    await hook.start();
    await api.send('PATCH', `${url('v2', 'c0001')}?fieldManager=other`, { spec: { schedule: '1 1 1 1 1' } });
    await hook.stop();
    await api.send('PATCH', `${url('v1', 'c0001')}?fieldManager=mine`, { spec: { image: 'j' } });
    const { managedFields } = (await api.send('GET', url('v1', 'c0001'))).body.metadata;
    expect(managedFields.map(({ manager }: { manager: string }) => manager).sort()).toEqual([
      'mine',
      'other',
      'unknown',
    ]);
  });

  it('is used again when it is back', async () => {
    for (let i = 0; i < 10; i++) await api.send('GET', url('v2', 'c0001'));
    expect((await api.send('GET', url('v2', 'c0001'))).body.message).toContain('times in a row and');
    await hook.start();
    await eventually(
      'the webhook to be called again',
      async () => (await api.send('GET', url('v2', 'c0001'))).status === 200,
    );
  });
});

describe('an object that cannot be converted', () => {
  beforeEach(async () => {
    await define();
    await create(3);
    hook.answer = answering(failingFor('c0001'));
  });

  it('fails the list, or is skipped with a warning on request', async () => {
    const { uid } = (await api.send('GET', url('v1', 'c0001'))).body.metadata;
    const whole = await api.send('GET', url('v2'));
    expect(whole.status).toBe(500);
    expect(whole.body.message).toContain(`converting default/c0001, uid ${uid}, from v1 to v2`);
    const rest = await api.send('GET', `${url('v2')}?${SKIP}`);
    expect(rest.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
      'c0000',
      'c0002',
    ]);
    expect(rest.warnings).toEqual([
      `1 object cannot be converted to ${GROUP}/v2 and is left out`,
      `skipped default/c0001 (uid ${uid}): conversion webhook for ${GROUP}/v1, Kind=CronTab failed: c0001 cannot be converted`,
    ]);
  });

  it('is left out of selections and tables too', async () => {
    await api.send('PATCH', url('v1', 'c0001'), { metadata: { labels: { a: 'b' } } });
    await api.send('PATCH', url('v1', 'c0002'), { metadata: { labels: { a: 'b' } } });
    const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const { body, warnings } = await api.send(
      'GET',
      `${url('v2')}?${SKIP}&labelSelector=a%3Db`,
      undefined,
      table,
    );
    expect(body.rows.map(({ cells }: { cells: string[] }) => cells[0])).toEqual(['c0002']);
    expect(warnings[0]).toContain('1 object cannot be converted');
  });
});

it('a definition with invalid annotations about its webhook is written with one warning', async () => {
  await define();
  const annotations = { 'conversion.instar.dev/batch-size': 'many', 'conversion.instar.dev/timeout': '5' };
  const { status, warnings } = await api.send('PATCH', CRD, { metadata: { annotations } });
  expect(status).toBe(200);
  expect(warnings).toEqual([
    'metadata.annotations[conversion.instar.dev/batch-size]: "many" is not a whole number from 1 to 10000; the default, 250, is used',
    'metadata.annotations[conversion.instar.dev/timeout]: unknown, and has no effect; known are batch-size, concurrency, timeout-seconds, retries',
  ]);
  expect((await api.send('PATCH', CRD, { metadata: { labels: { a: 'b' } } })).warnings).toEqual([]);
});

describe('the dry run of an update of the definition', () => {
  const change = async (conversion: object, query = '?dryRun=All') =>
    api.send('PATCH', CRD + query, { spec: { conversion } });

  it('tries the conversion of a stored object there and back', async () => {
    await define({ strategy: 'None' });
    await create(1);
    const { status, warnings } = await change(byWebhook());
    expect(status).toBe(200);
    expect(warnings).toEqual([
      'preflight: default/c0000 was converted v1 to v2 and back, v2 to v1 and back; all answers are good, and nothing is lost',
    ]);
    expect((await api.send('GET', CRD)).body.spec.conversion).toEqual({ strategy: 'None' });
  });

  it('reports the direction that fails, even if it had to make an object to try', async () => {
    await define({ strategy: 'None' });
    hook.answer = answering((object, desired) => {
      if (desired.endsWith('/v1')) throw new Error('not backwards');
      return convertCronTab(object, desired);
    });
    const { status, warnings } = await change(byWebhook());
    expect(status).toBe(200);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^preflight: default\/preflight from v2 to v1: conversion webhook .* not backwards /,
      ),
      'preflight: there is no object yet, and the one that was made has only what a schema requires',
    ]);
  });

  it('reports invalid results', async () => {
    await define({ strategy: 'None' });
    await create(1);
    hook.answer = answering((object, apiVersion) => ({ ...object, apiVersion, spec: { image: 7 } }));
    expect((await change(byWebhook())).warnings[0]).toContain(
      'from v1 to v2: the result is not valid: spec.image: ',
    );
  });

  it('reports an unreachable webhook', async () => {
    await define({ strategy: 'None' });
    await create(1);
    await hook.stop();
    expect((await change(byWebhook())).warnings[0]).toContain('connection refused');
  });

  it('reports what the round trip loses', async () => {
    await define({ strategy: 'None' });
    await create(1);
    hook.answer = answering((object, apiVersion) => ({
      ...object,
      apiVersion,
      spec: { image: object.spec?.['image'] },
    }));
    const { status, warnings } = await change(byWebhook());
    expect(status).toBe(200);
    expect(warnings).toEqual([
      'preflight: default/c0000 from v1 to v2 and back: spec.cronSpec is lost ("* * * * *")',
    ]);
  });

  it('reports nothing if conversion does not change, nor without dry run', async () => {
    await define();
    expect(
      (await api.send('PATCH', `${CRD}?dryRun=All`, { metadata: { labels: { a: 'b' } } })).warnings,
    ).toEqual([]);
    expect((await change({ strategy: 'None', webhook: null }, '')).warnings).toEqual([]);
    expect((await change(byWebhook(), '')).warnings).toEqual([]);
    expect(hook.calls).toBe(0);
  });
});

describe('writes in another version', () => {
  it('need one call to the storage version, then one back for all answers', async () => {
    await define();
    const made = await api.send('POST', url('v2'), cronTab('two', 'v2'));
    expect(made).toMatchObject({
      status: 201,
      body: { apiVersion: `${GROUP}/v2`, spec: { schedule: '* * * * *' } },
    });
    expect((await api.send('GET', url('v1', 'two'))).body.spec).toEqual({
      cronSpec: '* * * * *',
      image: 'i',
    });
    expect((await api.send('GET', url('v2', 'two'))).body).toEqual(made.body);
    expect(hook.reviews.map(({ request }) => request.desiredAPIVersion)).toEqual([
      `${GROUP}/v1`,
      `${GROUP}/v2`,
    ]);
  });

  const lies: [string, (review: Parameters<ConversionWebhook['answer']>[0]) => unknown][] = [
    [
      'answers with another uid',
      (review) => answering(convertCronTab)({ ...review, request: { ...review.request, uid: 'x' } }),
    ],
    ['answers with too few objects', answering(() => undefined)],
    [
      'answers with another name',
      answering((o, d) => ({ ...(convertCronTab(o, d) as object), metadata: { ...o.metadata, name: 'x' } })),
    ],
    ['answers with the wrong version', answering((o) => o)],
    ['answers with rubbish', () => '}{'],
    ['converts in one direction only', answering((o, d) => (d.endsWith('v1') ? convertCronTab(o, d) : o))],
  ];
  it.each(lies)('store nothing if the webhook %s', async (_, lie) => {
    await define();
    await create(1);
    await api.send('GET', url('v2', 'c0000'));
    const before = await api.send('GET', url('v1'));
    hook.answer = lie;
    expect((await api.send('POST', url('v2'), cronTab('two', 'v2'))).status).toBe(500);
    expect((await api.send('PATCH', url('v2', 'c0000'), { spec: { schedule: 'x' } })).status).toBe(500);
    const after = await api.send('GET', url('v1'));
    expect(after.body.items).toEqual(before.body.items);
  });
});

it('a list that fails names the only object that cannot be converted', async () => {
  await define();
  await create(300);
  hook.answer = answering(failingFor('c0123'));
  const { status, body } = await api.send('GET', url('v2'));
  const { uid } = (await api.send('GET', url('v1', 'c0123'))).body.metadata;
  expect(status).toBe(500);
  expect(body.message).toContain(
    `c0123 cannot be converted [converting default/c0123, uid ${uid}, from v1 to v2, by https://`,
  );
  expect((await api.send('GET', url('v2', 'c0200'))).status).toBe(200);
  expect((await api.send('DELETE', url('v1', 'c0123'))).status).toBe(200);
  expect((await api.send('GET', url('v2'))).body.items).toHaveLength(299);
});

it('a list with an object that cannot be converted does not fail requests for other objects', async () => {
  await define(byWebhook(), {
    'conversion.instar.dev/batch-size': '20',
    'conversion.instar.dev/concurrency': '1',
  });
  await create(100);
  let listMet = (): void => {};
  const isMet = new Promise<void>((resolve) => (listMet = resolve));
  hook.answer = async (review) => {
    listMet();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return answering(failingFor('c0003'))(review);
  };
  const listed = api.send('GET', url('v2'));
  await isMet;
  const [read, patched] = await Promise.all([
    api.send('GET', url('v2', 'c0099')),
    api.send('PATCH', url('v2', 'c0098'), { metadata: { labels: { a: 'b' } } }),
  ]);
  expect([(await listed).status, read.status, patched.status]).toEqual([500, 200, 200]);
});

it('a list is not converted to its end for a client that has disconnected', async () => {
  await define(byWebhook(), {
    'conversion.instar.dev/batch-size': '1',
    'conversion.instar.dev/concurrency': '1',
  });
  await create(200);
  hook.answer = async (review) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return answering(convertCronTab)(review);
  };
  const gone = new AbortController();
  const listed = api.send('GET', url('v2'), undefined, {}, gone.signal).catch(() => 'gone');
  await eventually('a few calls', async () => hook.calls > 3);
  gone.abort();
  expect(await listed).toBe('gone');
  const ended = 'instar_conversion_request_duration_seconds_count{crd_name="crontabs.stable.example.com"} 1';
  await eventually('the conversion of the list to end', async () =>
    (await api.send('GET', '/metrics')).body.includes(`${ended}\n`),
  );
  expect(hook.calls).toBeLessThan(150);
});

it('a list that may skip objects still fails if the webhook is unreachable', async () => {
  await define(byWebhook(), { 'conversion.instar.dev/batch-size': '20' });
  await create(100);
  const bad = ['c0001', 'c0008', 'c0015', 'c0042'];
  hook.answer = answering((object, desired) =>
    bad.reduce<ConvertObject>((rest, name) => failingFor(name, rest), convertCronTab)(object, desired),
  );
  expect((await api.send('GET', `${url('v2')}?${SKIP}`)).body.items).toHaveLength(96);
  await hook.stop();
  await api.send('PATCH', CRD, {
    metadata: { annotations: { 'conversion.instar.dev/timeout-seconds': '9' } },
  });
  await eventually('nothing that was converted before to be shown', async () => {
    const { status, body } = await api.send('GET', `${url('v2')}?${SKIP}`);
    return status === 500 && body.message.includes('connection refused');
  });
});

it('a service needs a certificate of its name, whether its address is configured or resolved', async () => {
  await api.close();
  await hook.stop();
  hook = new ConversionWebhook(['convert.hooks.svc']);
  await hook.start();
  api = await EmbeddedApi.start({ serviceResolver: { 'hooks/convert:8443': `127.0.0.1:${hook.port}` } });
  await define(byWebhook({ service: { namespace: 'hooks', name: 'convert', port: 8443, path: '/convert' } }));
  await create(1);
  expect((await api.send('GET', url('v2', 'c0000'))).status).toBe(200);

  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'hooks' } });
  await api.send('POST', '/api/v1/namespaces/hooks/services', { metadata: { name: 'convert' }, spec });
  await api.send('POST', '/api/v1/namespaces/hooks/services', { metadata: { name: 'other' }, spec });
  const at = (name: string) => ({
    spec: { conversion: byWebhook({ service: { namespace: 'hooks', name, port: hook.port } }) },
  });
  const calls = hook.calls;
  await api.send('PATCH', CRD, at('convert'));
  await eventually(
    'a call',
    async () => (await api.send('GET', url('v2', 'c0000'))).status === 200 && hook.calls > calls,
  );
  await api.send('PATCH', CRD, at('other'));
  await eventually('a certificate of another name to be refused', async () => {
    const { body } = await api.send('GET', url('v2', 'c0000'));
    return body.message?.includes('tls: failed to verify certificate: x509: ') === true;
  });
});

it('a call that times out is reported as a timeout, not as an unreachable webhook', async () => {
  await define(byWebhook(), { 'conversion.instar.dev/timeout-seconds': '1' });
  await create(1);
  hook.answer = () => new Promise(() => {});
  const { body } = await api.send('GET', url('v2', 'c0000'));
  expect(body.message).toContain(
    '/convert?timeout=1s": context deadline exceeded (Client.Timeout exceeded while awaiting headers) [converting',
  );
  expect((await api.send('GET', '/metrics')).body).toContain(
    `instar_conversion_timeouts_total{webhook="${hook.url}",crd_name="crontabs.${GROUP}"} 1`,
  );
});

it('a list continues when the webhook restarts in the middle of it, or fails as a whole', async () => {
  await define(byWebhook(), {
    'conversion.instar.dev/batch-size': '20',
    'conversion.instar.dev/concurrency': '2',
  });
  await create(200);
  const convert = hook.answer;
  let back: Promise<void> | undefined;
  hook.answer = async (review) => {
    if (hook.calls === 3) back = hook.stop().then(() => hook.start());
    await back;
    return convert(review);
  };
  const first = await api.send('GET', url('v2'));
  expect(first.status === 500 || first.body.items.length === 200).toBe(true);
  await eventually('the webhook to be back', async () => (await api.send('GET', url('v2'))).status === 200);
  await back;
  const second = await api.send('GET', url('v2'));
  expect(second.body.items.map((o: { spec: object }) => o.spec)).toEqual(
    Array.from({ length: 200 }, () => ({ schedule: '* * * * *', image: 'i' })),
  );
});

it('metrics count calls by webhook and definition', async () => {
  await define();
  await create(5);
  await api.send('GET', url('v2'));
  hook.answer = answering(failingFor('c0001'));
  await api.send('PATCH', url('v1', 'c0001'), { spec: { image: 'j' } });
  await api.send('GET', url('v2', 'c0001'));
  const { body } = await api.send('GET', '/metrics');
  const crd = `crd_name="crontabs.${GROUP}"`;
  expect(body).toContain('apiserver_conversion_webhook_request_total{result="success",failure_type=""} 1');
  expect(body).toContain(
    'apiserver_conversion_webhook_request_total{result="failure",failure_type="conversion_webhook_malformed_response_failure"} 1',
  );
  expect(body).toContain(
    `apiserver_crd_conversion_webhook_duration_seconds_count{${crd},from_version="v1",to_version="v2",succeeded="true"} 1`,
  );
  expect(body).toContain(
    `instar_conversion_failures_total{webhook="${hook.url}",${crd},failure="refused"} 1`,
  );
  expect(body).toContain(`instar_converted_objects_total{${crd}} 5`);
  expect(body).toContain(`instar_conversion_request_duration_seconds_count{${crd}} 2`);
});

describe('a webhook that converts by a lens', () => {
  const { lens } = parseLens({
    apiVersion: 'instar.dev/v1alpha1',
    kind: 'Lens',
    metadata: { name: `crontabs.${GROUP}` },
    spec: {
      crd: `crontabs.${GROUP}`,
      lenses: [
        {
          from: 'v1',
          to: 'v2',
          ops: [{ remove: { path: 'spec.cronSpec' } }, { add: { path: 'spec.schedule', default: 'daily' } }],
        },
      ],
    },
  });

  it('gets its own stash annotation back, which the server does not touch', async () => {
    hook.answer = answering((object, desired) => lens!.convert(object as never, desired));
    await define();
    await api.send('POST', url('v2'), cronTab('one', 'v2'));
    expect((await api.send('GET', url('v1', 'one'))).body.metadata.annotations).toHaveProperty([
      'lens.instar.dev/stash',
    ]);
    await api.send('PATCH', url('v1', 'one'), { spec: { image: 'j' } });
    expect((await api.send('GET', url('v2', 'one'))).body.spec).toEqual({
      schedule: '* * * * *',
      image: 'j',
    });
  });
});
