// How apply merges by the schema: lists, maps, defaults and unstructured parts.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';
import { applied, apply, conflicts, JSON_PATCH, MERGE, owned } from './helpers/apply.mjs';

const boolean = { type: 'boolean' };
const list = (items, type, keys) => ({
  type: 'array',
  items,
  ...(type && { 'x-kubernetes-list-type': type }),
  ...(keys && { 'x-kubernetes-list-map-keys': keys }),
});
const mapOf = (additionalProperties, type) => ({
  type: 'object',
  additionalProperties,
  ...(type && { 'x-kubernetes-map-type': type }),
});

async function scene(t, name, spec) {
  const group = `apply-${name}.conf.example.com`;
  const ns = await t.namespace(`conf-apply-${name}`);
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema: object({ spec: object(spec) }) }] }));
  const all = resource(group, 'v1', 'widgets', ns);
  return { all, at: (n) => `${all}/${n}`, make: (n, spec) => custom(group, 'v1', 'Widget', n, { spec }) };
}

export async function atomicLists(t) {
  const { at, make } = await scene(t, 'atomic', {
    plain: list(string),
    atomic: list(object({ name: string, value: string }), 'atomic'),
  });
  const a = at('a');
  await apply(t, 'create', a, 'alpha', make('a', { plain: ['x', 'y'], atomic: [{ name: 'n', value: 'v' }] }));
  await apply(t, 'the same list by another manager is shared', a, 'beta', make('a', { plain: ['x', 'y'] }));
  await apply(t, 'another order conflicts', a, 'beta', make('a', { plain: ['y', 'x'] }));
  await apply(t, 'one item more conflicts', a, 'beta', make('a', { plain: ['x', 'y', 'z'] }));
  await apply(t, 'an item twice is allowed', a, 'beta', make('a', { plain: ['x', 'x'] }), {
    query: '&force=true',
  });
  await apply(
    t,
    'a list of objects is replaced as a whole',
    a,
    'alpha',
    make('a', { atomic: [{ name: 'n', value: 'w' }, { name: 'o' }] }),
  );
  await apply(t, 'an empty list is owned', a, 'alpha', make('a', { atomic: [] }));
  await apply(t, 'the list left out goes', a, 'alpha', make('a', {}));
  await t.step('a JSON patch of one item owns the list', 'PATCH', `${a}?fieldManager=patcher`, {
    body: [{ op: 'replace', path: '/spec/plain/1', value: 'p' }],
    type: JSON_PATCH,
    pick: owned,
  });
}

export async function sets(t) {
  const { at, make } = await scene(t, 'sets', {
    words: list(string, 'set'),
    numbers: list(integer, 'set'),
    flags: list(boolean, 'set'),
  });
  const a = at('a');
  await apply(t, 'create', a, 'alpha', make('a', { words: ['b', 'a'], numbers: [2, -1], flags: [true] }));
  await apply(t, 'another manager adds items', a, 'beta', make('a', { words: ['c', 'a'], numbers: [3] }));
  await apply(
    t,
    'the order of one manager does not conflict',
    a,
    'beta',
    make('a', { words: ['a', 'c'], numbers: [3] }),
  );
  await apply(
    t,
    'the first drops an item that both own',
    a,
    'alpha',
    make('a', { words: ['b'], numbers: [2, -1], flags: [true] }),
  );
  await apply(
    t,
    'and one that it owns alone',
    a,
    'alpha',
    make('a', { words: [], numbers: [2], flags: [true] }),
  );
  await apply(t, 'the second drops all', a, 'beta', make('a', { words: [], numbers: [] }));
  await apply(t, 'an item twice', a, 'beta', make('a', { words: ['d', 'e', 'd'] }));
  await apply(
    t,
    'items with quotes and a backslash',
    a,
    'beta',
    make('a', { words: ['say "hi"', 'back\\slash', 'ü', ''] }),
  );
  await t.step('a merge patch replaces the list and leaves the rest', 'PATCH', `${a}?fieldManager=merger`, {
    body: { spec: { numbers: [5, 2] } },
    type: MERGE,
    pick: owned,
  });
  await apply(t, 'apply over it keeps what the patch added', a, 'beta', make('a', { numbers: [7] }));
  await apply(t, 'a null item', a, 'beta', make('a', { words: [null] }));
  await apply(t, 'an item of another type', a, 'beta', make('a', { words: [1] }));
  await t.step('an item twice in an update', 'PATCH', `${a}?fieldManager=merger`, {
    body: { spec: { words: ['d', 'd'] } },
    type: MERGE,
  });
}

