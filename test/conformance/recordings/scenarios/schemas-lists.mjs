// List and map types: duplicates, and how an apply merges each.
import { integer, object, string } from '../lib/fixtures.mjs';
import { install } from './schemas/install.mjs';

const list = (type, items, rest) => ({
  type: 'array',
  items,
  ...(type && { 'x-kubernetes-list-type': type }),
  ...rest,
});
const keyed = (keys, item, rest) => list('map', item, { 'x-kubernetes-list-map-keys': keys, ...rest });

export async function listTypes(t) {
  const port = object(
    { port: integer, protocol: { type: 'string', default: 'TCP' }, note: string },
    { required: ['port'] },
  );
  const w = await install(
    t,
    'lists',
    object({
      spec: object({
        plain: list(null, string),
        atomic: list('atomic', string),
        set: list('set', string),
        numbers: list('set', { type: 'number' }),
        flags: list('set', { type: 'boolean' }),
        either: list('set', { 'x-kubernetes-int-or-string': true }),
        objects: list('set', object({ a: integer, b: integer }, { 'x-kubernetes-map-type': 'atomic' })),
        lists: list('set', list('atomic', integer)),
        named: keyed(['name'], object({ name: string, value: string }, { required: ['name'] })),
        ports: keyed(['port', 'protocol'], port),
        nested: keyed(['name'], object({ name: string, tags: list('set', string) }, { required: ['name'] })),
        table: { type: 'object', additionalProperties: list('set', integer) },
      }),
    }),
  );
  await w.tries([
    ['a list without a type may repeat', { plain: ['a', 'a'] }],
    ['an atomic list may repeat', { atomic: ['a', 'a'] }],
    ['a set without duplicates', { set: ['b', 'a'] }],
    ['a set with a duplicate', { set: ['a', 'b', 'a'] }],
    ['a set with the same value three times', { set: ['a', 'a', 'a'] }],
    ['a set of strings that differ in case', { set: ['a', 'A', ''] }],
    ['a set of numbers with a duplicate', { numbers: [1, 1.5, 1] }],
    ['a set of booleans with a duplicate', { flags: [true, false, true] }],
    ['a set of int-or-string: 1 and "1" differ', { either: [1, '1'] }],
    ['a set of int-or-string with a duplicate', { either: ['1', '1'] }],
    ['a set of objects', { objects: [{ a: 1 }, { a: 1, b: 2 }] }],
    [
      'a set of objects with a duplicate',
      {
        objects: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
    ],
    [
      'a set of lists with a duplicate',
      {
        lists: [
          [1, 2],
          [2, 1],
          [1, 2],
        ],
      },
    ],
    [
      'a keyed list',
      {
        named: [
          { name: 'a', value: 'x' },
          { name: 'b', value: 'x' },
        ],
      },
    ],
    [
      'a keyed list with a duplicate key',
      {
        named: [
          { name: 'a', value: 'x' },
          { name: 'a', value: 'y' },
        ],
      },
    ],
    ['a keyed list without its key', { named: [{ value: 'x' }] }],
    [
      'two keys of which one differs',
      {
        ports: [
          { port: 1, protocol: 'TCP' },
          { port: 1, protocol: 'UDP' },
        ],
      },
    ],
    [
      'two keys that are both the same',
      {
        ports: [
          { port: 1, protocol: 'UDP', note: 'x' },
          { port: 1, protocol: 'UDP' },
        ],
      },
    ],
    ['a key that is the same by default', { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] }],
    [
      'a duplicate in a set inside a keyed list',
      {
        nested: [
          { name: 'a', tags: ['x'] },
          { name: 'b', tags: ['x', 'x'] },
        ],
      },
    ],
    ['a duplicate in a set inside a map', { table: { k: [1, 1] } }],
    ['empty lists', { set: [], named: [], ports: [] }],
  ]);
  await w.seed('a', { spec: { set: ['a'], named: [{ name: 'a' }] } });
  await w.patch('a duplicate in an update', 'a', { spec: { set: ['a', 'a'] } });
  await w.patch('a JSON patch that repeats a key', 'a', [
    { op: 'add', path: '/spec/named/-', value: { name: 'a', value: 'z' } },
  ]);
}

export async function listTypeTightened(t) {
  const schema = (type, rest) =>
    object({ spec: object({ tags: list(type, string, rest), other: list(null, string), note: string }) });
  const w = await install(t, 'lists-tight', schema(null));
  await w.seed('a', { spec: { tags: ['x', 'x'], other: ['y'] } });
  const twice = { spec: { tags: ['q', 'q'] } };
  await w.reschema(schema('set'), () => w.refuses(twice));
  await w.create('a duplicate in a new object', 'b', twice);
  await w.patch('duplicates from before are left alone', 'a', { spec: { note: 'changed' } });
  await w.patch('even when other duplicates take their place', 'a', { spec: { tags: ['z', 'z'] } });
  await w.patch('the duplicates are removed', 'a', { spec: { tags: ['z'] } });
  await w.patch('and cannot come back', 'a', { spec: { tags: ['z', 'z'] } });
}

export async function mergeTypes(t) {
  const pair = object({ a: string, b: string });
  const w = await install(
    t,
    'merge',
    object({
      spec: object({
        plain: list(null, string),
        set: list('set', string),
        named: keyed(['name'], object({ name: string, a: string, b: string }, { required: ['name'] })),
        granular: { type: 'object', additionalProperties: string },
        atomicMap: { type: 'object', additionalProperties: string, 'x-kubernetes-map-type': 'atomic' },
        struct: pair,
        atomicStruct: { ...pair, 'x-kubernetes-map-type': 'atomic' },
        granularStruct: { ...pair, 'x-kubernetes-map-type': 'granular' },
      }),
    }),
  );
  // Two managers apply one after the other to an object of their own for each case.
  for (const [name, label, one, two] of [
    ['plain', 'a list without a type', { plain: ['a'] }, { plain: ['b'] }],
    ['set', 'a set', { set: ['a', 'b'] }, { set: ['b', 'c'] }],
    [
      'named',
      'a keyed list: another item',
      { named: [{ name: 'x', a: '1' }] },
      { named: [{ name: 'y', a: '2' }] },
    ],
    [
      'fields',
      'a keyed list: another field of the same item',
      { named: [{ name: 'x', a: '1' }] },
      { named: [{ name: 'x', b: '2' }] },
    ],
    [
      'clash',
      'a keyed list: the same field',
      { named: [{ name: 'x', a: '1' }] },
      { named: [{ name: 'x', a: '2' }] },
    ],
    ['granular', 'a granular map', { granular: { k: '1' } }, { granular: { l: '2' } }],
    ['atomic-map', 'an atomic map', { atomicMap: { k: '1' } }, { atomicMap: { l: '2' } }],
    ['struct', 'an object', { struct: { a: '1' } }, { struct: { b: '2' } }],
    ['atomic-struct', 'an atomic object', { atomicStruct: { a: '1' } }, { atomicStruct: { b: '2' } }],
    ['granular-struct', 'a granular object', { granularStruct: { a: '1' } }, { granularStruct: { b: '2' } }],
  ]) {
    await w.apply(`${label}: the first manager`, name, { spec: one });
    await w.apply(`${label}: the second manager`, name, { spec: two }, { manager: 'two' });
    await w.apply(
      `${label}: the second manager by force`,
      name,
      { spec: two },
      { manager: 'two', query: '&force=true' },
    );
    await w.apply(`${label}: the first manager gives up its fields`, name, { spec: {} });
  }
}
