// What the server sends to a conversion webhook, when it sends nothing, and what it takes from the answer's
// metadata.
import { isDeepStrictEqual } from 'node:util';
import { conversionAnswer } from '../lib/webhook.mjs';
import {
  APPLY,
  byWebhook,
  convertCronTab,
  install,
  JSON_PATCH,
  lean,
  MERGE,
  V1,
  V2,
} from './conversion/crontab.mjs';

const SPEC = { cronSpec: '* * * * */5', image: 'i' };

export async function requests(t) {
  const { url, hook, seed, get, change, group, object } = await install(t, 'requests');
  await seed('v1', 'one', { spec: SPEC });
  await seed('v2', 'two', { spec: { hour: '1' } });
  const sent = (name, v, path = '/convert') =>
    hook.calls.find(
      ({ review: { request }, url: u }) =>
        u.startsWith(path) &&
        request.desiredAPIVersion === `${group}/${v}` &&
        request.objects.some((o) => o.metadata.name === name),
    );
  // A list may be converted in one call or in several, so only the objects of one name are kept.
  const only = (name, call) => {
    const copy = structuredClone(call);
    if (copy)
      copy.review.request.objects = copy.review.request.objects.filter((o) => o.metadata.name === name);
    return copy;
  };

  await get('v2', 'one');
  t.note('reading in v2 what is stored in v1', only('one', sent('one', 'v2')));
  t.note('storing in v1 what is created in v2', only('two', sent('two', 'v1')));
  t.note(
    'no review holds a resourceVersion',
    hook.calls.every(({ review }) => review.request.objects.every((o) => !o.metadata.resourceVersion)),
  );
  await t.setup('PATCH', `${url('v2', 'applied')}?fieldManager=m`, {
    body: object('v2', 'applied', { spec: { hour: '1' } }),
    type: APPLY,
  });
  t.note('storing in v1 what is applied in v2', only('applied', sent('applied', 'v1')));
  t.note(
    'no review holds an object without metadata',
    hook.calls.every(({ review }) => review.request.objects.every((o) => o.metadata)),
  );
  t.note(
    'every review has a uid of its own',
    new Set(hook.calls.map(({ review }) => review.request.uid)).size === hook.calls.length,
  );

  for (const [n, versions] of [
    ['v1beta1'],
    ['v1beta1', 'v1'],
    ['v1', 'v1beta1'],
    ['v9', 'v1'],
    ['v9', 'v1beta1', 'v1'],
  ].entries()) {
    const path = `/number-${n}`;
    await change({ conversion: byWebhook(hook, path, versions) }, async () => {
      await get('v2', 'one');
      return sent('one', 'v2', path);
    });
    const { url: u, review } = sent('one', 'v2', path);
    t.note(`conversionReviewVersions ${versions.join(', ')}`, {
      url: u,
      apiVersion: review.apiVersion,
      kind: review.kind,
      desired: review.request.desiredAPIVersion,
      keys: Object.keys(review).sort(),
      request: Object.keys(review.request).sort(),
    });
    await t.step(`read in v2 with ${versions.join(', ')}`, 'GET', url('v2', 'one'), { pick: lean });
    await t.step(`create in v2 with ${versions.join(', ')}`, 'POST', url('v2'), {
      body: object('v2', `made-${n}`, { spec: { hour: '1' } }),
      pick: lean,
    });
  }
}

