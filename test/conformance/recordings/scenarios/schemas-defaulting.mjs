// Defaulting: when defaults are filled in, on writes and on reads, and how they meet null, required and
// pruning.
import { integer, object, string } from '../lib/fixtures.mjs';
import { content, install } from './schemas/install.mjs';

const list = (items, rest) => ({ type: 'array', items, ...rest });
const map = (values, rest) => ({ type: 'object', additionalProperties: values, ...rest });
const text = (value, rest) => ({ type: 'string', default: value, ...rest });
const count = (value, rest) => ({ type: 'integer', default: value, ...rest });

export async function defaultsOnWrite(t) {
  const w = await install(
    t,
    'defaults',
    object({
      spec: object(
        {
          text: text('t'),
          on: { type: 'boolean', default: true },
          ratio: { type: 'number', default: 0.5 },
          zero: count(0),
          empty: text(''),
          either: { 'x-kubernetes-int-or-string': true, default: '50%' },
          inner: object({ a: count(1), b: string }),
          filled: object({ a: count(2), b: text('b') }, { default: {} }),
          partly: object({ a: count(3), b: string }, { default: { b: 'x' } }),
          deep: object({ level: object({ a: count(4) }, { default: {} }) }, { default: {} }),
          words: list(string, { default: ['p', 'q'] }),
          rows: list(object({ name: string, size: count(5) })),
          table: map(object({ size: count(6) })),
          pairs: map(string, { default: { k: 'v' } }),
          open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: { any: [1] } },
          needed: object({ a: text('n') }, { required: ['a'] }),
          kept: object({ a: string, b: count(7) }, { required: ['a'] }),
        },
        { required: ['text'] },
      ),
    }),
  );
  for (const [name, label, rest] of [
    ['none', 'without a spec nothing is defaulted', {}],
    ['empty', 'every field of an empty spec that has a default', { spec: {} }],
    [
      'zero',
      'empty and zero values are values',
      {
        spec: { text: '', on: false, ratio: 0, words: [], pairs: {}, open: {}, filled: { a: 0 }, either: 0 },
      },
    ],
    ['inner', 'an object without a default is filled once it is there', { spec: { inner: {} } }],
    [
      'partly',
      'a given object replaces the default, and is filled itself',
      { spec: { partly: {}, filled: { b: 'z' }, deep: { level: {} } } },
    ],
    ['rows', 'items of a list', { spec: { rows: [{ name: 'a' }, { size: 1 }, {}] } }],
    ['table', 'values of a map', { spec: { table: { a: {}, b: { size: 1 } } } }],
    ['needed', 'a default satisfies required', { spec: { needed: {} } }],
    ['kept', 'required without a default', { spec: { kept: {} } }],
    ['wrong', 'a wrong type is not replaced', { spec: { text: 5 } }],
  ])
    await w.create(label, name, rest);

  await w.seed('a', { spec: { text: 'given', on: false, rows: [{ name: 'x', size: 9 }] } });
  await w.replace(
    'an update that leaves a field out gets the default',
    'a',
    (o) => {
      o.spec = { on: false };
    },
    {
      pick: (b) => ({ text: b.spec.text, on: b.spec.on, rows: b.spec.rows }),
    },
  );
  await w.patch(
    'a merge patch that removes a field',
    'a',
    { spec: { on: null, text: 'again' } },
    {
      pick: (b) => ({ text: b.spec.text, on: b.spec.on }),
    },
  );
  await w.patch(
    'a JSON patch that removes a field',
    'a',
    [
      { op: 'remove', path: '/spec/text' },
      { op: 'replace', path: '/spec/rows', value: [{}] },
    ],
    { pick: (b) => ({ text: b.spec.text, rows: b.spec.rows }) },
  );
  await w.patch(
    'a JSON patch may test what was defaulted',
    'a',
    [{ op: 'test', path: '/spec/deep/level/a', value: 4 }],
    { pick: (b) => b.spec.deep },
  );
  await w.apply(
    'an apply',
    'applied',
    { spec: { rows: [{ name: 'y' }] } },
    {
      pick: (b) => ({
        text: b.spec.text,
        rows: b.spec.rows,
        owned: b.metadata.managedFields.map((m) => [m.manager, m.fieldsV1]),
      }),
    },
  );
}

