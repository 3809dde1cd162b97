// Webhooks that fail. Objects are stored in v1 before the webhook is known, so that v2 has never been
// converted when it is asked for.
// Lists have a limit: without one kube-apiserver may answer from a cache, or 429 while it cannot fill that
// cache.
import { conversionAnswer } from '../lib/webhook.mjs';
import {
  APPLY,
  byNone,
  byWebhook,
  convertCronTab,
  install,
  JSON_PATCH,
  lean,
  MERGE,
} from './conversion/crontab.mjs';

const SPEC = { cronSpec: '* * * * */5', image: 'i', replicas: 1 };
const good = conversionAnswer(convertCronTab);
const as = (kind) => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });
/** A good answer, changed. */
const but = (change) => (review) => {
  const r = good(review);
  return change(r, review) ?? r;
};
const http = (status, body) => () => ({ status, body });

/**
 * Stores an object in v1 and returns `under(path)`, which puts the webhook at `path` in force; `answers` maps
 * paths to answers.
 */
async function failing(t, area, answers) {
  const kit = await install(t, area, {
    conversion: () => byNone,
    answer: (review, call) => (answers[call.url.split('?')[0]] ?? good)(review, call),
  });
  const { hook, change, seed, get } = kit;
  await seed('v1', 'one', { spec: SPEC });
  await t.step('the object before', 'GET', kit.url('v1', 'one'), { pick: lean });
  const called = (path) => async () => {
    await get('v2', 'one');
    return hook.calls.some((c) => c.url.startsWith(`${path}?`));
  };
  return { ...kit, under: (path) => change({ conversion: byWebhook(hook, path) }, called(path)) };
}

/** Every operation in v2 on the object `one`, which is stored in v1. */
async function everything(t, what, { url, object, ns }) {
  const one = url('v2', 'one');
  const step = (label, method, u, rest = {}) =>
    t.step(`${what}: ${label}`, method, u, { pick: lean, ...rest });
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'one', namespace: ns },
    spec: { replicas: 2 },
  };
  await step('get', 'GET', one);
  await step('get metadata only', 'GET', one, { headers: as('PartialObjectMetadata') });
  await step('get a table', 'GET', one, { headers: as('Table') });
  await step('list', 'GET', `${url('v2')}?limit=500`);
  await step('create', 'POST', url('v2'), { body: object('v2', 'new', { spec: { hour: '1' } }) });
  await step('create, dry run', 'POST', `${url('v2')}?dryRun=All`, {
    body: object('v2', 'new', { spec: { hour: '1' } }),
  });
  await step('replace', 'PUT', one, {
    body: object('v2', 'one', { metadata: { name: 'one', resourceVersion: '1' }, spec: { hour: '1' } }),
  });
  await step('merge patch', 'PATCH', one, { body: { spec: { hour: '1' } }, type: MERGE });
  await step('JSON patch', 'PATCH', one, { body: [{ op: 'remove', path: '/spec/hour' }], type: JSON_PATCH });
  await step('apply to what exists', 'PATCH', `${one}?fieldManager=m`, {
    body: object('v2', 'one', { spec: { hour: '1' } }),
    type: APPLY,
  });
  await step('apply to what does not exist', 'PATCH', `${url('v2', 'new')}?fieldManager=m`, {
    body: object('v2', 'new', { spec: { hour: '1' } }),
    type: APPLY,
  });
  await step('delete', 'DELETE', one);
  await step('delete the collection', 'DELETE', url('v2'));
  await step('get status', 'GET', `${one}/status`);
  await step('replace status', 'PUT', `${one}/status`, {
    body: object('v2', 'one', { metadata: { name: 'one', resourceVersion: '1' }, status: { phase: 'On' } }),
  });
  await step('merge patch of status', 'PATCH', `${one}/status`, {
    body: { status: { phase: 'On' } },
    type: MERGE,
  });
  await step('get scale', 'GET', `${one}/scale`);
  await step('replace scale', 'PUT', `${one}/scale`, { body: scale });
  await step('merge patch of scale', 'PATCH', `${one}/scale`, {
    body: { spec: { replicas: 2 } },
    type: MERGE,
  });
}