/** v1beta1 does not look at the uid of the answer, nor at its kind where that can be read at all. */
export async function beta(t) {
  const answers = {
    '/other-uid': (r) => {
      r.response.uid = 'another';
    },
    '/no-uid': (r) => {
      delete r.response.uid;
    },
    '/v1': (r) => {
      r.apiVersion = 'apiextensions.k8s.io/v1';
    },
    '/no-api-version': (r) => {
      delete r.apiVersion;
    },
    '/no-kind': (r) => {
      delete r.kind;
    },
    '/other-kind': (r) => {
      r.kind = 'AdmissionReview';
    },
    '/failure': (r) => {
      r.response.result = { status: 'Failure', message: 'not today' };
    },
    '/no-result': (r) => {
      delete r.response.result;
    },
    '/no-response': (r) => {
      delete r.response;
    },
    '/too-many': (r) => {
      r.response.convertedObjects.push(r.response.convertedObjects[0]);
    },
  };
  const good = conversionAnswer(convertCronTab);
  const { url, hook, seed, get, change } = await install(t, 'beta', {
    answer: (review, { url: u }) => {
      const r = good(review);
      answers[u.split('?')[0]]?.(r);
      return r;
    },
  });
  await seed('v1', 'one', { spec: SPEC });
  for (const path of Object.keys(answers)) {
    await change({ conversion: byWebhook(hook, path, ['v1beta1']) }, async () => {
      await get('v2', 'one');
      return hook.calls.some((c) => c.url.startsWith(`${path}?`));
    });
    await t.step(`v1beta1, answer with ${path.slice(1)}`, 'GET', url('v2', 'one'), { pick: lean });
  }
}

export async function neverCalled(t) {
  // v2 is not served, so nothing ever needs it.
  const { url, object, hook, seed, ns } = await install(t, 'never', {
    versions: [V1, { ...V2, served: false }],
  });
  const quiet = (what) => t.note(`calls after ${what}`, hook.calls.length);
  const at = url('v1', 'one');
  await seed('v1', 'one', { spec: { ...SPEC, replicas: 1 } });
  quiet('create');
  await t.setup('GET', at);
  await t.setup('GET', url('v1'));
  quiet('get and list');
  await t.watch('watch', `${url('v1')}?watch=1`, { count: 1, pick: ({ type }) => type });
  await t.setup('PUT', at, { body: { ...(await t.setup('GET', at)), spec: { cronSpec: 'x' } } });
  quiet('replace');
  await t.setup('PATCH', at, { body: { spec: { replicas: 2 } }, type: MERGE });
  await t.setup('PATCH', at, {
    body: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
    type: JSON_PATCH,
  });
  await t.setup('PATCH', `${at}?fieldManager=m&force=true`, {
    body: object('v1', 'one', { spec: SPEC }),
    type: APPLY,
  });
  quiet('patches and apply');
  await t.setup('PATCH', `${at}/status`, { body: { status: { phase: 'On' } }, type: MERGE });
  await t.setup('PUT', `${at}/scale`, {
    body: {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'one', namespace: ns },
      spec: { replicas: 3 },
    },
  });
  quiet('status and scale');
  await t.setup('DELETE', at);
  await seed('v1', 'two', { spec: SPEC });
  await t.setup('DELETE', url('v1'));
  quiet('delete and deletecollection');
  await t.step('the version that is not served', 'GET', url('v2'));
}

export async function nothingToConvert(t) {
  const { url, hook } = await install(t, 'nothing');
  await t.step('an empty list in v2', 'GET', `${url('v2')}?limit=500`);
  await t.step('a name that does not exist in v2', 'GET', url('v2', 'none'));
  await t.step('delete what does not exist in v2', 'DELETE', url('v2', 'none'));
  await t.step('merge patch of what does not exist in v2', 'PATCH', url('v2', 'none'), {
    body: {},
    type: MERGE,
  });
  await t.step('delete an empty collection in v2', 'DELETE', url('v2'));
  await t.step('a create that is refused in v2', 'POST', url('v2'), {
    body: { apiVersion: 'x/v2', kind: 'CronTab', metadata: { name: 'a' } },
  });
  t.note('calls when there is nothing to convert', hook.calls.length);
}

const FULL = {
  labels: { a: 'b' },
  annotations: { 'example.com/a': 'b' },
  finalizers: ['example.com/hold'],
  ownerReferences: [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' },
  ],
};
/**
 * Objects whose names say what the webhook does to their metadata; `direction` is the version it does so for.
 */
