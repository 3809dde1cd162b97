// Creating custom resources: the answer, what the server fills in, and what it refuses.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';

/** Most steps are not about managedFields, which double the size of an answer. */
const lean = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
const widget = object({ spec: object({ size: integer, note: string }) });
const maker =
  (group, kind) =>
  (name, metadata = {}, rest = {}) => ({
    ...custom(group, 'v1', kind, name),
    metadata: { name, ...metadata },
    spec: { size: 1 },
    ...rest,
  });

export async function createAnswers(t) {
  const group = 'verbs-create.conf.example.com';
  const ns = await t.namespace('conf-verbs-create');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema: widget }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const make = maker(group, 'Widget');

  await t.step('create answers 201 with the stored object', 'POST', url, { body: make('plain') });
  await t.step('create the same name again', 'POST', url, { body: make('plain') });
  await t.step('labels and annotations are kept', 'POST', url, {
    body: make('decorated', { labels: { app: 'x' }, annotations: { 'example.com/a': '1' } }),
    pick: lean,
  });
  await t.step('no name and no generateName', 'POST', url, { body: make(undefined) });
  await t.step('an empty name', 'POST', url, { body: make('') });
  const generated = await t.step('generateName gives a name with five more characters', 'POST', url, {
    body: make(undefined, { generateName: 'gen-' }),
    pick: (b) => ({
      matches: /^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(b.metadata.name),
      generateName: b.metadata.generateName,
    }),
  });
  t.note(
    'the generated object can be read',
    (await t.client.request('GET', `${url}/${generated.metadata.name}`)).status,
  );
  await t.step('a long generateName is cut so that the name fits in 63 characters', 'POST', url, {
    body: make(undefined, { generateName: `${'g'.repeat(80)}-` }),
    pick: (b) => ({
      length: b.metadata.name.length,
      prefix: b.metadata.name.slice(0, 58),
      generateName: b.metadata.generateName,
    }),
  });
  await t.step('a name beside generateName wins', 'POST', url, {
    body: make('named', { generateName: 'gen-' }),
    pick: lean,
  });
  await t.step('an invalid generateName beside a valid name', 'POST', url, {
    body: make('named2', { generateName: 'Gen_' }),
  });
  await t.step('the namespace of the path is filled in', 'POST', url, {
    body: make('filled', { namespace: '' }),
    pick: lean,
  });
  await t.step('another namespace in the body than in the path', 'POST', url, {
    body: make('elsewhere', { namespace: 'default' }),
  });
  await t.step(
    'a namespace that does not exist',
    'POST',
    resource(group, 'v1', 'widgets', 'conf-verbs-missing'),
    { body: make('nowhere') },
  );
  await t.step(
    'a namespaced resource without a namespace in the path',
    'POST',
    resource(group, 'v1', 'widgets'),
    { body: make('loose', { namespace: ns }) },
  );
  await t.step('POST to the path of an object that exists', 'POST', `${url}/plain`, { body: make('plain') });
  await t.step('POST to the path of an object that does not exist', 'POST', `${url}/fresh`, {
    body: make('fresh'),
    pick: lean,
  });
  await t.step('POST to the path of an object with another name in the body', 'POST', `${url}/fresh2`, {
    body: make('other'),
    pick: lean,
  });
  await t.step('resourceVersion set on create', 'POST', url, {
    body: make('versioned', { resourceVersion: '1' }),
  });
  await t.step('resourceVersion 0 on create', 'POST', url, {
    body: make('versioned', { resourceVersion: '0' }),
    pick: lean,
  });
}