export async function mapLists(t) {
  const port = object(
    {
      name: string,
      port: integer,
      protocol: { ...string, default: 'TCP' },
      value: string,
      extra: object({ a: string, b: string }),
    },
    { required: ['port'] },
  );
  const { at, make } = await scene(t, 'maplists', { ports: list(port, 'map', ['port', 'protocol']) });
  const a = at('a');
  await apply(
    t,
    'a key by default, and one given',
    a,
    'alpha',
    make('a', {
      ports: [
        { port: 80, name: 'web' },
        { port: 53, protocol: 'UDP', name: 'dns' },
      ],
    }),
  );
  await apply(
    t,
    'another manager adds a field to an item and an item',
    a,
    'beta',
    make('a', {
      ports: [
        { port: 80, value: 'v' },
        { port: 443, name: 'tls' },
      ],
    }),
  );
  await apply(
    t,
    'the default key and the given key are the same item',
    a,
    'beta',
    make('a', {
      ports: [
        { port: 80, protocol: 'TCP', value: 'w' },
        { port: 443, name: 'tls' },
      ],
    }),
  );
  await apply(t, 'a conflict inside an item', a, 'beta', make('a', { ports: [{ port: 80, name: 'mine' }] }));
  await apply(
    t,
    'another key is another item',
    a,
    'beta',
    make('a', { ports: [{ port: 80, protocol: 'UDP', name: 'mine' }] }),
  );
  await apply(t, 'nested objects merge', a, 'beta', make('a', { ports: [{ port: 80, extra: { a: '1' } }] }));
  await apply(
    t,
    'with those of the other',
    a,
    'alpha',
    make('a', { ports: [{ port: 80, extra: { b: '2' } }] }),
  );
  await apply(
    t,
    'the order of the applied list',
    a,
    'alpha',
    make('a', {
      ports: [
        { port: 9, name: 'new' },
        { port: 80, name: 'web' },
      ],
    }),
  );
  await apply(
    t,
    "put before and behind another's item",
    a,
    'beta',
    make('a', { ports: [{ port: 1 }, { port: 80 }, { port: 2 }] }),
  );
  await apply(
    t,
    'an item left out by one of two',
    a,
    'alpha',
    make('a', { ports: [{ port: 9, name: 'new' }] }),
  );
  await apply(t, 'and by the other', a, 'beta', make('a', { ports: [{ port: 1 }] }));
  await apply(t, 'an empty list', a, 'beta', make('a', { ports: [] }));
  await apply(
    t,
    'an item twice',
    a,
    'beta',
    make('a', {
      ports: [
        { port: 3, name: 'x' },
        { port: 3, name: 'y' },
      ],
    }),
  );
  await apply(
    t,
    'an item without the key that has no default',
    a,
    'beta',
    make('a', { ports: [{ name: 'x' }] }),
  );
  await apply(t, 'an item with a null key', a, 'beta', make('a', { ports: [{ port: null, name: 'x' }] }));
  await apply(t, 'an item that is no object', a, 'beta', make('a', { ports: ['x'] }));
  await t.step('a JSON patch of one item owns that field', 'PATCH', `${a}?fieldManager=patcher`, {
    body: [{ op: 'add', path: '/spec/ports/0/value', value: 'p' }],
    type: JSON_PATCH,
    pick: owned,
  });
  await apply(t, 'and conflicts', a, 'alpha', make('a', { ports: [{ port: 9, name: 'new', value: 'q' }] }));
  await t.step('a merge patch replaces the list', 'PATCH', `${a}?fieldManager=merger`, {
    body: {
      spec: {
        ports: [
          { port: 9, name: 'new' },
          { port: 10, protocol: 'SCTP' },
        ],
      },
    },
    type: MERGE,
    pick: owned,
  });
  await t.step('an item twice in an update', 'PATCH', `${a}?fieldManager=merger`, {
    body: { spec: { ports: [{ port: 9 }, { port: 9, protocol: 'TCP' }] } },
    type: MERGE,
  });
}

