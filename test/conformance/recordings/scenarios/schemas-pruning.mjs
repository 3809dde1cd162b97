// Pruning: fields that the schema does not name are dropped on every write and on every read.
import { integer, object, string } from '../lib/fixtures.mjs';
import { content, install } from './schemas/install.mjs';

const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const embedded = { 'x-kubernetes-embedded-resource': true };
const list = (items) => ({ type: 'array', items });
const map = (values) => ({ type: 'object', additionalProperties: values });
const keep = object({ keep: string });
/** An object of which only `keep` is known. */
const mixed = { keep: 'a', drop: 'b' };
// The warnings about unknown fields have scenarios of their own.
const quiet = { query: '?fieldValidation=Ignore' };

export async function pruneOnWrite(t) {
  const w = await install(
    t,
    'prune',
    object({
      spec: object({
        keep: string,
        inner: object({ inner: keep }),
        rows: list(keep),
        grid: list(list(keep)),
        table: map(keep),
        tables: map(map(keep)),
        strings: map(string),
        any: preserve,
      }),
    }),
  );
  for (const [label, rest] of [
    ['an unknown field at the root', { drop: { a: 1 }, spec: { keep: 'a' } }],
    ['an unknown field in an object', { spec: mixed }],
    ['an unknown field in a nested object', { spec: { inner: { drop: [], inner: mixed } } }],
    ['unknown fields in list items', { spec: { rows: [mixed, { drop: 1 }, {}] } }],
    ['unknown fields in lists of lists', { spec: { grid: [[mixed], [], [{ drop: 1 }, mixed]] } }],
    ['unknown fields in map values; the keys stay', { spec: { table: { drop: mixed, other: { drop: 1 } } } }],
    ['unknown fields in maps of maps', { spec: { tables: { drop: { drop: mixed } } } }],
    ['a map of strings keeps every key', { spec: { strings: { drop: 'a', 'b.c/d': 'e' } } }],
    ['a field without a schema of its own keeps everything', { spec: { any: { drop: [{ drop: 1 }] } } }],
    ['an unknown field that is null', { spec: { keep: 'a', drop: null } }],
    ['a field that differs in case only', { spec: { Keep: 'a' } }],
    ['only unknown fields', { spec: { drop: 1 }, other: 2 }],
  ])
    await w.create(label, label.replace(/\W+/g, '-').toLowerCase(), rest, quiet);

  await w.seed('a', { spec: { keep: 'a' } });
  await w.replace(
    'an update with an unknown field',
    'a',
    (o) => {
      o.spec = { ...mixed, inner: { drop: 1 } };
    },
    quiet,
  );
  await w.patch('a merge patch that adds an unknown field', 'a', { spec: { drop: 1, rows: [mixed] } }, quiet);
  await w.patch(
    'a JSON patch that adds an unknown field',
    'a',
    [
      { op: 'add', path: '/spec/drop', value: 1 },
      { op: 'add', path: '/spec/rows/0/drop', value: 1 },
    ],
    quiet,
  );
  await w.patch(
    'a JSON patch that tests for a field that was pruned',
    'a',
    [{ op: 'test', path: '/spec/drop', value: 1 }],
    quiet,
  );
  await w.apply(
    'applying an unknown field',
    'a',
    { spec: mixed },
    { query: '&force=true&fieldValidation=Ignore' },
  );
  await w.read('what is stored after all that', 'a');
  await w.replace(
    'an update that changes nothing but unknown fields does not change the object',
    'a',
    (o) => {
      o.spec.drop = 2;
    },
    { ...quiet, pick: (b) => ({ generation: b.metadata.generation, spec: b.spec }) },
  );
}

export async function preserveUnknown(t) {
  const w = await install(
    t,
    'preserve',
    object({
      spec: object({
        open: object({ known: keep, rows: list(keep), count: integer }, preserve),
        openMap: { ...map(keep), ...preserve },
        rows: list(object({ known: keep }, preserve)),
        closed: object({ open: object({}, preserve) }),
        any: preserve,
      }),
    }),
  );
  for (const [name, label, spec] of [
    [
      'open',
      'an object that preserves keeps unknown fields, but prunes the fields it knows',
      { open: { known: mixed, rows: [mixed], extra: { drop: 1 }, list: [{ drop: 1 }] } },
    ],
    ['count', 'the fields it knows are still validated', { open: { count: 'x', extra: 'x' } }],
    ['map', 'a map that preserves prunes its values all the same', { openMap: { a: mixed } }],
    ['rows', 'list items that preserve', { rows: [{ known: mixed, extra: 1 }] }],
    [
      'closed',
      'an object that preserves inside one that does not',
      { closed: { extra: 1, open: { extra: { deep: 1 } } } },
    ],
    ['scalar', 'a field without a type keeps a scalar', { any: 'x' }],
    ['null', 'null inside what is preserved', { open: { extra: null, count: null }, any: { a: null } }],
  ])
    await w.create(label, name, { spec }, quiet);
  const root = await install(
    t,
    'preserve-root',
    object({ spec: keep, status: object({}, preserve) }, preserve),
    { kind: 'Gadget' },
  );
  await root.create(
    'a root that preserves keeps unknown fields, and prunes those it knows',
    'a',
    {
      spec: mixed,
      other: { a: [1] },
      status: { drop: 1 },
      data: 'x',
    },
    quiet,
  );
  await root.create(
    'apiVersion, kind and metadata need not be in the schema',
    'b',
    {},
    { pick: (b) => Object.keys(b).sort() },
  );
}