export async function createSystemFields(t) {
  const group = 'verbs-sysfields.conf.example.com';
  const ns = await t.namespace('conf-verbs-sysfields');
  const schema = object({ ...widget.properties, status: object({ phase: string }) });
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema, subresources: { status: {} } }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const make = maker(group, 'Widget');
  const sent = {
    uid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
    creationTimestamp: '2001-02-03T04:05:06Z',
    generation: 7,
    selfLink: '/somewhere',
    deletionTimestamp: '2001-02-03T04:05:06Z',
    deletionGracePeriodSeconds: 30,
  };
  const stored = await t.step(
    'uid, creationTimestamp, generation, deletion fields and selfLink of the client are not taken',
    'POST',
    url,
    { body: make('sys', sent) },
  );
  t.note("the uid and the time are the server's own", {
    uid: stored.metadata.uid !== sent.uid,
    creationTimestamp: stored.metadata.creationTimestamp !== sent.creationTimestamp,
  });
  await t.step('uid and creationTimestamp of null', 'POST', url, {
    body: make('nulls', {
      uid: null,
      creationTimestamp: null,
      labels: null,
      annotations: null,
      finalizers: null,
      ownerReferences: null,
    }),
    pick: lean,
  });
  await t.step('status in the body is dropped when the status subresource is on', 'POST', url, {
    body: make('st', {}, { status: { phase: 'Ready' } }),
    pick: lean,
  });
  const entry = {
    manager: 'me',
    operation: 'Update',
    apiVersion: `${group}/v1`,
    time: '2001-02-03T04:05:06Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:size': {} } },
  };
  await t.step('managedFields of the client on create', 'POST', url, {
    body: make('mf', { managedFields: [entry] }),
    pick: (b) => b.metadata.managedFields,
  });
  await t.step('fieldManager names the manager', 'POST', `${url}?fieldManager=tester`, {
    body: make('fm'),
    pick: (b) => b.metadata.managedFields,
  });
  await t.step('no field manager but a user agent with a path and a version', 'POST', url, {
    body: make('ua'),
    headers: { 'user-agent': 'kubectl-create/v1.32.0 (linux/amd64) kubernetes/abc' },
    pick: (b) => b.metadata.managedFields[0].manager,
  });
  await t.step('unknown metadata fields are dropped', 'POST', url, {
    body: make('um', { surprise: 1, labels: { a: 'b' } }),
    pick: lean,
  });
}

export async function createNamesAndMetadata(t) {
  const group = 'verbs-names.conf.example.com';
  const ns = await t.namespace('conf-verbs-names');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema: widget }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const make = maker(group, 'Widget');

  const good = ['a', '0', 'a.b.c', 'a-b', '1.2.3.4', 'a'.repeat(63), `${'b'.repeat(120)}.${'c'.repeat(132)}`];
  for (const name of good)
    await t.step(`valid name of ${name.length} characters: ${name.slice(0, 8)}`, 'POST', url, {
      body: make(name),
      pick: (b) => b.metadata.name,
    });
  const bad = ['A', 'a_b', '-a', 'a-', 'a..b', 'a/b', 'é', 'd'.repeat(254)];
  for (const name of bad)
    await t.step(`invalid name: ${name.slice(0, 8)}`, 'POST', url, { body: make(name) });

  const metadata = [
    ['label key with a bad character', { labels: { 'a b': 'x' } }],
    ['label key with two slashes', { labels: { 'a/b/c': 'x' } }],
    ['label key with an empty prefix', { labels: { '/b': 'x' } }],
    ['label key name part of 64 characters', { labels: { ['k'.repeat(64)]: 'x' } }],
    ['label value with a bad character', { labels: { a: 'x y' } }],
    ['label value of 64 characters', { labels: { a: 'v'.repeat(64) } }],
    ['label value that is a number', { labels: { a: 1 } }],
    ['annotation key with a bad character', { annotations: { 'a b': 'x' } }],
    ['annotation value that is a number', { annotations: { a: 1 } }],
    ['annotations that are a list', { annotations: ['a'] }],
    ['finalizer without a slash', { finalizers: ['plain'] }],
    ['finalizer with a bad character', { finalizers: ['example.com/a b'] }],
    [
      'owner reference without a uid',
      { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o' }] },
    ],
    [
      'owner reference without a name',
      { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', uid: 'u' }] },
    ],
    ['owner reference without a kind', { ownerReferences: [{ apiVersion: 'v1', name: 'o', uid: 'u' }] }],
    [
      'owner reference without an apiVersion',
      { ownerReferences: [{ kind: 'ConfigMap', name: 'o', uid: 'u' }] },
    ],
    [
      'two controlling owners',
      {
        ownerReferences: ['x', 'y'].map((n) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: n,
          uid: n,
          controller: true,
        })),
      },
    ],
    ['an Event as owner', { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'o', uid: 'u' }] }],
    ['a creationTimestamp that is no time', { creationTimestamp: 'yesterday' }],
    ['a name that is a number', { name: 5 }],
    ['a generation that is a string', { generation: 'one' }],
  ];
  // A dry run, so that what is accepted stays out of the next steps' way (and no finalizer outlives the
  // scenario).
  for (const [label, m] of metadata)
    await t.step(label, 'POST', `${url}?dryRun=All`, { body: make('meta', m), pick: lean });
  await t.step('metadata that is a string', 'POST', url, { body: { ...make('x'), metadata: 'x' } });
  await t.step('no metadata at all', 'POST', url, { body: { apiVersion: `${group}/v1`, kind: 'Widget' } });
  await t.step('a valid finalizer, owner reference and prefixed label', 'POST', url, {
    body: make('fine', {
      labels: { 'example.com/A_b.c': 'V-1_x.y', empty: '' },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'o',
          uid: 'u',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    }),
    pick: lean,
  });
}