export async function everyOperation(t) {
  const kit = await failing(t, 'everyop', {
    '/failure': but((r) => {
      r.response = {
        ...r.response,
        convertedObjects: [],
        result: { status: 'Failure', message: 'cannot be converted' },
      };
    }),
    '/500': http(500, 'out of order'),
  });
  await kit.under('/failure');
  await everything(t, 'the webhook answers Failure', kit);
  await kit.under('/500');
  await everything(t, 'the webhook answers 500', kit);
  await t.step('the object is as it was', 'GET', kit.url('v1', 'one'), { pick: lean });
  await t.step('and the only one', 'GET', kit.url('v1'), {
    pick: (b) => b.items.map((o) => o.metadata.name),
  });
}

export async function webhookGone(t) {
  const kit = await failing(t, 'gone', {});
  const closed = await t.webhook(good);
  await closed.close();
  await kit.change({ conversion: byWebhook(closed) }, async () => (await kit.get('v2', 'one')).code === 500);
  await everything(t, 'nothing listens', kit);

  // The storage version needs no webhook.
  const one = kit.url('v1', 'one');
  await t.step('in v1: get', 'GET', one, { pick: lean });
  await t.step('in v1: list', 'GET', kit.url('v1'), { pick: lean });
  await t.step('in v1: create', 'POST', kit.url('v1'), {
    body: kit.object('v1', 'two', { spec: SPEC }),
    pick: lean,
  });
  await t.step('in v1: replace', 'PUT', one, {
    body: { ...(await kit.get('v1', 'one')), spec: { cronSpec: 'x' } },
    pick: lean,
  });
  await t.step('in v1: merge patch', 'PATCH', one, {
    body: { spec: { replicas: 3 } },
    type: MERGE,
    pick: lean,
  });
  await t.step('in v1: apply', 'PATCH', `${kit.url('v1', 'three')}?fieldManager=m`, {
    body: kit.object('v1', 'three', { spec: SPEC }),
    type: APPLY,
    pick: lean,
  });
  await t.step('in v1: merge patch of status', 'PATCH', `${one}/status`, {
    body: { status: { phase: 'On' } },
    type: MERGE,
    pick: lean,
  });
  await t.step('in v1: merge patch of scale', 'PATCH', `${one}/scale`, {
    body: { spec: { replicas: 4 } },
    type: MERGE,
    pick: lean,
  });
  const { resourceVersion } = (await t.setup('GET', kit.url('v1'))).metadata;
  await t.watch(
    'in v1: watch',
    `${kit.url('v1')}?watch=1&resourceVersion=${resourceVersion}`,
    { count: 1, pick: ({ type, object }) => ({ type, object: lean(object) }) },
    () => t.setup('PATCH', one, { body: { spec: { image: 'j' } }, type: MERGE }),
  );
  await t.step('in v1: delete', 'DELETE', one);
  await t.step('in v1: delete the collection', 'DELETE', kit.url('v1'), { pick: lean });
  await t.step('with nothing left, v2: list', 'GET', `${kit.url('v2')}?limit=500`);
  await t.step('with nothing left, v2: get', 'GET', kit.url('v2', 'one'));
  await t.step('with nothing left, v2: create', 'POST', kit.url('v2'), {
    body: kit.object('v2', 'four', { spec: { hour: '1' } }),
  });
}

/** One read, one list and three writes for each answer. */
async function sample(t, what, { url, object }) {
  await t.step(`${what}: get`, 'GET', url('v2', 'one'), { pick: lean });
  await t.step(`${what}: list`, 'GET', `${url('v2')}?limit=500`, { pick: lean });
  await t.step(`${what}: create`, 'POST', url('v2'), {
    body: object('v2', 'new', { spec: { hour: '1' } }),
    pick: lean,
  });
  await t.step(`${what}: merge patch`, 'PATCH', url('v2', 'one'), {
    body: { spec: { hour: '1' } },
    type: MERGE,
    pick: lean,
  });
  await t.step(`${what}: delete the collection`, 'DELETE', url('v2'), { pick: lean });
}