async function meddling(t, area, direction, deeds) {
  const kit = await install(t, area, {
    answer: conversionAnswer((o, desired) => {
      const out = convertCronTab(o, desired);
      const deed = deeds[out.metadata.name];
      return desired.endsWith(`/${direction}`) && deed ? (deed(out) ?? out) : out;
    }),
  });
  t.onEnd(async () => {
    for (const name of Object.keys(deeds))
      await t.client.request('PATCH', kit.url('v1', name), {
        body: { metadata: { finalizers: null } },
        headers: { 'content-type': MERGE },
      });
  });
  return {
    ...kit,
    full: (v, name) =>
      kit.object(v, name, { metadata: { name, ...FULL }, spec: v === 'v1' ? SPEC : { hour: '1' } }),
  };
}

export async function labelsOnRead(t) {
  const { url, full, seed } = await meddling(t, 'labels', 'v2', {
    'adds-label': ({ metadata: m }) => {
      m.labels.added = 'yes';
    },
    'changes-label': ({ metadata: m }) => {
      m.labels.a = 'c';
    },
    'removes-labels': ({ metadata: m }) => {
      delete m.labels;
    },
    'empties-labels': ({ metadata: m }) => {
      m.labels = {};
    },
    'nulls-labels': ({ metadata: m }) => {
      m.labels = null;
    },
    'adds-annotation': ({ metadata: m }) => {
      m.annotations['example.com/added'] = 'yes';
    },
    'changes-annotation': ({ metadata: m }) => {
      m.annotations['example.com/a'] = '';
    },
    'removes-annotations': ({ metadata: m }) => {
      delete m.annotations;
    },
    'nulls-annotations': ({ metadata: m }) => {
      m.annotations = null;
    },
  });
  const names = [
    'adds-label',
    'changes-label',
    'removes-labels',
    'empties-labels',
    'nulls-labels',
    'adds-annotation',
    'changes-annotation',
    'removes-annotations',
    'nulls-annotations',
  ];
  const marks = ({ metadata: { labels, annotations } }) => ({ labels, annotations });
  for (const name of names) {
    await t.setup('POST', url('v1'), { body: full('v1', name) });
    await t.step(`webhook ${name.replace('-', ' ')}: read in v2`, 'GET', url('v2', name), { pick: marks });
  }
  await t.step('v1 shows them as they were', 'GET', url('v1'), { pick: (b) => b.items.map(marks) });
  for (const selector of ['added=yes', 'a=b', 'a=c', '!a']) {
    for (const v of ['v1', 'v2'])
      await t.step(
        `list in ${v} by ${selector}`,
        'GET',
        `${url(v)}?labelSelector=${encodeURIComponent(selector)}`,
        { pick: (b) => b.items.map((o) => o.metadata.name) },
      );
  }
  await t.step(
    'a change in v2 stores what the webhook made of the labels',
    'PATCH',
    url('v2', 'adds-label'),
    { body: { spec: { hour: '3' } }, type: MERGE, pick: marks },
  );
  await t.step('so v1 shows it too', 'GET', url('v1', 'adds-label'), { pick: marks });
  await seed('v1', 'bare', { spec: SPEC });
  await t.step('an object without labels', 'GET', url('v2', 'bare'), { pick: marks });
}

export async function labelsOnWrite(t) {
  const { url, full } = await meddling(t, 'labelsw', 'v1', {
    'adds-label': ({ metadata: m }) => {
      m.labels.added = 'yes';
    },
    'removes-labels': ({ metadata: m }) => {
      delete m.labels;
    },
    'adds-annotation': ({ metadata: m }) => {
      m.annotations['example.com/added'] = 'yes';
    },
    meddles: ({ metadata: m }) => {
      Object.assign(m, {
        finalizers: ['example.com/other'],
        ownerReferences: [],
        generation: 9,
        managedFields: [],
      });
    },
  });
  for (const name of ['adds-label', 'removes-labels', 'adds-annotation', 'meddles']) {
    await t.step(`webhook ${name.replace('-', ' ')}: create in v2`, 'POST', url('v2'), {
      body: full('v2', name),
      pick: lean,
    });
    await t.step(`webhook ${name.replace('-', ' ')}: read in v1`, 'GET', url('v1', name), { pick: lean });
    await t.step(`webhook ${name.replace('-', ' ')}: merge patch in v2`, 'PATCH', url('v2', name), {
      body: { metadata: { labels: { a: 'c' } } },
      type: MERGE,
      pick: lean,
    });
    await t.step(`webhook ${name.replace('-', ' ')}: read in v1 again`, 'GET', url('v1', name), {
      pick: lean,
    });
  }
}