export async function keysOfItems(t) {
  const { at, make } = await scene(t, 'keys', {
    byName: list(object({ name: string, v: string }, { required: ['name'] }), 'map', ['name']),
    byNumber: list(object({ id: integer, v: string }, { required: ['id'] }), 'map', ['id']),
    byFlag: list(object({ on: boolean, v: string }, { required: ['on'] }), 'map', ['on']),
    byThree: list(
      object(
        { z: string, a: integer, m: { ...boolean, default: false }, v: string },
        { required: ['z', 'a'] },
      ),
      'map',
      ['z', 'a', 'm'],
    ),
    nested: list(
      object(
        {
          name: string,
          inner: list(object({ name: string, tags: list(string, 'set') }, { required: ['name'] }), 'map', [
            'name',
          ]),
        },
        { required: ['name'] },
      ),
      'map',
      ['name'],
    ),
    fields: mapOf(string),
  });
  const a = at('a');
  const cases = [
    ['a string key', { byName: [{ name: 'x' }] }],
    ['an empty string key', { byName: [{ name: '' }] }],
    [
      'keys with signs',
      { byName: [{ name: 'a/b.c' }, { name: 'q"uote' }, { name: 'é<&>' }, { name: 'line\nbreak' }] },
    ],
    ['integer keys', { byNumber: [{ id: 7 }, { id: -7 }, { id: 0 }, { id: 9007199254740991 }] }],
    ['boolean keys', { byFlag: [{ on: true, v: 'x' }, { on: false }] }],
    [
      'three keys are written by name',
      {
        byThree: [
          { z: 'z', a: 1, m: true },
          { z: 'z', a: 1, v: 'by default' },
        ],
      },
    ],
    ['map lists in map lists', { nested: [{ name: 'o', inner: [{ name: 'i', tags: ['t', 'u'] }] }] }],
    ['map keys with signs', { fields: { 'a.b/c': '1', 'with space': '2', 'f:': '3', '.': '4', '': '5' } }],
  ];
  for (const [label, spec] of cases) await apply(t, label, a, 'alpha', make('a', spec));
  await apply(
    t,
    'one level down of nested lists by another manager',
    a,
    'beta',
    make('a', {
      nested: [
        {
          name: 'o',
          inner: [
            { name: 'j', tags: [] },
            { name: 'i', tags: ['w'] },
          ],
        },
      ],
    }),
  );
  await applied(
    t,
    a,
    'alpha',
    make('a', {
      byThree: [{ z: 'k', a: 2, v: '1' }],
      nested: [{ name: 'o', inner: [{ name: 'i', tags: ['t'] }] }],
      byNumber: [{ id: 7, v: 'x' }],
      fields: { 'a.b/c': '1' },
    }),
  );
  await apply(
    t,
    'paths in the causes of a conflict',
    a,
    'gamma',
    make('a', {
      byThree: [{ z: 'k', a: 2, v: '2' }],
      byNumber: [{ id: 7, v: 'y' }],
      fields: { 'a.b/c': '2' },
    }),
  );
}

export async function maps(t) {
  const { at, make } = await scene(t, 'maps', {
    granular: mapOf(string, 'granular'),
    plain: mapOf(string),
    atomic: mapOf(string, 'atomic'),
    objects: mapOf(object({ a: string, b: string })),
    struct: object({ a: string, b: string }),
    whole: object({ a: string, b: object({ c: string }) }, { 'x-kubernetes-map-type': 'atomic' }),
  });
  const a = at('a');
  await apply(
    t,
    'create',
    a,
    'alpha',
    make('a', {
      granular: { x: '1' },
      plain: { x: '1' },
      atomic: { x: '1' },
      objects: { k: { a: '1' } },
      struct: { a: '1' },
      whole: { a: '1' },
    }),
  );
  await apply(
    t,
    'other keys of a granular map, a plain map and a struct merge',
    a,
    'beta',
    make('a', {
      granular: { y: '2' },
      plain: { y: '2' },
      objects: { k: { b: '2' }, l: {} },
      struct: { b: '2' },
    }),
  );
  await apply(t, 'other keys of an atomic map conflict', a, 'beta', make('a', { atomic: { y: '2' } }));
  await apply(
    t,
    'other fields of an atomic struct conflict',
    a,
    'beta',
    make('a', { whole: { b: { c: '2' } } }),
  );
  await apply(
    t,
    'an atomic map taken by force is replaced',
    a,
    'beta',
    make('a', { atomic: { y: '2' }, whole: { b: { c: '2' } } }),
    { query: '&force=true' },
  );
  await apply(
    t,
    'a key left out of a map goes',
    a,
    'alpha',
    make('a', { granular: { w: '9' }, objects: { k: { b: '9' } } }),
  );
  await apply(t, 'an empty atomic map', a, 'beta', make('a', { atomic: {} }));
  await t.step('a merge patch of a key in an atomic map owns the map', 'PATCH', `${a}?fieldManager=merger`, {
    body: { spec: { atomic: { z: '3' }, granular: { z: '3' }, objects: { m: { a: '3' } } } },
    type: MERGE,
    pick: owned,
  });
  await conflicts(
    t,
    'conflicts with it',
    a,
    'beta',
    make('a', { atomic: {}, granular: { z: '4' }, objects: { m: { a: '4', b: '4' } } }),
  );
}

