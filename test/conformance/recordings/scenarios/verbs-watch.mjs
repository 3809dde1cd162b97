// Watching custom resources.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';

const MERGE = 'application/merge-patch+json';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const schema = object({ spec: object({ color: string, n: integer }), status: object({ phase: string }) });

/** An event without managedFields. */
const lean = ({ type, object: { metadata: { managedFields, ...metadata } = {}, ...rest } }) => ({
  type,
  object: { ...rest, metadata },
});
const brief = ({ type, object: o }) => `${type} ${o.metadata?.name ?? o.kind}`;
/** A bookmark's resourceVersion may be that of any later write in the server. */
const bookmark = (e) =>
  e.type === 'BOOKMARK'
    ? {
        type: e.type,
        object: {
          ...e.object,
          metadata: {
            ...e.object.metadata,
            resourceVersion: e.object.metadata.resourceVersion && '<list-rv>',
          },
        },
      }
    : lean(e);
const noNumbers = (e) => ({
  ...e,
  object: { ...e.object, message: e.object.message?.replace(/\d+/g, '<n>') },
});
/** The same as t.watch, for events whose order among themselves is not promised. */
const unordered = async (t, label, url, options, during = async () => {}) => {
  const w = await t.client.watch(url, options);
  await during();
  t.note(label, (await w.finish()).map(brief).sort());
};

const prepare = async (t, area, kind, version = {}) => {
  const group = `verbs-${area}.conf.example.com`;
  const ns = await t.namespace(`conf-verbs-${area}`);
  await t.crd(crd(group, kind, { versions: [{ name: 'v1', schema, ...version }] }));
  const url = resource(group, 'v1', `${kind.toLowerCase()}s`, ns);
  return {
    group,
    ns,
    url,
    all: resource(group, 'v1', `${kind.toLowerCase()}s`),
    make: (name, { labels, finalizers, ...spec } = {}, at = url) =>
      t.setup('POST', at, {
        body: { ...custom(group, 'v1', kind, name, { spec }), metadata: { name, labels, finalizers } },
      }),
    patch: (name, body, path = '') => t.setup('PATCH', `${url}/${name}${path}`, { body, type: MERGE }),
    remove: (name) => t.setup('DELETE', `${url}/${name}`),
    rv: async () => (await t.setup('GET', url)).metadata.resourceVersion,
  };
};

export async function watchEvents(t) {
  const { group, url, all, make, patch, remove, rv } = await prepare(t, 'watch', 'Ball');
  const start = await rv();
  await t.watch(
    'from a resourceVersion, live: ADDED, MODIFIED, DELETED',
    `${url}?watch=true&resourceVersion=${start}`,
    { count: 3, pick: lean },
    async () => {
      await make('a', { n: 1 });
      await patch('a', { spec: { n: 2 } });
      await remove('a');
    },
  );
  await t.watch('from the same resourceVersion, from history', `${url}?watch=true&resourceVersion=${start}`, {
    count: 3,
    pick: brief,
  });
  await make('b', { n: 1 });
  await t.watch(
    'without a resourceVersion: what is there, then what happens',
    `${url}?watch=true`,
    { count: 2, pick: lean },
    () => patch('b', { spec: { n: 5 } }),
  );
  await t.watch(
    'from resourceVersion 0',
    `${url}?watch=true&resourceVersion=0`,
    { count: 2, pick: brief },
    () => make('c', { n: 1 }),
  );
  await unordered(t, 'all that is there comes as ADDED', `${url}?watch=1`, { count: 2 });
  const other = await t.namespace('conf-verbs-watch2');
  await t.watch(
    'over all namespaces',
    `${all}?watch=true&resourceVersion=${await rv()}`,
    { count: 2, pick: (e) => `${e.object.metadata.namespace} ${brief(e)}` },
    async () => {
      await make('x', {}, resource(group, 'v1', 'balls', other));
      await make('y');
    },
  );
  await t.watch(
    'another namespace is not seen',
    `${url}?watch=true&resourceVersion=${await rv()}`,
    { count: 1, pick: brief },
    async () => {
      await make('z', {}, resource(group, 'v1', 'balls', other));
      await patch('b', { spec: { n: 6 } });
    },
  );
  await t.watch(
    'a write that changes nothing and a dry run give no event',
    `${url}?watch=true&resourceVersion=${await rv()}`,
    { count: 1, pick: lean },
    async () => {
      await patch('b', { spec: { n: 6 } });
      await patch('b', { spec: { n: 70 } }, '?dryRun=All');
      await patch('b', { spec: { n: 7 } });
    },
  );
  await make('f', { finalizers: ['example.com/x'] });
  t.onEnd(() =>
    t.client.request('PATCH', `${url}/f`, {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': MERGE },
    }),
  );
  await t.watch(
    'a delete with a finalizer: MODIFIED, then DELETED',
    `${url}?watch=true&resourceVersion=${await rv()}`,
    { count: 2, pick: lean },
    async () => {
      await remove('f');
      await patch('f', { metadata: { finalizers: null } });
    },
  );
  await t.watch(
    'deletecollection gives DELETED',
    `${url}?watch=true&resourceVersion=${await rv()}&fieldSelector=metadata.name%3Dc`,
    { count: 1, pick: lean },
    () => t.setup('DELETE', url),
  );
}