export async function pruneEmbedded(t) {
  const w = await install(
    t,
    'embedded',
    object({
      spec: object({
        template: object({ spec: keep }, embedded),
        open: { type: 'object', ...embedded, ...preserve },
        all: list(object({ spec: keep }, embedded)),
        named: map(object({ spec: keep }, embedded)),
        limited: object({ metadata: object({ labels: map(string) }), spec: keep }, embedded),
      }),
    }),
  );
  const inside = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'in', labels: { a: 'b' }, drop: 1 },
    spec: mixed,
    drop: 1,
  };
  for (const [name, label, spec] of [
    ['template', 'an embedded resource keeps its type and metadata', { template: inside }],
    ['open', 'an embedded resource that preserves still drops unknown metadata', { open: inside }],
    ['all', 'embedded resources in a list', { all: [inside] }],
    ['named', 'embedded resources in a map', { named: { a: inside } }],
    [
      'limited',
      'a schema for the embedded metadata does not prune it',
      { limited: { ...inside, metadata: { name: 'in', annotations: { c: 'd' }, labels: { a: 'b' } } } },
    ],
    [
      'bare',
      'an embedded resource without metadata',
      { template: { apiVersion: 'apps/v1', kind: 'Deployment' } },
    ],
    [
      'system',
      'system fields in embedded metadata',
      {
        template: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: 'in',
            uid: 'x',
            resourceVersion: '5',
            generation: 3,
            creationTimestamp: null,
            finalizers: ['example.com/f'],
            ownerReferences: [],
          },
        },
      },
    ],
    ['no-kind', 'an embedded resource without a kind', { template: { apiVersion: 'v1' } }],
    ['no-version', 'an embedded resource without an apiVersion', { template: { kind: 'Pod' } }],
    ['empty-kind', 'an embedded resource with an empty kind', { template: { apiVersion: 'v1', kind: '' } }],
    [
      'bad-version',
      'an embedded resource with a malformed apiVersion',
      { template: { apiVersion: 'a/b/c', kind: 'Pod' } },
    ],
    [
      'bad-kind',
      'an embedded resource with a malformed kind',
      { template: { apiVersion: 'v1', kind: 'Po d' } },
    ],
    ['kind-type', 'an embedded kind of the wrong type', { template: { apiVersion: 'v1', kind: 5 } }],
    [
      'meta-type',
      'embedded metadata of the wrong type',
      { template: { apiVersion: 'v1', kind: 'Pod', metadata: 'x' } },
    ],
    [
      'label-type',
      'an embedded label of the wrong type',
      { template: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 1 } } } },
    ],
    [
      'label',
      'an embedded label that is not valid',
      { template: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b c' } } } },
    ],
    [
      'name',
      'an embedded name that is not valid',
      { all: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } }] },
    ],
    [
      'finalizer',
      'an embedded finalizer that is not valid',
      { named: { k: { apiVersion: 'v1', kind: 'Pod', metadata: { finalizers: ['a b/c'] } } } },
    ],
  ])
    await w.create(label, name, { spec }, quiet);
  await w.seed('kept', { spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'in' } } } });
  await w.patch(
    'a patch of embedded metadata',
    'kept',
    { spec: { template: { metadata: { annotations: { a: 'b' }, drop: 1 } } } },
    quiet,
  );
  await w.patch(
    'a patch that removes the embedded kind',
    'kept',
    { spec: { template: { kind: null } } },
    quiet,
  );
}

export async function pruneOnRead(t) {
  const full = object({
    spec: object({ keep: string, later: string, rows: list(object({ keep: string, later: integer })) }),
  });
  const narrow = object({ spec: object({ keep: string, rows: list(keep) }) });
  const w = await install(t, 'prune-read', full);
  const spec = { keep: 'a', later: 'b', rows: [{ keep: 'c', later: 1 }] };
  await w.seed('read', { spec });
  await w.seed('written', { spec });
  const before = await w.get('read');
  const shows = (expected) => async () => ((await w.get('read')).spec.later !== undefined) === expected;
  await w.reschema(narrow, shows(false));
  await w.read('a field that the schema no longer names is dropped on read', 'read');
  await t.step('and in a list', 'GET', w.url, { pick: (b) => b.items.map(content) });
  const after = await w.get('read');
  t.note('the object itself has not changed', {
    resourceVersion: before.metadata.resourceVersion === after.metadata.resourceVersion,
    generation: after.metadata.generation,
  });
  await t.watch('and in a watch', `${w.url}?watch=1&fieldSelector=metadata.name=read`, {
    count: 1,
    pick: (e) => ({ type: e.type, object: content(e.object) }),
  });
  await w.patch('an update of another field', 'written', { spec: { keep: 'z' } });
  await w.reschema(full, shows(true));
  await w.read('once the schema names it again the stored value is back', 'read');
  await w.read('but not where the object was written in between', 'written');
  await w.reschema(
    object({ spec: object({ keep: integer, later: string }) }),
    async () => (await w.get('read')).spec.rows === undefined,
  );
  await w.read('a stored value of the wrong type is served as it is', 'read');
  await w.patch('an update leaves an unchanged value of the wrong type alone', 'read', {
    spec: { later: 'c' },
  });
  await w.patch('and refuses another', 'read', { spec: { keep: 'y' } });
}