export async function restored(t) {
  const set = (rest) => (o) => {
    Object.assign(o.metadata, rest);
  };
  const drop = (field) => (o) => {
    delete o.metadata[field];
  };
  const deeds = {
    'finalizers-changed': set({ finalizers: ['example.com/other'] }),
    'finalizers-removed': drop('finalizers'),
    'ownerreferences-changed': set({ ownerReferences: [] }),
    'resourceversion-set': set({ resourceVersion: '1' }),
    'creationtimestamp-changed': set({ creationTimestamp: '2001-01-01T00:00:00Z' }),
    'creationtimestamp-invalid': set({ creationTimestamp: 'yesterday' }),
    'generation-changed': set({ generation: 99 }),
    'generation-removed': drop('generation'),
    'managedfields-removed': drop('managedFields'),
    'deletiontimestamp-set': set({ deletionTimestamp: '2001-01-01T00:00:00Z' }),
    'selflink-set': set({ selfLink: '/there' }),
    'unknown-set': set({ unknown: 'x' }),
    'generatename-set': set({ generateName: 'x-' }),
  };
  const { url, full } = await meddling(t, 'restored', 'v2', deeds);
  for (const name of Object.keys(deeds)) {
    const { metadata: stored } = await t.setup('POST', url('v1'), { body: full('v1', name) });
    // Times are masked in answers, so what differs is told by name.
    const changed = ({ metadata }) =>
      [...new Set([...Object.keys(stored), ...Object.keys(metadata)])].filter(
        (k) => !isDeepStrictEqual(stored[k], metadata[k]),
      );
    await t.step(`${name.replace('-', ' ')} by the webhook`, 'GET', url('v2', name), {
      pick: (o) => ({ ...lean(o), changed: changed(o) }),
    });
  }
}

export async function refused(t) {
  const set = (rest) => (o) => {
    Object.assign(o.metadata, rest);
  };
  const drop = (field) => (o) => {
    delete o.metadata[field];
  };
  const deeds = {
    'name-changed': set({ name: 'other' }),
    'name-removed': drop('name'),
    'namespace-changed': set({ namespace: 'default' }),
    'namespace-removed': drop('namespace'),
    'uid-changed': set({ uid: 'another' }),
    'uid-removed': drop('uid'),
    'kind-changed': (o) => {
      o.kind = 'CronJob';
    },
    'metadata-removed': ({ metadata, ...o }) => o,
    'metadata-null': (o) => ({ ...o, metadata: null }),
    'metadata-string': (o) => ({ ...o, metadata: 'x' }),
    'label-value-invalid': set({ labels: { a: 'not valid' } }),
    'label-key-invalid': set({ labels: { 'not valid': 'a' } }),
    'label-number': set({ labels: { a: 1 } }),
    'labels-list': set({ labels: ['a'] }),
    'annotation-key-invalid': set({ annotations: { 'not valid': 'a' } }),
    'annotation-number': set({ annotations: { a: 1 } }),
    'annotations-string': set({ annotations: 'a' }),
    'annotations-too-long': set({ annotations: { a: 'x'.repeat(256 * 1024) } }),
  };
  const read = await meddling(t, 'refused', 'v2', deeds);
  for (const name of Object.keys(deeds)) {
    await t.setup('POST', read.url('v1'), { body: read.full('v1', name) });
    await t.step(`${name.replaceAll('-', ' ')}: read in v2`, 'GET', read.url('v2', name));
  }
  const write = await meddling(t, 'refusedw', 'v1', deeds);
  for (const name of Object.keys(deeds)) {
    await t.step(`${name.replaceAll('-', ' ')}: create in v2`, 'POST', write.url('v2'), {
      body: write.full('v2', name),
    });
  }
  await t.step('nothing of that was stored', 'GET', write.url('v1'));
}