export async function defaultsAndNull(t) {
  const w = await install(
    t,
    'defaults-null',
    object({
      spec: object({
        text: text('t'),
        maybe: text('m', { nullable: true }),
        inner: object({ a: count(1) }, { default: {} }),
        maybeInner: object({ a: count(1) }, { default: {}, nullable: true }),
        words: list(text('w')),
        maybes: list(text('w', { nullable: true })),
        rows: list(object({ a: count(1) }, { default: {} })),
        table: map(text('v')),
        maybeTable: map(text('v', { nullable: true })),
        needed: object({ a: text('n') }, { required: ['a'] }),
      }),
    }),
  );
  for (const [name, label, spec] of [
    ['plain', 'null is replaced by the default', { text: null }],
    ['nullable', 'a nullable null stays', { maybe: null }],
    ['object', 'null for an object with a default', { inner: null }],
    ['nullable-object', 'null for a nullable object with a default', { maybeInner: null }],
    ['item', 'null items are replaced by the default of the items', { words: ['a', null] }],
    ['nullable-item', 'nullable null items stay', { maybes: ['a', null] }],
    ['object-item', 'null items that are objects', { rows: [null, {}] }],
    ['value', 'null values of a map are replaced', { table: { a: null, b: 'c' } }],
    ['nullable-value', 'nullable null values of a map stay', { maybeTable: { a: null } }],
    ['needed', 'null for a required field with a default', { needed: { a: null } }],
  ])
    await w.create(
      label,
      name,
      { spec },
      { pick: (b) => Object.fromEntries(Object.keys(spec).map((k) => [k, b.spec[k]])) },
    );
  await w.create('null for the object that holds the defaults', 'spec', { spec: null });
  const whole = await install(
    t,
    'defaults-whole',
    object({ spec: object({ text: text('t') }, { default: {} }) }),
    { kind: 'Gadget' },
  );
  await whole.create('a spec that has a default of its own', 'none', {});
  await whole.create('null for a spec that has a default', 'null', { spec: null });
}

export async function defaultsOnRead(t) {
  const before = object({ spec: object({ name: string, rows: list(object({ name: string })) }) });
  const after = (value) =>
    object({
      spec: object({ name: string, mode: text(value), rows: list(object({ name: string, size: count(1) })) }),
    });
  const w = await install(t, 'defaults-read', before);
  for (const name of ['read', 'written']) await w.seed(name, { spec: { name, rows: [{ name: 'x' }] } });
  const first = await w.get('read');
  const mode = (expected) => async () => (await w.get('read')).spec.mode === expected;
  await w.reschema(after('old'), mode('old'));
  await w.read('a new default shows on read', 'read');
  await t.step('and in a list', 'GET', w.url, { pick: (b) => b.items.map(content) });
  await t.watch('and in a watch', `${w.url}?watch=1&fieldSelector=metadata.name=read`, {
    count: 1,
    pick: (e) => ({ type: e.type, object: content(e.object) }),
  });
  const now = await w.get('read');
  t.note('the object itself has not changed', {
    resourceVersion: first.metadata.resourceVersion === now.metadata.resourceVersion,
    generation: now.metadata.generation,
  });
  await w.patch(
    'an update stores the default',
    'written',
    { metadata: { labels: { a: 'b' } } },
    {
      pick: (b) => ({ generation: b.metadata.generation, spec: b.spec }),
    },
  );
  await w.reschema(after('new'), mode('new'));
  await w.read('another default: an object that was not written since', 'read');
  await w.read('another default: an object that was', 'written');
  await w.reschema(
    object({
      spec: object({ name: string, mode: string, rows: list(object({ name: string, size: integer })) }),
    }),
    mode(undefined),
  );
  await w.read('no default any more: an object that was not written since', 'read');
  await w.read('no default any more: an object that was', 'written');
  await w.reschema(
    object({
      spec: object(
        { name: string, mode: text('late'), rows: list(object({ name: string })) },
        { required: ['mode'] },
      ),
    }),
    mode('late'),
  );
  await w.patch('a new required field with a default does not stop updates', 'read', {
    spec: { name: 'other' },
  });
}

export async function defaultsInEmbedded(t) {
  const w = await install(
    t,
    'defaults-embedded',
    object({
      spec: object({
        template: object(
          { spec: object({ replicas: count(1) }, { default: {} }) },
          { 'x-kubernetes-embedded-resource': true },
        ),
        open: object(
          { spec: object({ replicas: count(2) }) },
          {
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        ),
        whole: object(
          { spec: object({ replicas: count(3) }) },
          {
            'x-kubernetes-embedded-resource': true,
            default: {
              apiVersion: 'v1',
              kind: 'Pod',
              metadata: { name: 'given', labels: { a: 'b' } },
              spec: {},
            },
          },
        ),
      }),
      status: object({ phase: text('New'), count: count(0) }),
    }),
    { subresources: { status: {} } },
  );
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'in' } };
  await w.create('defaults inside an embedded resource', 'template', { spec: { template: pod } });
  await w.create('defaults inside an embedded resource that preserves', 'open', {
    spec: { open: { ...pod, spec: { extra: 1 } } },
  });
  await w.create('an embedded resource as a default', 'whole', { spec: {} });
  await w.create('a status is dropped on create, and its defaults with it', 'status', {
    status: { count: 4 },
  });
  await w.patch('defaults in status once it is there', 'status', { status: {} }, { sub: '/status' });
  await w.patch(
    'a status without a field that has a default',
    'status',
    { status: { phase: null, count: 2 } },
    { sub: '/status' },
  );
  await w.read('and as it is read', 'status');
}