async function samples(t, area, cases) {
  const kit = await failing(t, area, Object.fromEntries(cases.map(([, answer], i) => [`/${i}`, answer])));
  for (const [i, [what]] of cases.entries()) {
    await kit.under(`/${i}`);
    await sample(t, what, kit);
  }
  await t.step('the object is as it was', 'GET', kit.url('v1', 'one'), { pick: lean });
  await t.step('and the only one', 'GET', kit.url('v1'), {
    pick: (b) => b.items.map((o) => o.metadata.name),
  });
}

export const badHttp = (t) =>
  samples(t, 'badhttp', [
    ['404 with text', http(404, 'no such page')],
    [
      '400 with a Status',
      http(400, {
        apiVersion: 'v1',
        kind: 'Status',
        status: 'Failure',
        message: 'told so',
        reason: 'BadRequest',
        code: 400,
      }),
    ],
    ['302 without a place to go', http(302, 'moved')],
    ['200 with text', http(200, 'hello')],
    ['200 with nothing', http(200, '')],
    ['200 with a JSON list', http(200, [1])],
  ]);

export const badReviews = (t) =>
  samples(t, 'badreviews', [
    [
      'another kind',
      but((r) => {
        r.kind = 'AdmissionReview';
      }),
    ],
    [
      'another group',
      but((r) => {
        r.apiVersion = 'example.com/v1';
      }),
    ],
    [
      'another review version than was sent',
      but((r) => {
        r.apiVersion = 'apiextensions.k8s.io/v1beta1';
      }),
    ],
    [
      'no apiVersion and kind',
      but((r) => {
        delete r.apiVersion;
        delete r.kind;
      }),
    ],
    [
      'no response',
      but((r) => {
        delete r.response;
      }),
    ],
    ['the request sent back', (review) => review],
    [
      'another uid',
      but((r) => {
        r.response.uid = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
      }),
    ],
    [
      'no result',
      but((r) => {
        delete r.response.result;
      }),
    ],
    [
      'a Failure without a message',
      but((r) => {
        r.response.result = { status: 'Failure' };
      }),
    ],
  ]);

export const badObjects = (t) =>
  samples(t, 'badobjects', [
    [
      'no objects',
      but((r) => {
        delete r.response.convertedObjects;
      }),
    ],
    [
      'too few objects',
      but((r) => {
        r.response.convertedObjects = [];
      }),
    ],
    [
      'too many objects',
      but((r) => {
        r.response.convertedObjects.push(r.response.convertedObjects[0]);
      }),
    ],
    [
      'the object unconverted',
      but((r, { request }) => {
        r.response.convertedObjects = request.objects;
      }),
    ],
    [
      'the object in another group',
      but((r) => {
        r.response.convertedObjects[0].apiVersion = 'example.com/v2';
      }),
    ],
    [
      'null for an object',
      but((r) => {
        r.response.convertedObjects = [null];
      }),
    ],
  ]);

// A CA that has signed nothing here.
const OTHER_CA = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJmRENDQVNPZ0F3SUJBZ0lVRTNTcVdibFVyK3Q3czhocFNlNmYvTU5CcTFrd0NnWUlLb1pJemowRUF3SXcKRXpFUk1BOEdBMVVFQXd3SWIzUm9aWEl0WTJF',
  'd0lCY05Nall4TVRFMU1qQXlNVEkwV2hnUE1qRXlOakV3TWpJeQpNREl4TWpSYU1CTXhFVEFQQmdOVkJBTU1DRzkwYUdWeUxXTmhNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBECkFRY0RRZ0FFNWxzNUtHOFVH',
  'Q04rVDFKS01FU1lTMU9YcUdiM0t5L1pmWHhZQ3l4QmJVT2xUb25WQ3dxa3ROd2UKcWs3Mlp4UERPSExkK01aSjBTamNsaGhrMlN2NkxxTlRNRkV3SFFZRFZSME9CQllFRkRXR2RvdGtmbldQNURldgpQSWtobTNR',
  'VUJCdXpNQjhHQTFVZEl3UVlNQmFBRkRXR2RvdGtmbldQNURldlBJa2htM1FVQkJ1ek1BOEdBMVVkCkV3RUIvd1FGTUFNQkFmOHdDZ1lJS29aSXpqMEVBd0lEUndBd1JBSWdiT0xHNmovOGZob1ZiL3lDbEpSbkJn',
  'aWEKd3RMbGN5ZmJIK3J3eW9NSTBmTUNJQlVlSGxhckhNaHAzVnAvNjBQK0FHODlxWHJpb1dwRU9RTU1KWVdmbVVGdgotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==',
].join('');

