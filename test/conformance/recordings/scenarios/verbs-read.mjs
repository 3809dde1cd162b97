// Reading custom resources: get, list, pages, resourceVersion rules, label and field selectors.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';

const lean = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
const leanList = ({ items, ...rest }) => ({ ...rest, items: items.map(lean) });
const names = (list) => list.items.map((i) => i.metadata.name);
const FUTURE = '4611686018427387904';
/** Takes the numbers out of a message that quotes resourceVersions. */
const noNumbers = (body) => ({ ...body, message: body.message?.replace(/\d{2,}/g, '<n>') });

export async function getAndList(t) {
  const group = 'verbs-read.conf.example.com';
  const ns = await t.namespace('conf-verbs-read');
  const ns2 = await t.namespace('conf-verbs-read2');
  await t.crd(
    crd(group, 'Widget', { versions: [{ name: 'v1', schema: object({ spec: object({ size: integer }) }) }] }),
  );
  const url = resource(group, 'v1', 'widgets', ns);
  const all = resource(group, 'v1', 'widgets');
  const make = (name) => custom(group, 'v1', 'Widget', name, { spec: { size: 1 } });

  await t.step('list when there are none', 'GET', url);
  await t.step('list across namespaces when there are none', 'GET', all);
  for (const name of ['c', 'a', 'b']) await t.setup('POST', url, { body: make(name) });
  for (const name of ['b', 'aa'])
    await t.setup('POST', resource(group, 'v1', 'widgets', ns2), { body: make(name) });

  await t.step('get', 'GET', `${url}/a`);
  await t.step('get a name that does not exist', 'GET', `${url}/nope`);
  await t.step('get from another namespace', 'GET', `${resource(group, 'v1', 'widgets', 'default')}/a`);
  await t.step(
    'get from a namespace that does not exist',
    'GET',
    `${resource(group, 'v1', 'widgets', 'conf-verbs-missing')}/a`,
  );
  await t.step('get without a namespace in the path', 'GET', `${all}/a`);
  await t.step('get with a trailing slash', 'GET', `${url}/a/`);
  await t.step('get with resourceVersion=0', 'GET', `${url}/a?resourceVersion=0`, { pick: lean });
  await t.step('get with a resourceVersion that is no number', 'GET', `${url}/a?resourceVersion=abc`);
  await t.step('get with pretty=true is the same object', 'GET', `${url}/a?pretty=true`, { pick: lean });
  await t.step('list: the apiVersion and kind of the list and of each item, ordered by name', 'GET', url, {
    pick: leanList,
  });
  await t.step('list across namespaces: ordered by namespace and then name', 'GET', all, {
    pick: (l) => l.items.map((i) => `${i.metadata.namespace}/${i.metadata.name}`),
  });
  await t.step(
    'list in a namespace that does not exist',
    'GET',
    resource(group, 'v1', 'widgets', 'conf-verbs-missing'),
  );
  await t.step('list with a trailing slash', 'GET', `${url}/`, { pick: names });

  const read = await t.client.request('GET', `${url}/a`);
  const head = await t.client.request('HEAD', `${url}/a`);
  t.note('headers of a get', { type: read.headers['content-type'], cache: read.headers['cache-control'] });
  t.note('HEAD of an object', { status: head.status, body: head.body });
  t.note('HEAD of an object that does not exist', (await t.client.request('HEAD', `${url}/nope`)).status);
  const listRv = Number((await t.setup('GET', url)).metadata.resourceVersion);
  t.note(
    'the list is not older than any of its items',
    (await t.setup('GET', url)).items.every((i) => Number(i.metadata.resourceVersion) <= listRv),
  );
}