export async function watchSelections(t) {
  const { url, make, patch, remove, rv } = await prepare(t, 'watchsel', 'Ball', {
    selectableFields: [{ jsonPath: '.spec.color' }],
  });
  await t.watch(
    'label selector: in, within, out, in again, deleted',
    `${url}?watch=true&labelSelector=team%3Dred&resourceVersion=${await rv()}`,
    { count: 5, pick: lean },
    async () => {
      await make('other', { labels: { team: 'blue' } });
      await make('a', { n: 1, labels: { team: 'red' } });
      await patch('a', { spec: { n: 2 } });
      await patch('a', { metadata: { labels: { team: 'blue' } } });
      await patch('a', { spec: { n: 3 } });
      await patch('a', { metadata: { labels: { team: 'red' } } });
      await remove('a');
    },
  );
  await t.watch(
    'field selector on a selectable field: in, out, in',
    `${url}?watch=true&fieldSelector=spec.color%3Dgreen&resourceVersion=${await rv()}`,
    { count: 3, pick: lean },
    async () => {
      await make('b', { color: 'green' });
      await patch('b', { spec: { color: 'pink' } });
      await patch('b', { spec: { color: 'green' } });
    },
  );
  await t.watch(
    'deleted while outside the selection: no event',
    `${url}?watch=true&fieldSelector=spec.color%3Dpink&resourceVersion=${await rv()}`,
    { count: 1, pick: brief },
    async () => {
      await remove('b');
      await make('p', { color: 'pink' });
    },
  );
  await t.watch(
    'one object by name',
    `${url}?watch=true&fieldSelector=metadata.name%3Dp`,
    { count: 3, pick: brief },
    async () => {
      await patch('p', { spec: { n: 4 } });
      await patch('other', { spec: { n: 4 } });
      await remove('p');
    },
  );
  await t.watch(
    'selection of what is there',
    `${url}?watch=true&labelSelector=team%3Dblue&resourceVersion=0`,
    { count: 1, pick: brief },
  );
  await t.watch(
    'both selectors',
    `${url}?watch=true&labelSelector=team&fieldSelector=spec.color!%3Dgreen&resourceVersion=${await rv()}`,
    { count: 2, pick: brief },
    async () => {
      await make('q', { color: 'green', labels: { team: 'x' } });
      await patch('q', { spec: { color: 'red' } });
      await patch('q', { metadata: { labels: { team: null } } });
    },
  );
  await t.step('a bad label selector', 'GET', `${url}?watch=true&labelSelector=a%20b`);
  await t.step('an unsupported field selector', 'GET', `${url}?watch=true&fieldSelector=spec.n%3D1`);
}

