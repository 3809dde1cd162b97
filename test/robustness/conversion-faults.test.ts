// A conversion webhook that is killed, restarted, slow, or returns wrong or malformed objects during a LIST
// of 10,000 objects and 100 watches: every response is correct or a clear error, and stored objects never
// change.
import { openStore, type Store } from '@instar/store';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import {
  answering,
  type ConversionReviewBody,
  ConversionWebhook,
  convertCronTab,
} from '@instar/testing/webhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const OBJECTS = 10_000;
const WATCHES = 100;
const CHANGES = 60;
const GROUP = 'stable.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CRD = `${CRDS}/crontabs.${GROUP}`;
const GOOD = answering(convertCronTab);
const url = (version: string, name = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/default/crontabs${name === '' ? '' : `/${name}`}`;
const nameOf = (i: number): string => `c${String(i).padStart(5, '0')}`;

const version = (name: string, field: string) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
    },
  },
});

let store: Store;
let api: EmbeddedApi;
const hook = new ConversionWebhook();

interface Item {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: { readonly cronSpec?: string; readonly schedule?: string };
}

/** Writes to the store directly what 10,000 creates through the API would, in a second. */
async function storeObjects(): Promise<void> {
  for (let from = 0; from < OBJECTS; from += 500) {
    const operations = Array.from({ length: 500 }, (_, k) => {
      const name = nameOf(from + k);
      const metadata = {
        name,
        namespace: 'default',
        uid: `uid-${name}`,
        creationTimestamp: '2026-01-01T00:00:00Z',
        generation: 1,
      };
      const object = {
        apiVersion: `${GROUP}/v1`,
        kind: 'CronTab',
        metadata,
        spec: { cronSpec: `at ${name}` },
      };
      return {
        type: 'put' as const,
        key: `/registry/${GROUP}/crontabs/default/${name}`,
        value: Buffer.from(JSON.stringify(object)),
      };
    });
    await store.commit({ conditions: [], operations });
  }
}

/** A change of the conversion settings makes all converted forms obsolete. */
let revision = 0;
async function forgetConversions(): Promise<void> {
  const annotations = {
    'conversion.instar.dev/timeout-seconds': '1',
    'conversion.instar.dev/retries': String(revision++ % 2),
  };
  await api.send('PATCH', CRD, { metadata: { annotations } });
}

async function checkList(): Promise<'right' | string> {
  const { status, body } = await api.send('GET', url('v2'));
  if (status !== 200) {
    expect(status).toBe(500);
    expect(body.message).toMatch(
      /^conversion webhook for stable\.example\.com\/v1, Kind=CronTab .*\[converting default\/c\d{5}, uid uid-c\d{5}, from v1 to v2/s,
    );
    return body.message;
  }
  const items = body.items as Item[];
  expect(items.length).toBe(OBJECTS);
  const wrong = items.filter(
    ({ apiVersion, metadata, spec }, i) =>
      apiVersion !== `${GROUP}/v2` || metadata.name !== nameOf(i) || spec.schedule === undefined,
  );
  expect(wrong).toEqual([]);
  return 'right';
}

beforeAll(async () => {
  store = await openStore('memory:');
  await hook.start();
  api = await EmbeddedApi.start({ storage: store });
  const names = { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' };
  const conversion = {
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: hook.url, caBundle: hook.caBundle } },
  };
  const spec = {
    group: GROUP,
    scope: 'Namespaced',
    names,
    versions: [version('v1', 'cronSpec'), version('v2', 'schedule')],
    conversion,
  };
  const metadata = { name: `crontabs.${GROUP}` };
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
  await storeObjects();
}, 60_000);

afterAll(async () => {
  await api.close();
  await hook.stop();
});

afterEach(() => {
  hook.answer = GOOD;
});

const halfOf = (text: string): string => text.slice(0, text.length / 2);

/** The faults of a webhook with a batch. */
const faults: Record<string, (review: ConversionReviewBody) => unknown> = {
  'a wrong uid': (review) => ({
    ...(GOOD(review) as object),
    response: { uid: 'other', convertedObjects: [], result: { status: 'Success' } },
  }),
  'an object too few': (review) => changed(review, (objects) => objects.slice(1)),
  'an object too many': (review) => changed(review, (objects) => [...objects, objects[0]]),
  'another order': (review) => changed(review, (objects) => [...objects].reverse()),
  'a wrong version': (review) =>
    changed(review, (objects) => objects.map((object) => ({ ...object, apiVersion: `${GROUP}/v1` }))),
  'another name': (review) =>
    changed(review, (objects) =>
      objects.map((object) => ({ ...object, metadata: { ...object.metadata, name: 'x' } })),
    ),
  'another uid of an object': (review) =>
    changed(review, (objects) => objects.map((o) => ({ ...o, metadata: { ...o.metadata, uid: 'x' } }))),
  'an object of another kind': (review) =>
    changed(review, (objects) => objects.map((object) => ({ ...object, kind: 'Other' }))),
  'no objects': (review) => changed(review, () => null),
  'half an answer': (review) => halfOf(JSON.stringify(GOOD(review))),
  garbage: () => '<html>not what you asked for</html>',
  nothing: () => '',
  slowness: async (review) => {
    await new Promise((resume) => setTimeout(resume, 1500));
    return GOOD(review);
  },
};

const holds = ({ request }: ConversionReviewBody, name: string): boolean =>
  request.objects.some(({ metadata }) => metadata.name === name);

type Converted = { apiVersion: string; kind?: string; metadata: object };

function changed(review: ConversionReviewBody, change: (objects: Converted[]) => unknown): unknown {
  const answer = GOOD(review) as { response: { convertedObjects: Converted[] } };
  return {
    ...answer,
    response: { ...answer.response, convertedObjects: change(answer.response.convertedObjects) },
  };
}

describe('during a LIST of 10,000', () => {
  it.each(Object.keys(faults))(
    '%s is survived or an error that names the object, and the next LIST is right',
    async (fault) => {
      // Once, in the middle: a batch with a wrong response may be bisected.
      await forgetConversions();
      let calls = 0;
      hook.answer = (review) => (++calls === 10 ? faults[fault]!(review) : GOOD(review));
      await checkList();
      // Always, for every batch with one object.
      await forgetConversions();
      hook.answer = (review) => (holds(review, nameOf(2500)) ? faults[fault]!(review) : GOOD(review));
      if (fault !== 'another order') expect(await checkList()).toMatch(/converting default\/c02\d{3},/);
      hook.answer = GOOD;
      await eventually('the list to be correct again', async () => (await checkList()) === 'right');
    },
  );

  it('a webhook that is killed and restarted causes no wrong response', async () => {
    await forgetConversions();
    let calls = 0;
    hook.answer = async (review) => {
      if (++calls === 12) await hook.stop();
      return GOOD(review);
    };
    await checkList();
    await hook.start();
    await eventually('the list to be correct again', async () => (await checkList()) === 'right');
  });
});

it('100 watches get every change in order, or an error, during all faults of the webhook', async () => {
  const start = (await api.send('GET', `${url('v1')}?limit=1`)).body.metadata.resourceVersion;
  const watches = await Promise.all(
    Array.from({ length: WATCHES }, () =>
      api.firstEvents(`${url('v2')}?watch=true&resourceVersion=${start}&timeoutSeconds=50`, CHANGES),
    ),
  );
  const wrongs = Object.values(faults).filter((fault) => fault !== faults['slowness']);
  let calls = 0;
  hook.answer = (review) =>
    ++calls > 20 && calls % 10 === 0 ? wrongs[(calls / 10) % wrongs.length]!(review) : GOOD(review);
  const written: string[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const { status } = await api.send('PATCH', url('v1', nameOf(i % 5)), {
      spec: { cronSpec: `change ${i}` },
    });
    expect(status).toBe(200);
    written.push(`change ${i}`);
    if (i === 30) await hook.stop();
    if (i === 35) await hook.start();
  }
  const seen = await Promise.all(watches.map(({ events }) => events));
  for (const events of seen) {
    const failed = events.findIndex(({ type }) => type === 'ERROR');
    const good = failed < 0 ? events : events.slice(0, failed);
    expect(good.map(({ object }) => object.spec.schedule)).toEqual(written.slice(0, good.length));
    if (failed < 0) expect(good.length).toBe(written.length);
    else expect(events[failed].object.message).toContain('conversion webhook for');
  }
}, 60_000);

it('conversions never change stored objects', async () => {
  const { body } = await api.send('GET', url('v1'));
  const items = body.items as Item[];
  expect(items.length).toBe(OBJECTS);
  const wrong = items.filter(
    ({ metadata: { name }, spec }, i) => name !== nameOf(i) || (i >= 5 && spec.cronSpec !== `at ${name}`),
  );
  expect(wrong).toEqual([]);
});