export async function clusterScoped(t) {
  const group = 'verbs-cluster.conf.example.com';
  const ns = await t.namespace('conf-verbs-cluster');
  await t.crd(
    crd(group, 'Planet', {
      scope: 'Cluster',
      versions: [{ name: 'v1', schema: object({ spec: object({ moons: integer }) }) }],
    }),
  );
  const url = resource(group, 'v1', 'planets');
  const make = (name, metadata) => ({
    ...custom(group, 'v1', 'Planet', name, { spec: { moons: 1 } }),
    metadata: { name, ...metadata },
  });

  await t.step('create', 'POST', url, { body: make('earth') });
  await t.step('create with a namespace in the body', 'POST', url, { body: make('mars', { namespace: ns }) });
  await t.step('create through a namespace path', 'POST', resource(group, 'v1', 'planets', ns), {
    body: make('mars'),
  });
  await t.step('get', 'GET', `${url}/earth`, { pick: lean });
  await t.step('get through a namespace path', 'GET', `${resource(group, 'v1', 'planets', ns)}/earth`);
  await t.step('list', 'GET', url, { pick: leanList });
  await t.step('list through a namespace path', 'GET', resource(group, 'v1', 'planets', ns));
  await t.step('update', 'PUT', `${url}/earth`, { body: { ...make('earth'), spec: { moons: 2 } } });
  const live = await t.setup('GET', `${url}/earth`);
  await t.step('update with the resourceVersion', 'PUT', `${url}/earth`, {
    body: { ...live, spec: { moons: 2 } },
    pick: lean,
  });
  await t.step('field selector on metadata.namespace', 'GET', `${url}?fieldSelector=metadata.namespace%3Dx`);
  await t.step('delete', 'DELETE', `${url}/earth`);
  await t.step('get after delete', 'GET', `${url}/earth`);
}

export async function listPages(t) {
  const group = 'verbs-pages.conf.example.com';
  const ns = await t.namespace('conf-verbs-pages');
  await t.crd(
    crd(group, 'Page', { versions: [{ name: 'v1', schema: object({ spec: object({ n: integer }) }) }] }),
  );
  const url = resource(group, 'v1', 'pages', ns);
  for (let i = 0; i < 7; i++) {
    await t.setup('POST', url, {
      body: {
        ...custom(group, 'v1', 'Page', `p${i}`),
        metadata: { name: `p${i}`, labels: { parity: i % 2 ? 'odd' : 'even' } },
      },
    });
  }
  const page = (l) => ({ kind: l.kind, metadata: l.metadata, names: names(l), items: [] });

  const first = await t.step('first page of three', 'GET', `${url}?limit=3`, { pick: page });
  const token = encodeURIComponent(first.metadata.continue);
  await t.setup('DELETE', `${url}/p5`);
  await t.setup('POST', url, { body: custom(group, 'v1', 'Page', 'p9') });
  const second = await t.step(
    'second page shows the same moment as the first',
    'GET',
    `${url}?limit=3&continue=${token}`,
    { pick: page },
  );
  t.note(
    'the pages of one list have one resourceVersion',
    first.metadata.resourceVersion === second.metadata.resourceVersion,
  );
  await t.step(
    'last page has no continue and no remainingItemCount',
    'GET',
    `${url}?limit=3&continue=${encodeURIComponent(second.metadata.continue)}`,
    { pick: page },
  );
  await t.step('continue without a limit gives all the rest', 'GET', `${url}?continue=${token}`, {
    pick: page,
  });
  await t.step('a new list shows the changes', 'GET', url, { pick: names });
  await t.step('limit equal to the number of items', 'GET', `${url}?limit=7`, { pick: page });
  await t.step('limit over the number of items', 'GET', `${url}?limit=100`, { pick: page });
  await t.step('limit=0 is no limit', 'GET', `${url}?limit=0`, { pick: page });
  const odd = await t.step(
    'limit with a label selector: no remainingItemCount',
    'GET',
    `${url}?limit=1&labelSelector=parity%3Dodd`,
    { pick: page },
  );
  await t.step(
    'its next page',
    'GET',
    `${url}?limit=1&labelSelector=parity%3Dodd&continue=${encodeURIComponent(odd.metadata.continue)}`,
    { pick: page },
  );
  await t.step('limit with a field selector', 'GET', `${url}?limit=1&fieldSelector=metadata.name!%3Dp0`, {
    pick: page,
  });
  await t.step('a continue token that is no token', 'GET', `${url}?limit=3&continue=garbage`);
  await t.step(
    'continue with a resourceVersion',
    'GET',
    `${url}?limit=3&continue=${token}&resourceVersion=${first.metadata.resourceVersion}`,
  );
  await t.step(
    'continue with resourceVersionMatch',
    'GET',
    `${url}?limit=3&continue=${token}&resourceVersion=${first.metadata.resourceVersion}&resourceVersionMatch=Exact`,
  );
  await t.step('a limit that is no number', 'GET', `${url}?limit=many`);
  await t.step('a negative limit', 'GET', `${url}?limit=-1`, { pick: page });
  await t.step('limit as a Table keeps continue', 'GET', `${url}?limit=2`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => ({ kind: b.kind, metadata: b.metadata, rows: b.rows.map((r) => r.cells[0]) }),
  });
}