export async function watchPaths(t) {
  const { group, ns, url, make, patch, rv } = await prepare(t, 'watchpath', 'Ball');
  await make('a', { n: 1 });
  await make('b', { n: 1 });
  const old = `/apis/${group}/v1/watch/namespaces/${ns}/balls`;
  const both = async () => {
    await patch('b', { spec: { n: Date.now() } });
    await patch('a', { spec: { n: Date.now() } });
  };
  await t.watch(
    'the deprecated watch path of a collection',
    `${old}?resourceVersion=${await rv()}`,
    { count: 2, pick: brief },
    both,
  );
  await t.watch(
    'the deprecated watch path of an object',
    `${old}/a?resourceVersion=${await rv()}`,
    { count: 1, pick: brief },
    both,
  );
  await t.watch(
    'the deprecated watch path over all namespaces',
    `/apis/${group}/v1/watch/balls?resourceVersion=${await rv()}`,
    { count: 2, pick: brief },
    both,
  );
  await t.step('watch=true on an object is a get', 'GET', `${url}/a?watch=true`, {
    pick: (b) => [b.kind, b.metadata.name],
  });
  await t.step('watch=false is a list', 'GET', `${url}?watch=false`, { pick: (b) => b.kind });
  await t.step('watch=0 is a list', 'GET', `${url}?watch=0`, { pick: (b) => b.kind });
  await t.step('watch of another value', 'GET', `${url}?watch=maybe&timeoutSeconds=1`, {
    pick: (b) => b.kind ?? typeof b,
  });
  await t.step('watch of an unknown resource', 'GET', `${resource(group, 'v1', 'bats', ns)}?watch=true`);
  await t.step(
    'a name that does not exist by the deprecated path',
    'GET',
    `${old}/nope?timeoutSeconds=1&resourceVersion=${await rv()}`,
    { pick: (b) => b },
  );
  await t.watch(
    'a namespace that does not exist',
    `${resource(group, 'v1', 'balls', 'conf-verbs-missing')}?watch=true&timeoutSeconds=1`,
    { count: 1, timeoutMs: 4000, pick: brief },
  );
}