export async function defaults(t) {
  const { all, at, make } = await scene(t, 'defaults', {
    image: string,
    replicas: { ...integer, default: 1 },
    deep: object({ mode: { ...string, default: 'auto' }, size: string }, { default: {} }),
    opt: object({ mode: { ...string, default: 'auto' } }),
    items: list(object({ name: string, kind: { ...string, default: 'x' } }, { required: ['name'] }), 'map', [
      'name',
    ]),
    nothing: { ...string, nullable: true, default: 'd' },
  });
  const a = at('a');
  await apply(
    t,
    'defaults are not owned',
    a,
    'alpha',
    make('a', { image: 'i', opt: {}, items: [{ name: 'n' }] }),
  );
  await apply(t, 'a default can be taken without conflict', a, 'beta', make('a', { replicas: 3 }));
  await apply(t, 'by one manager', a, 'gamma', make('a', { replicas: 4 }));
  await apply(
    t,
    "left out, the default comes back and is nobody's",
    a,
    'beta',
    make('a', { deep: { size: 's' } }),
  );
  await apply(
    t,
    'the default applied as a value is owned',
    a,
    'beta',
    make('a', { replicas: 1, deep: { mode: 'auto' }, items: [{ name: 'n', kind: 'x' }] }),
  );
  await apply(t, 'a nullable default applied as null', a, 'gamma', make('a', { nothing: null }));
  await apply(t, 'and left out', a, 'gamma', make('a', {}));
  await t.step('a create owns what it sent, and the defaults', 'POST', `${all}?fieldManager=creator`, {
    body: make('b', { image: 'i', opt: {} }),
    pick: owned,
  });
  await apply(
    t,
    'apply over a default that the create owns conflicts',
    at('b'),
    'alpha',
    make('b', { replicas: 2, opt: { mode: 'manual' } }),
  );
}

export async function unstructured(t) {
  const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const { at, make } = await scene(t, 'unstructured', {
    any,
    some: object(
      { known: string, list: list(string, 'set') },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ),
    untyped: { 'x-kubernetes-preserve-unknown-fields': true },
    either: { 'x-kubernetes-int-or-string': true },
    embedded: { ...any, 'x-kubernetes-embedded-resource': true },
  });
  const a = at('a');
  const object1 = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', labels: { a: 'b' } },
    data: { k: 'v' },
  };
  await apply(
    t,
    'create',
    a,
    'alpha',
    make('a', {
      any: { deep: { x: 1 }, list: [{ name: 'n', v: 1 }] },
      some: { known: 'k', list: ['a'], other: { y: true } },
      untyped: 'text',
      either: 1,
      embedded: object1,
    }),
  );
  await apply(
    t,
    'unknown objects merge by field',
    a,
    'beta',
    make('a', { any: { deep: { z: 2 } }, some: { list: ['b'], other: { w: null } } }),
  );
  await apply(t, 'unknown lists are one value', a, 'beta', make('a', { any: { list: [{ name: 'm' }] } }));
  await apply(t, 'an int-or-string changes its type', a, 'alpha', make('a', { either: '50%' }));
  await apply(
    t,
    'an untyped value becomes an object',
    a,
    'alpha',
    make('a', { either: '50%', untyped: { a: { b: 1 } } }),
  );
  await apply(t, 'another manager adds to it', a, 'beta', make('a', { untyped: { a: { c: 1 } } }));
  await apply(t, 'and makes it a list', a, 'beta', make('a', { untyped: [1, 2] }));
  await apply(
    t,
    'an embedded object merges by field',
    a,
    'beta',
    make('a', {
      embedded: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c', annotations: { x: 'y' } },
        data: { k2: 'v2' },
      },
    }),
  );
  await apply(
    t,
    'an embedded object without a kind',
    a,
    'beta',
    make('a', { embedded: { apiVersion: 'v1', metadata: { name: 'c' } } }),
  );
  await t.step('a merge patch owns the unknown field', 'PATCH', `${a}?fieldManager=merger`, {
    body: { spec: { any: { fresh: { q: [] } } } },
    type: MERGE,
    pick: owned,
  });
}
