// One resource in two versions of different shape, converted by a webhook: v1 is stored, v2 is converted on
// the way in and out.
import { APPLY, install, JSON_PATCH, lean, MERGE, V1, V2 } from './conversion/crontab.mjs';

const EVERY5 = { cronSpec: '* * * * */5', image: 'i' };
const NOON = { min: '0', hour: '12', dayOfMonth: '*', month: '*', dayOfWeek: '*', image: 'i' };
const as = (kind) => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` });

export async function createAndRead(t) {
  const { url, object, group } = await install(t, 'create');

  await t.step('create in the storage version', 'POST', url('v1'), {
    body: object('v1', 'one', { spec: EVERY5 }),
  });
  await t.step('create in the other version', 'POST', url('v2'), {
    body: object('v2', 'two', { spec: NOON }),
  });
  for (const v of ['v1', 'v2']) {
    await t.step(`read in ${v} what was created in v1`, 'GET', url(v, 'one'), { pick: lean });
    await t.step(`read in ${v} what was created in v2`, 'GET', url(v, 'two'), { pick: lean });
    await t.step(`list in ${v}`, 'GET', url(v), { pick: lean });
    await t.step(`list in ${v} by name`, 'GET', `${url(v)}?fieldSelector=metadata.name%3Dtwo`, {
      pick: lean,
    });
  }
  await t.step('list in v2 over all namespaces', 'GET', `/apis/${group}/v2/crontabs`, { pick: lean });
  const page = await t.step('the first page of a list in v2', 'GET', `${url('v2')}?limit=1`, { pick: lean });
  await t.step(
    'the second page of a list in v2',
    'GET',
    `${url('v2')}?limit=1&continue=${encodeURIComponent(page.metadata?.continue)}`,
    { pick: lean },
  );
  await t.step('metadata only, in v2', 'GET', url('v2', 'one'), {
    headers: as('PartialObjectMetadata'),
    pick: lean,
  });
  await t.step('list metadata only, in v2', 'GET', url('v2'), {
    headers: as('PartialObjectMetadataList'),
    pick: lean,
  });
  await t.step('YAML in v2', 'GET', url('v2', 'two'), {
    headers: { accept: 'application/yaml' },
    pick: (text) =>
      text.split('\n').filter((line) => /^(apiVersion|kind|spec| {2}(min|hour|image)):/.test(line)),
  });

  await t.step('create in v2 a name that exists', 'POST', url('v2'), {
    body: object('v2', 'one', { spec: NOON }),
  });
  await t.step('create in v2 with v1 in the body', 'POST', url('v2'), {
    body: object('v1', 'three', { spec: EVERY5 }),
  });
  await t.step('create in v1 with v2 in the body', 'POST', url('v1'), {
    body: object('v2', 'three', { spec: NOON }),
  });
  await t.step('create in v2 with another kind in the body', 'POST', url('v2'), {
    body: { ...object('v2', 'three'), kind: 'CronJob' },
  });
  await t.step('create in v2 without apiVersion', 'POST', url('v2'), {
    body: { ...object('v2', 'three'), apiVersion: undefined },
  });
  await t.step('create in v2 with a version that does not exist in the body', 'POST', url('v2'), {
    body: object('v3', 'three'),
  });
  await t.step('create in v2 with fields of v1 only', 'POST', url('v2'), {
    body: object('v2', 'three', { spec: EVERY5 }),
    pick: lean,
  });
  await t.step('read that in v1', 'GET', url('v1', 'three'), { pick: lean });
  await t.step('create in v2 without a spec', 'POST', url('v2'), { body: object('v2', 'four'), pick: lean });
  await t.step('read that in v1 too', 'GET', url('v1', 'four'), { pick: lean });
  await t.step('a name that does not exist, in v2', 'GET', url('v2', 'none'));
}

export async function replace(t) {
  const { url, object, seed, get } = await install(t, 'replace');
  const put = (label, v, body) => t.step(label, 'PUT', url(v, body.metadata.name), { body, pick: lean });
  const read = (label, v, name) => t.step(label, 'GET', url(v, name), { pick: lean });
  await seed('v1', 'one', { spec: EVERY5 });

  const first = await get('v2', 'one');
  await put('replace in v2', 'v2', { ...first, spec: { ...first.spec, hour: '3' } });
  await read('read that in v1', 'v1', 'one');
  await put('replace in v2 with a resourceVersion that is no longer current', 'v2', { ...first, spec: NOON });
  await put('replace in v2 without a resourceVersion', 'v2', object('v2', 'one', { spec: NOON }));
  await put(
    'replace in v2 with what is there changes neither generation nor resourceVersion',
    'v2',
    await get('v2', 'one'),
  );
  await put('replace in v1 with what is there changes neither', 'v1', await get('v1', 'one'));
  const labelled = await get('v2', 'one');
  await put('replace in v2 only a label: the generation stays', 'v2', {
    ...labelled,
    metadata: { ...labelled.metadata, labels: { a: 'b' } },
  });
  await put('replace in v1', 'v1', { ...(await get('v1', 'one')), spec: { cronSpec: '1 2 3 4 5' } });
  await read('read that in v2', 'v2', 'one');
  const { resourceVersion } = (await get('v2', 'one')).metadata;
  await put(
    'replace in v1 with a resourceVersion seen in v2',
    'v1',
    object('v1', 'one', { metadata: { name: 'one', resourceVersion }, spec: EVERY5 }),
  );
  await put('replace in v2 with v1 in the body', 'v2', await get('v1', 'one'));
  await t.step('replace in v2 with another name in the body', 'PUT', url('v2', 'one'), {
    body: object('v2', 'two'),
  });
  await t.step('replace in v2 with another uid in the body', 'PUT', url('v2', 'one'), {
    body: object('v2', 'one', { metadata: { name: 'one', uid: 'none' } }),
  });
  await t.step('replace in v2 what does not exist', 'PUT', url('v2', 'two'), {
    body: object('v2', 'two', { spec: NOON }),
  });
}

export async function patches(t) {
  const { url, object, seed } = await install(t, 'patch');
  await seed('v1', 'one', { spec: EVERY5 });
  const merge = (label, v, body) => t.step(label, 'PATCH', url(v, 'one'), { body, type: MERGE, pick: lean });
  const json = (label, v, body) =>
    t.step(label, 'PATCH', url(v, 'one'), { body, type: JSON_PATCH, pick: lean });

  await merge('merge patch in v2', 'v2', { spec: { hour: '7' } });
  await t.step('read that in v1', 'GET', url('v1', 'one'), { pick: lean });
  await merge('merge patch in v2 that changes nothing', 'v2', { spec: { hour: '7' } });
  await merge('merge patch in v2 that removes a field: the converter fills it with a star', 'v2', {
    spec: { hour: null },
  });
  await merge('merge patch in v2 of labels only', 'v2', { metadata: { labels: { a: 'b' } } });
  await merge('merge patch in v1', 'v1', { spec: { cronSpec: '1 2 3 4 5' } });
  await merge('merge patch in v2 of a field that only v1 has', 'v2', { spec: { cronSpec: '9 9 9 9 9' } });
  // Its message holds the whole object, with times and versions.
  const strict = await t.client.request('PATCH', `${url('v2', 'one')}?fieldValidation=Strict`, {
    body: { spec: { cronSpec: '9 9 9 9 9' } },
    headers: { 'content-type': MERGE },
  });
  t.note('the same with fieldValidation=Strict', {
    status: strict.status,
    reason: strict.body.reason,
    fields: strict.body.details?.causes?.map((c) => c.field),
  });
  await merge('merge patch in v2 with apiVersion v2', 'v2', {
    apiVersion: object('v2', 'x').apiVersion,
    spec: { hour: '8' },
  });
  await merge('merge patch in v2 with apiVersion v1', 'v2', {
    apiVersion: object('v1', 'x').apiVersion,
    spec: { hour: '9' },
  });
  await merge('merge patch in v2 with a resourceVersion that is no longer current', 'v2', {
    metadata: { resourceVersion: '1' },
    spec: { hour: '9' },
  });
  await json('JSON patch in v2', 'v2', [{ op: 'replace', path: '/spec/min', value: '30' }]);
  await json('JSON patch in v2 with a test that holds in v2', 'v2', [
    { op: 'test', path: '/spec/min', value: '30' },
    { op: 'replace', path: '/spec/min', value: '31' },
  ]);
  await json('JSON patch in v2 with a test that fails', 'v2', [
    { op: 'test', path: '/spec/min', value: '30' },
  ]);
  await json('JSON patch in v2 at a path that only v1 has', 'v2', [
    { op: 'replace', path: '/spec/cronSpec', value: '* * * * *' },
  ]);
  await json('JSON patch in v2 that changes apiVersion', 'v2', [
    { op: 'replace', path: '/apiVersion', value: object('v1', 'x').apiVersion },
  ]);
  await json('JSON patch in v1', 'v1', [{ op: 'replace', path: '/spec/cronSpec', value: '5 4 3 2 1' }]);
  await t.step('read that in v2', 'GET', url('v2', 'one'), { pick: lean });
  await t.step('strategic merge patch in v2', 'PATCH', url('v2', 'one'), {
    body: {},
    type: 'application/strategic-merge-patch+json',
  });
  await t.step('apply in v2 creates', 'PATCH', `${url('v2', 'two')}?fieldManager=m`, {
    body: object('v2', 'two', { spec: NOON }),
    type: APPLY,
    pick: lean,
  });
  await t.step('read in v1 what was applied', 'GET', url('v1', 'two'), { pick: lean });
  await t.step('apply in v2 with v1 in the body', 'PATCH', `${url('v2', 'two')}?fieldManager=m`, {
    body: object('v1', 'two', { spec: EVERY5 }),
    type: APPLY,
  });
}

export async function deletes(t) {
  const { url, seed } = await install(t, 'delete');
  for (const [v, name] of [
    ['v1', 'one'],
    ['v2', 'two'],
  ])
    await seed(v, name, { spec: v === 'v1' ? EVERY5 : NOON });
  const meta = (name, rest) => ({ metadata: { name, ...rest }, spec: NOON });

  await t.step('delete in v2 with the uid of another object', 'DELETE', url('v2', 'one'), {
    body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'none' } },
  });
  await t.step('delete in v2, dry run', 'DELETE', `${url('v2', 'one')}?dryRun=All`);
  await t.step('delete in v2 what was created in v1', 'DELETE', url('v2', 'one'));
  await t.step('delete in v1 what was created in v2', 'DELETE', url('v1', 'two'));
  await t.step('delete in v2 what does not exist', 'DELETE', url('v2', 'one'));

  await seed('v2', 'held', meta('held', { finalizers: ['example.com/hold'] }));
  await t.step('delete in v2 what has a finalizer', 'DELETE', url('v2', 'held'), { pick: lean });
  await t.step('read that in v1', 'GET', url('v1', 'held'), { pick: lean });
  await t.step('take the finalizer off in v2', 'PATCH', url('v2', 'held'), {
    body: { metadata: { finalizers: null } },
    type: MERGE,
    pick: lean,
  });
  await t.step('now it is gone from v1', 'GET', url('v1', 'held'));

  for (const [name, app] of [
    ['a', 'x'],
    ['b', 'x'],
    ['c', 'y'],
  ])
    await seed('v2', name, meta(name, { labels: { app } }));
  await t.step(
    'delete a collection in v2 by label, dry run',
    'DELETE',
    `${url('v2')}?labelSelector=app%3Dx&dryRun=All`,
    { pick: lean },
  );
  await t.step('delete a collection in v2 by label', 'DELETE', `${url('v2')}?labelSelector=app%3Dx`, {
    pick: lean,
  });
  await t.step('what is left, in v1', 'GET', url('v1'), { pick: lean });
  await t.step('delete the whole collection in v2', 'DELETE', url('v2'), { pick: lean });
  await t.step('an empty list in v2', 'GET', url('v2'));
  await t.step('delete an empty collection in v2', 'DELETE', url('v2'));
}

export async function subresources(t) {
  const { url, object, seed, get, ns } = await install(t, 'subresources');
  await seed('v1', 'one', { spec: { ...EVERY5, replicas: 1 } });
  const at = (v, sub) => `${url(v, 'one')}/${sub}`;
  const step = (label, method, u, body, type) => t.step(label, method, u, { body, type, pick: lean });
  const both = async (what) => {
    for (const v of ['v1', 'v2']) await step(`${what}, read in ${v}`, 'GET', url(v, 'one'));
  };

  await step('read status in v2', 'GET', at('v2', 'status'));
  const current = await get('v2', 'one');
  const changed = {
    ...current,
    metadata: { ...current.metadata, labels: { a: 'b' } },
    spec: NOON,
    status: { workers: 3, selector: 'a=b', phase: 'On' },
  };
  await step('replace status in v2: spec and labels are not taken', 'PUT', at('v2', 'status'), changed);
  await both('status');
  await step(
    'merge patch of status in v2',
    'PATCH',
    at('v2', 'status'),
    { spec: { hour: '1' }, status: { workers: 4 } },
    MERGE,
  );
  await step(
    'JSON patch of status in v2',
    'PATCH',
    at('v2', 'status'),
    [{ op: 'replace', path: '/status/phase', value: 'Off' }],
    JSON_PATCH,
  );
  await step('merge patch of status in v1', 'PATCH', at('v1', 'status'), { status: { replicas: 5 } }, MERGE);
  await step(
    'replace status in v2 with a resourceVersion that is no longer current',
    'PUT',
    at('v2', 'status'),
    { ...current, status: {} },
  );
  await step(
    'replace status in v2 with v1 in the body',
    'PUT',
    at('v2', 'status'),
    object('v1', 'one', { status: { replicas: 1 } }),
  );
  await step(
    'a field of the status of v1 in v2',
    'PATCH',
    at('v2', 'status'),
    { status: { replicas: 9 } },
    MERGE,
  );
  await step(
    'merge patch of the object in v2: status is not taken, the generation grows',
    'PATCH',
    url('v2', 'one'),
    { spec: { workers: 2 }, status: { workers: 9 } },
    MERGE,
  );
  await step(
    'create in v2 with a status',
    'POST',
    url('v2'),
    object('v2', 'two', { spec: NOON, status: { workers: 9 } }),
  );

  await step('read scale in v1', 'GET', at('v1', 'scale'));
  await step('read scale in v2', 'GET', at('v2', 'scale'));
  const scale = (rest = {}, name = 'one') => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace: ns, ...rest.metadata },
    spec: rest.spec ?? {},
  });
  await step('replace scale in v2', 'PUT', at('v2', 'scale'), scale({ spec: { replicas: 6 } }));
  await both('scaled');
  await step('merge patch of scale in v2', 'PATCH', at('v2', 'scale'), { spec: { replicas: 7 } }, MERGE);
  await step(
    'JSON patch of scale in v2',
    'PATCH',
    at('v2', 'scale'),
    [{ op: 'replace', path: '/spec/replicas', value: 8 }],
    JSON_PATCH,
  );
  await step('merge patch of scale in v1', 'PATCH', at('v1', 'scale'), { spec: { replicas: 9 } }, MERGE);
  await step(
    'replace scale in v2 with a resourceVersion that is no longer current',
    'PUT',
    at('v2', 'scale'),
    scale({ metadata: { resourceVersion: '1' }, spec: { replicas: 1 } }),
  );
  await step(
    'replace scale in v2 with a negative number',
    'PUT',
    at('v2', 'scale'),
    scale({ spec: { replicas: -1 } }),
  );
  await step('replace scale in v2 with no number', 'PUT', at('v2', 'scale'), scale());
  await step(
    'replace scale in v2 with the object instead of a Scale',
    'PUT',
    at('v2', 'scale'),
    object('v2', 'one'),
  );
  await step('scale in v2 of an object without a number', 'GET', `${url('v2', 'two')}/scale`);
  await step('scale in v2 of what does not exist', 'GET', `${url('v2', 'none')}/scale`);
}

export async function watches(t) {
  const { url, seed, get } = await install(t, 'watch');
  await seed('v1', 'one', { spec: EVERY5 });
  const event = ({ type, object }) => ({ type, object: lean(object) });
  // Each version lists and watches on its own, so a watch starts at the resourceVersion of a list in the same
  // version.
  const from = async (v, query = '') =>
    `${url(v)}?watch=1&resourceVersion=${(await t.setup('GET', url(v))).metadata.resourceVersion}${query}`;
  const patch = (v, name, body) => t.setup('PATCH', url(v, name), { body, type: MERGE });
  const life = (v, name, w) => async () => {
    await seed(w, name, { spec: w === 'v1' ? EVERY5 : NOON });
    await patch(w, name, { spec: w === 'v1' ? { cronSpec: '1 1 1 1 1' } : { hour: '1' } });
    await patch(v, name, { metadata: { labels: { by: v } } });
    await t.setup('DELETE', url(w, name));
  };

  for (const v of ['v1', 'v2']) {
    for (const w of ['v1', 'v2']) {
      await t.watch(
        `a watch in ${v} of what happens in ${w}`,
        await from(v),
        { count: 4, pick: event },
        life(v, `${v}-${w}`, w),
      );
    }
  }
  await t.watch('a watch in v2 without resourceVersion begins with what exists', `${url('v2')}?watch=1`, {
    count: 1,
    pick: event,
  });
  await t.watch(
    'a watch in v2 by name',
    await from('v2', '&fieldSelector=metadata.name%3Dtwo'),
    { count: 1, pick: event },
    async () => {
      await patch('v1', 'one', { spec: { image: 'j' } });
      await seed('v1', 'two', { spec: EVERY5 });
    },
  );
  await t.watch(
    'a watch in v2 by label: leaving the selection is a deletion',
    await from('v2', '&labelSelector=app%3Dx'),
    { count: 3, pick: event },
    async () => {
      await patch('v1', 'one', { metadata: { labels: { app: 'x' } } });
      await patch('v1', 'one', { spec: { cronSpec: '2 2 2 2 2' } });
      await patch('v1', 'one', { metadata: { labels: { app: 'y' } } });
    },
  );
  const before = (await get('v2', 'one')).metadata.resourceVersion;
  await patch('v1', 'one', { spec: { image: 'k' } });
  await patch('v2', 'one', { spec: { image: 'l' } });
  await t.watch(
    'a watch in v2 from a resourceVersion in the past',
    `${url('v2')}?watch=1&resourceVersion=${before}`,
    { count: 2, pick: event },
  );
  await t.watch('a watch in v2 of metadata only', `${url('v2')}?watch=1&resourceVersion=${before}`, {
    count: 2,
    headers: as('PartialObjectMetadata'),
    pick: event,
  });
  await t.watch(
    'a watch in v2 that sends initial events and a bookmark',
    `${url('v2')}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
    {
      count: 3,
      bookmarks: true,
      pick: ({ type, object }) => ({
        type,
        object:
          type === 'BOOKMARK'
            ? { apiVersion: object.apiVersion, kind: object.kind, annotations: object.metadata.annotations }
            : lean(object),
      }),
    },
  );
}