export async function listResourceVersions(t) {
  const group = 'verbs-rv.conf.example.com';
  const ns = await t.namespace('conf-verbs-rv');
  await t.crd(
    crd(group, 'Mark', { versions: [{ name: 'v1', schema: object({ spec: object({ n: integer }) }) }] }),
  );
  const url = resource(group, 'v1', 'marks', ns);
  await t.setup('POST', url, { body: custom(group, 'v1', 'Mark', 'a') });
  const rv = (await t.setup('GET', url)).metadata.resourceVersion;
  await t.setup('POST', url, { body: custom(group, 'v1', 'Mark', 'b') });
  const query = (q) => `${url}?${new URLSearchParams(Object.entries(q))}`;
  const valid = [
    ['Exact at an older moment', { resourceVersion: rv, resourceVersionMatch: 'Exact' }],
    ['NotOlderThan', { resourceVersion: rv, resourceVersionMatch: 'NotOlderThan' }],
    ['a resourceVersion without a match', { resourceVersion: rv }],
    ['a resourceVersion with a limit is exact', { resourceVersion: rv, limit: 5 }],
    ['NotOlderThan with a limit', { resourceVersion: rv, resourceVersionMatch: 'NotOlderThan', limit: 5 }],
  ];
  // "Not older than" may show the cache's moment or a newer one: make sure that the cache has seen the second
  // object.
  await t.until(
    'the second object to be in the list',
    async () => names((await t.client.request('GET', `${url}?resourceVersion=0`)).body).length === 2,
  );
  for (const [label, q] of valid) await t.step(label, 'GET', query(q), { pick: names });
  await t.step(
    'resourceVersion=0 with NotOlderThan',
    'GET',
    query({ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }),
    { pick: names },
  );
  const invalid = [
    ['a match without a resourceVersion', { resourceVersionMatch: 'Exact' }],
    ['NotOlderThan without a resourceVersion', { resourceVersionMatch: 'NotOlderThan' }],
    ['resourceVersion=0 with Exact', { resourceVersion: '0', resourceVersionMatch: 'Exact' }],
    ['a match nobody knows', { resourceVersion: rv, resourceVersionMatch: 'Newest' }],
    ['a resourceVersion that is no number', { resourceVersion: 'abc' }],
    ['sendInitialEvents on a list', { sendInitialEvents: 'true' }],
  ];
  for (const [label, q] of invalid) await t.step(label, 'GET', query(q));
  const future = async (label, path) => {
    const { status, body } = await t.client.request('GET', path);
    t.note(label, { status, body: noNumbers(body) });
  };
  await future(
    'a list not older than the future',
    query({ resourceVersion: FUTURE, resourceVersionMatch: 'NotOlderThan' }),
  );
  await future(
    'a list exactly in the future',
    query({ resourceVersion: FUTURE, resourceVersionMatch: 'Exact' }),
  );
  await future('a get not older than the future', `${url}/a?resourceVersion=${FUTURE}`);
}