export async function createBodies(t) {
  const group = 'verbs-bodies.conf.example.com';
  const ns = await t.namespace('conf-verbs-bodies');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema: widget }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const make = maker(group, 'Widget');

  const text = [
    ['malformed JSON', '{"apiVersion":'],
    ['an empty body', ''],
    ['a body of null', 'null'],
    ['a body that is a string', '"x"'],
    ['a body that is a list', '[]'],
    ['an empty object', '{}'],
    ['text after the object', `${JSON.stringify(make('after'))} x`],
  ];
  for (const [label, body] of text) await t.step(label, 'POST', url, { body });
  await t.step('no body at all', 'POST', url);
  await t.step('the wrong kind', 'POST', url, { body: { ...make('k'), kind: 'Gadget' } });
  await t.step('the list kind', 'POST', url, { body: { ...make('k'), kind: 'WidgetList' } });
  await t.step('no kind', 'POST', url, { body: { ...make('k'), kind: undefined } });
  await t.step('no apiVersion', 'POST', url, { body: { ...make('k'), apiVersion: undefined } });
  await t.step('a kind that is a number', 'POST', url, { body: { ...make('k'), kind: 5 } });
  await t.step('the wrong group', 'POST', url, { body: { ...make('k'), apiVersion: 'example.org/v1' } });
  await t.step('an apiVersion of a core kind', 'POST', url, {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'k' } },
  });
  await t.step('an apiVersion with two slashes', 'POST', url, {
    body: { ...make('k'), apiVersion: 'a/b/c' },
  });

  const yaml = (name) =>
    `apiVersion: ${group}/v1\nkind: Widget\nmetadata:\n  name: ${name}\nspec:\n  size: 3\n  note: "5"\n`;
  await t.step('YAML body', 'POST', url, { body: yaml('y1'), type: 'application/yaml', pick: lean });
  await t.step('malformed YAML', 'POST', url, { body: 'a: b: c', type: 'application/yaml' });
  await t.step('JSON sent as YAML', 'POST', url, { body: make('y2'), type: 'application/yaml', pick: lean });
  await t.step('YAML sent as JSON', 'POST', url, { body: yaml('y3') });
  await t.step('content type with parameters', 'POST', url, {
    body: make('ct'),
    type: 'application/json; charset=utf-8',
    pick: lean,
  });
  for (const type of ['text/plain', 'application/xml', 'application/merge-patch+json', 'nonsense']) {
    await t.step(`content type ${type}`, 'POST', url, { body: make('t'), type });
  }
  await t.step('a body over 3 MiB', 'POST', url, {
    body: make('big', {}, { spec: { note: 'x'.repeat(3 * 1024 * 1024 + 1000) } }),
  });
  await t.step('annotations over 256 KiB in all', 'POST', url, {
    body: make('wide', { annotations: { a: 'x'.repeat(200_000), b: 'x'.repeat(70_000) } }),
  });
}