export async function tables(t) {
  const column = (name, jsonPath, rest = {}) => ({ name, type: 'string', jsonPath, ...rest });
  const { url, object, seed } = await install(t, 'table', {
    versions: [
      {
        ...V1,
        additionalPrinterColumns: [
          column('Schedule', '.spec.cronSpec'),
          column('Replicas', '.spec.replicas', { type: 'integer', description: 'How many' }),
        ],
      },
      {
        ...V2,
        additionalPrinterColumns: [
          column('Hour', '.spec.hour'),
          column('Workers', '.spec.workers', { type: 'integer', priority: 1 }),
          column('Schedule', '.spec.cronSpec'),
        ],
      },
    ],
  });
  await seed('v1', 'one', { spec: { ...EVERY5, replicas: 3 } });
  await seed('v2', 'two', { spec: NOON });
  // Of the objects in the rows only their version and content matter here.
  const held = (o) => o && { apiVersion: o.apiVersion, kind: o.kind, name: o.metadata.name, spec: o.spec };
  const table = (b) => ({
    columns: b.columnDefinitions.map((c) => `${c.name} ${c.type} ${c.priority}`),
    rows: b.rows.map((r) => ({ ...r, object: held(r.object) })),
  });
  for (const v of ['v1', 'v2']) {
    await t.step(`a table of one object in ${v}`, 'GET', url(v, 'one'), {
      headers: as('Table'),
      pick: table,
    });
    await t.step(`a table of a list in ${v}`, 'GET', url(v), { headers: as('Table'), pick: table });
    await t.step(`a table in ${v} with whole objects`, 'GET', `${url(v)}?includeObject=Object`, {
      headers: as('Table'),
      pick: table,
    });
    await t.step(`a table in ${v} without objects`, 'GET', `${url(v)}?includeObject=None`, {
      headers: as('Table'),
      pick: table,
    });
  }
  await t.step('a table as the answer to a create in v2', 'POST', url('v2'), {
    body: object('v2', 'three', { spec: NOON }),
    headers: as('Table'),
    pick: table,
  });
  await t.step('a table as the answer to a patch in v2', 'PATCH', url('v2', 'three'), {
    body: { spec: { hour: '1' } },
    type: MERGE,
    headers: as('Table'),
    pick: table,
  });
}