export async function badTrust(t) {
  const kit = await failing(t, 'badtrust', {});
  for (const [what, caBundle] of [['a CA that did not sign', OTHER_CA], ['no CA']]) {
    await kit.change({ conversion: byNone }, async () => (await kit.get('v2', 'one')).kind === 'CronTab');
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: kit.hook.url, caBundle }, conversionReviewVersions: ['v1'] },
    };
    await kit.change({ conversion }, async () => (await kit.get('v2', 'one')).code === 500);
    await sample(t, what, kit);
  }
  t.note('calls', kit.hook.calls.length);
}

/** A webhook that converts in one direction only. */
export async function oneWay(t) {
  const only = (version) => (review) =>
    review.request.desiredAPIVersion.endsWith(`/${version}`)
      ? good(review)
      : { status: 500, body: `only to ${version}` };
  const { url, object, seed, under, get } = await failing(t, 'oneway', {
    '/out': only('v2'),
    '/in': only('v1'),
  });
  await seed('v1', 'held', { metadata: { name: 'held', finalizers: ['example.com/hold'] }, spec: SPEC });
  t.onEnd(() =>
    t.client.request('PATCH', url('v1', 'held'), {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': MERGE },
    }),
  );
  const one = url('v2', 'one');
  const step = (label, method, u, rest) => t.step(label, method, u, { pick: lean, ...rest });

  await under('/out');
  await step('out only: get', 'GET', one);
  await step('out only: create', 'POST', url('v2'), { body: object('v2', 'new', { spec: { hour: '1' } }) });
  await step('out only: replace', 'PUT', one, { body: { ...(await get('v2', 'one')), spec: { hour: '1' } } });
  await step('out only: merge patch', 'PATCH', one, { body: { spec: { hour: '1' } }, type: MERGE });
  await step('out only: merge patch of status', 'PATCH', `${one}/status`, {
    body: { status: { phase: 'On' } },
    type: MERGE,
  });
  await step('out only: merge patch of scale', 'PATCH', `${one}/scale`, {
    body: { spec: { replicas: 2 } },
    type: MERGE,
  });
  await step('out only: apply', 'PATCH', `${one}?fieldManager=m`, {
    body: object('v2', 'one', { spec: { hour: '1' } }),
    type: APPLY,
  });
  await step('out only: delete what has a finalizer', 'DELETE', url('v2', 'held'));
  await step('out only: what is left, in v1', 'GET', url('v1'));

  await under('/in');
  await step('in only: get', 'GET', one);
  await step('in only: create', 'POST', url('v2'), { body: object('v2', 'new', { spec: { hour: '1' } }) });
  await step('in only: the object was created all the same', 'GET', url('v1', 'new'));
  await step('in only: create it again', 'POST', url('v2'), {
    body: object('v2', 'new', { spec: { hour: '1' } }),
  });
  await step('in only: create, dry run', 'POST', `${url('v2')}?dryRun=All`, {
    body: object('v2', 'newer', { spec: { hour: '1' } }),
  });
  await step('in only: merge patch', 'PATCH', one, { body: { spec: { hour: '1' } }, type: MERGE });
  await step('in only: delete', 'DELETE', one);
  await step('in only: what is left, in v1', 'GET', url('v1'), {
    pick: (b) => b.items.map((o) => o.metadata.name),
  });
}