export async function labelSelectors(t) {
  const group = 'verbs-labels.conf.example.com';
  const ns = await t.namespace('conf-verbs-labels');
  await t.crd(crd(group, 'Thing', { versions: [{ name: 'v1' }] }));
  const url = resource(group, 'v1', 'things', ns);
  const labels = {
    a1: { app: 'web', tier: 'front', rank: '1' },
    a2: { app: 'web', tier: 'back', rank: '5' },
    b1: { app: 'db', rank: '10', empty: '' },
    c1: {},
    d1: { 'example.com/app': 'x', rank: 'high' },
  };
  for (const [name, l] of Object.entries(labels))
    await t.setup('POST', url, {
      body: { ...custom(group, 'v1', 'Thing', name), metadata: { name, labels: l } },
    });
  const select = (s) => `${url}?labelSelector=${encodeURIComponent(s)}`;
  const good = [
    'app=web',
    'app==web',
    'app!=web',
    'app in (web,db)',
    'app in (web)',
    'app notin (web)',
    'app',
    '!app',
    'app,tier',
    'app=web,tier!=front',
    'app in (web, db),!tier',
    'rank>3',
    'rank<10',
    'rank>1,rank<10',
    'empty=',
    'empty',
    'empty in ()',
    'empty!=',
    'example.com/app=x',
    ' app = web ',
    '',
    'app=nope',
    'app in (,web)',
  ];
  for (const s of good) await t.step(`selector "${s}"`, 'GET', select(s), { pick: names });
  const bad = [
    ',',
    'app in web',
    'app=web)',
    'app in (web',
    'app=(web)',
    'app notin web',
    '=web',
    'app!',
    'app=a b',
    'a b',
    'rank>high',
    '!app=web',
    'app=-x',
    'bad/key/x=1',
    'app ! web',
    'app===web',
  ];
  for (const s of bad) await t.step(`bad selector "${s}"`, 'GET', select(s));
}

export async function fieldSelectors(t) {
  const group = 'verbs-fields.conf.example.com';
  const ns = await t.namespace('conf-verbs-fields');
  const spec = object({
    color: string,
    size: integer,
    on: { type: 'boolean' },
    note: string,
    inner: object({ name: string }),
  });
  const selectableFields = ['.spec.color', '.spec.size', '.spec.on', '.spec.inner.name'].map((jsonPath) => ({
    jsonPath,
  }));
  await t.crd(
    crd(group, 'Shirt', { versions: [{ name: 'v1', schema: object({ spec }), selectableFields }] }),
  );
  const url = resource(group, 'v1', 'shirts', ns);
  const specs = {
    s1: { color: 'blue', size: 1, on: true, inner: { name: 'x' } },
    s2: { color: 'blue', size: 2, on: false },
    s3: { color: 'red', size: 2 },
    s4: {},
  };
  for (const [name, s] of Object.entries(specs))
    await t.setup('POST', url, { body: custom(group, 'v1', 'Shirt', name, { spec: s }) });
  const select = (s, at = url) => `${at}?fieldSelector=${encodeURIComponent(s)}`;
  const good = [
    'metadata.name=s1',
    'metadata.name==s1',
    'metadata.name!=s1',
    'metadata.name=nope',
    `metadata.namespace=${ns}`,
    'metadata.namespace=default',
    `metadata.namespace=${ns},metadata.name=s2`,
    'metadata.name=s1,metadata.name=s2',
    'spec.color=blue',
    'spec.color!=blue',
    'spec.color=',
    'spec.color=blue,spec.size=2',
    'spec.size=2',
    'spec.size=02',
    'spec.on=true',
    'spec.on=false',
    'spec.inner.name=x',
    'spec.color=blue\\,x',
    '',
    'metadata.name=s1,',
  ];
  for (const s of good) await t.step(`selector "${s}"`, 'GET', select(s), { pick: names });
  const bad = [
    'spec.note=x',
    'metadata.uid=x',
    'status.phase=x',
    'spec=x',
    '.spec.color=blue',
    'metadata.labels.app=x',
    'spec.color',
    'spec.color>blue',
    'spec.color in (blue)',
    'kind=Shirt',
    'metadata.name',
    'spec.color=a\\b',
  ];
  for (const s of bad) await t.step(`bad selector "${s}"`, 'GET', select(s));
  const all = resource(group, 'v1', 'shirts');
  await t.step('metadata.namespace over all namespaces', 'GET', select(`metadata.namespace=${ns}`, all), {
    pick: names,
  });
  await t.step('metadata.name over all namespaces', 'GET', select('metadata.name=s3', all), { pick: names });
  await t.step('label and field selector together', 'GET', `${select('spec.color=blue')}&labelSelector=x`, {
    pick: names,
  });
}