export async function createOptions(t) {
  const group = 'verbs-options.conf.example.com';
  const ns = await t.namespace('conf-verbs-options');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema: widget }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const make = maker(group, 'Widget');

  await t.step('dryRun=All answers as if created', 'POST', `${url}?dryRun=All`, {
    body: make('dry'),
    pick: (b) => ({ ...lean(b), metadata: { ...lean(b).metadata, uid: typeof b.metadata.uid } }),
  });
  await t.step('a dry run stores nothing', 'GET', `${url}/dry`);
  await t.step('dryRun of another value', 'POST', `${url}?dryRun=Some`, { body: make('dry') });
  await t.step('an empty dryRun', 'POST', `${url}?dryRun=`, {
    body: make('dry0'),
    pick: (b) => b.metadata.name,
  });
  await t.step('dryRun given twice', 'POST', `${url}?dryRun=All&dryRun=All`, {
    body: make('dry'),
    pick: (b) => b.metadata.name,
  });
  await t.setup('POST', url, { body: make('there') });
  await t.step('a dry run of an object that exists', 'POST', `${url}?dryRun=All`, { body: make('there') });
  await t.step('a dry run of an invalid object', 'POST', `${url}?dryRun=All`, {
    body: make('dry', {}, { spec: { size: 'x' } }),
  });
  await t.step(
    'a dry run into a namespace that does not exist',
    'POST',
    `${resource(group, 'v1', 'widgets', 'conf-verbs-missing')}?dryRun=All`,
    { body: make('dry') },
  );

  await t.step('fieldValidation=Strict with an unknown field', 'POST', `${url}?fieldValidation=Strict`, {
    body: make('v', {}, { spec: { size: 1, extra: 2 } }),
  });
  await t.step('fieldValidation=Warn with an unknown field', 'POST', `${url}?fieldValidation=Warn`, {
    body: make('v1', {}, { spec: { size: 1, extra: 2 } }),
    pick: lean,
  });
  await t.step('fieldValidation=Ignore with an unknown field', 'POST', `${url}?fieldValidation=Ignore`, {
    body: make('v2', {}, { spec: { size: 1, extra: 2 } }),
    pick: lean,
  });
  await t.step('fieldValidation=Strict with a duplicate key', 'POST', `${url}?fieldValidation=Strict`, {
    body: `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"d"},"spec":{"size":1,"size":2}}`,
  });
  await t.step('a duplicate key only warns by default, and the last value is kept', 'POST', url, {
    body: `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"d"},"spec":{"size":1,"size":2}}`,
    pick: lean,
  });
  await t.step('fieldValidation of another value', 'POST', `${url}?fieldValidation=Loose`, {
    body: make('v3'),
  });
  await t.step('a field manager of 129 characters', 'POST', `${url}?fieldManager=${'m'.repeat(129)}`, {
    body: make('m'),
  });
  await t.step('a field manager with a character that does not print', 'POST', `${url}?fieldManager=a%07b`, {
    body: make('m'),
  });
  await t.step('a query parameter nobody knows', 'POST', `${url}?color=blue`, {
    body: make('q'),
    pick: (b) => b.metadata.name,
  });
  const pretty = await t.client.request('GET', `${url}/q?pretty=true`, {
    headers: { accept: 'application/yaml' },
  });
  t.note('YAML answer: type, status and first lines', {
    status: pretty.status,
    type: pretty.headers['content-type'],
    lines: pretty.body.split('\n').slice(0, 2),
  });
}