export async function watchVersions(t) {
  const { url, make, rv } = await prepare(t, 'watchrv', 'Ball');
  await make('a', { n: 1 });
  await t.watch('a resourceVersion that is too old', `${url}?watch=true&resourceVersion=1`, {
    count: 1,
    pick: noNumbers,
  });
  const query = (q) => `${url}?${new URLSearchParams({ watch: 'true', timeoutSeconds: '1', ...q })}`;
  const refused = [
    ['a resourceVersion that is no number', { resourceVersion: 'abc' }],
    ['a negative resourceVersion', { resourceVersion: '-1' }],
    [
      'resourceVersionMatch without sendInitialEvents',
      { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
    ],
    [
      'sendInitialEvents without resourceVersionMatch',
      { sendInitialEvents: 'true', allowWatchBookmarks: 'true' },
    ],
    [
      'sendInitialEvents with a continue token',
      {
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        continue: 'x',
        allowWatchBookmarks: 'true',
      },
    ],
    ['a timeoutSeconds that is no number', { timeoutSeconds: 'soon' }],
  ];
  for (const [label, q] of refused) await t.step(label, 'GET', query(q));
  const began = Date.now();
  await t.watch(
    'timeoutSeconds ends the watch',
    `${url}?watch=true&timeoutSeconds=1&resourceVersion=${await rv()}`,
    { count: 1, timeoutMs: 8000, pick: brief },
  );
  t.note('after about that time', Date.now() - began > 800 && Date.now() - began < 6000);
}

export async function watchInitialEvents(t) {
  const { url, make, patch, rv } = await prepare(t, 'watchlist', 'Ball');
  const stream = (q = {}) =>
    `${url}?${new URLSearchParams({ watch: 'true', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true', ...q })}`;
  await t.watch('nothing there: only the bookmark that ends the initial events', stream(), {
    count: 1,
    bookmarks: true,
    pick: bookmark,
  });
  await make('a', { n: 1, labels: { x: 'y' } });
  await t.watch(
    'an object, the bookmark, then live events',
    stream(),
    { count: 3, bookmarks: true, pick: bookmark },
    async () => {
      await t.sleep(500); // the change must come after the initial events
      await patch('a', { spec: { n: 2 } });
    },
  );
  await t.watch('at resourceVersion 0', stream({ resourceVersion: '0' }), {
    count: 2,
    bookmarks: true,
    pick: bookmark,
  });
  await t.watch('at least at a resourceVersion', stream({ resourceVersion: await rv() }), {
    count: 2,
    bookmarks: true,
    pick: bookmark,
  });
  await t.watch('with a selection of none', stream({ labelSelector: 'x=none' }), {
    count: 1,
    bookmarks: true,
    pick: bookmark,
  });
  await t.watch(
    'without bookmarks allowed, no bookmark comes',
    stream({ allowWatchBookmarks: 'false', timeoutSeconds: '1' }),
    { count: 3, timeoutMs: 5000, bookmarks: true, pick: brief },
  );
  await t.watch(
    'sendInitialEvents=false starts after what is there',
    stream({ sendInitialEvents: 'false', resourceVersion: await rv() }),
    { count: 1, pick: brief },
    async () => {
      await patch('a', { spec: { n: 3 } });
    },
  );
  await t.watch('metadata only', stream(), {
    count: 2,
    bookmarks: true,
    headers: { accept: PARTIAL },
    pick: bookmark,
  });
  const events = await t.client.watch(stream(), { count: 2, bookmarks: true, headers: { accept: TABLE } });
  t.note(
    'as a Table',
    (await events.finish()).map(({ type, object: o }) => ({
      type,
      kind: o.kind,
      columns: o.columnDefinitions?.length ?? 0,
      annotations: o.rows?.[0]?.object?.metadata?.annotations ?? 'none',
    })),
  );
  await make('b');
  const before = await rv();
  const seen = await t.client.watch(stream({ resourceVersion: before }), { count: 3, bookmarks: true });
  const all = await seen.finish();
  t.note('the end bookmark comes after all initial events', [
    all.slice(0, 2).map(brief).sort(),
    all[2]?.type,
  ]);
  t.note(
    'its resourceVersion is not older than asked for',
    Number(all[2]?.object.metadata.resourceVersion) >= Number(before),
  );
}

export async function watchShapes(t) {
  const columns = [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }];
  const { url, make, patch, remove, rv } = await prepare(t, 'watchshape', 'Ball', {
    additionalPrinterColumns: columns,
  });
  const changes = (name) => async () => {
    await make(name, { color: 'red', n: 1 });
    await patch(name, { spec: { color: 'blue' } });
    await remove(name);
  };
  const table = ({ type, object: o }) => ({
    type,
    kind: o.kind,
    apiVersion: o.apiVersion,
    columns: o.columnDefinitions?.map((c) => c.name) ?? 'none',
    cells: o.rows.map((r) => r.cells),
    kinds: o.rows.map((r) => r.object?.kind ?? 'none'),
  });
  await t.watch(
    'as Tables: only the first has columns',
    `${url}?watch=true&resourceVersion=${await rv()}`,
    { count: 3, headers: { accept: TABLE }, pick: table },
    changes('a'),
  );
  await t.watch(
    'as Tables with whole objects',
    `${url}?watch=true&includeObject=Object&resourceVersion=${await rv()}`,
    { count: 3, headers: { accept: TABLE }, pick: table },
    changes('b'),
  );
  await t.watch(
    'as metadata',
    `${url}?watch=true&resourceVersion=${await rv()}`,
    { count: 3, headers: { accept: PARTIAL }, pick: lean },
    changes('c'),
  );
  await t.watch(
    'as a stream of JSON',
    `${url}?watch=true&resourceVersion=${await rv()}`,
    { count: 3, headers: { accept: 'application/json;stream=watch' }, pick: brief },
    changes('d'),
  );
  t.note(
    'as YAML',
    (
      await t.client.request('GET', `${url}?watch=true&timeoutSeconds=1`, {
        headers: { accept: 'application/yaml' },
      })
    ).status,
  );
  await t.step('as text', 'GET', `${url}?watch=true&timeoutSeconds=1`, { headers: { accept: 'text/plain' } });
  await t.watch('a full event', `${url}?watch=true&resourceVersion=${await rv()}`, { count: 1 }, () =>
    make('e', { color: 'red' }),
  );
  const res = await t.client.request(
    'GET',
    `${url}?watch=true&timeoutSeconds=1&resourceVersion=${await rv()}`,
  );
  t.note('headers of a watch', {
    type: res.headers['content-type'],
    encoding: res.headers['transfer-encoding'],
    cache: res.headers['cache-control'],
    body: res.body,
  });
}
