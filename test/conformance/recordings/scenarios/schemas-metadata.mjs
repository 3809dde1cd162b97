// Object metadata, kind and apiVersion: what is refused, what is corrected in silence, and what only warns.
import { object, string } from '../lib/fixtures.mjs';
import { install, refusal } from './schemas/install.mjs';

const spec = object({ spec: object({ text: string }) });
/** What is compared of accepted metadata: all but what the server sets. */
const given = ({ metadata: { creationTimestamp, managedFields, uid, resourceVersion, ...rest } }) => rest;
/** Finalizers would keep the objects, and with them the CRD, for ever. */
const dropFinalizers = (t, w) =>
  t.onEnd(async () => {
    for (const { metadata } of (await t.client.request('GET', w.url)).body.items) {
      if (metadata.finalizers)
        await t.client.request('PATCH', `${w.url}/${metadata.name}`, {
          body: { metadata: { finalizers: null } },
          headers: { 'content-type': 'application/merge-patch+json' },
        });
    }
  });
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u-1' };

export async function metadataOnCreate(t) {
  const w = await install(t, 'meta', spec);
  dropFinalizers(t, w);
  let n = 0;
  const post = (label, metadata, pick = given) =>
    t.step(label, 'POST', w.url, {
      body: { ...w.body(''), metadata: { name: `m-${++n}`, ...metadata } },
      pick,
    });
  await post('a label key with two slashes', { labels: { 'a/b/c': 'x' } });
  await post('a label key with a bad prefix', { labels: { 'Example.com/a': 'x' } });
  await post('an empty label key', { labels: { '': 'x' } });
  await post('a label key that is too long', { labels: { ['k'.repeat(64)]: 'x' } });
  await post('a label value with a space', { labels: { a: 'b c' } });
  await post('a label value that is too long', { labels: { a: 'v'.repeat(64) } });
  await post('an empty label value', { labels: { a: '' } });
  await post('a null label value', { labels: { a: null } });
  await post('an annotation key with a space', { annotations: { 'a b': 'x' } });
  await post('an annotation key in upper case', { annotations: { 'Example.com/Key': 'x y z' } });
  await post('annotations that are too large together', { annotations: { a: 'x'.repeat(262_144) } });
  await post('a finalizer with a bad name', { finalizers: ['a b/c'] });
  await post('a finalizer without a domain warns', { finalizers: ['hold'] });
  await post('a finalizer without a path warns', { finalizers: ['hold.example.com'] });
  await post('a finalizer as it should be', { finalizers: ['example.com/hold'] });
  await post('the same finalizer twice', { finalizers: ['example.com/hold', 'example.com/hold'] });
  await post('both garbage-collection finalizers', { finalizers: ['orphan', 'foregroundDeletion'] });
  await post('an owner', { ownerReferences: [owner] });
  await post('an owner without an apiVersion', { ownerReferences: [{ ...owner, apiVersion: '' }] });
  await post('an owner without a kind', { ownerReferences: [{ ...owner, kind: '' }] });
  await post('an owner without a name', { ownerReferences: [{ ...owner, name: '' }] });
  await post('an owner without a uid', { ownerReferences: [{ ...owner, uid: '' }] });
  await post('an owner whose apiVersion has no version', {
    ownerReferences: [{ ...owner, apiVersion: 'apps/' }],
  });
  await post('an owner that may not own', { ownerReferences: [{ ...owner, kind: 'Event' }] });
  await post('two controllers', {
    ownerReferences: [
      { ...owner, controller: true },
      { ...owner, name: 'p', uid: 'u-2', controller: true },
    ],
  });
  await post('the same owner twice', { ownerReferences: [owner, owner] });
  await post('the same owner twice with a difference', { ownerReferences: [owner, { ...owner, name: 'p' }] });
  await post('a resourceVersion on create', { resourceVersion: '5' });
  await post('a uid on create is replaced', { uid: 'mine' }, (b) => ({ mine: b.metadata.uid === 'mine' }));
  await post(
    'a creationTimestamp on create is replaced',
    { creationTimestamp: '2001-01-01T00:00:00Z' },
    (b) => ({
      year: b.metadata.creationTimestamp.startsWith('2001'),
    }),
  );
  await post('a generation on create is replaced', { generation: 7 });
  await post('a deletionTimestamp on create is dropped', {
    deletionTimestamp: '2001-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 5,
  });
  await post('a selfLink on create is dropped', { selfLink: '/somewhere' });
  await post('empty labels and annotations', { labels: {}, annotations: {} });
}

export async function metadataTypes(t) {
  const w = await install(t, 'meta-types', spec);
  for (const [label, metadata] of [
    ['labels as a list', { labels: ['a'] }],
    ['a label that is a number', { labels: { a: 1 } }],
    ['a label that is an object', { labels: { a: {} } }],
    ['annotations as a string', { annotations: 'x' }],
    ['an annotation that is a boolean', { annotations: { a: true } }],
    ['a name that is a number', { name: 5 }],
    ['finalizers as a string', { finalizers: 'x' }],
    ['a finalizer that is a number', { finalizers: [1] }],
    ['ownerReferences as an object', { ownerReferences: {} }],
    ['an owner that is a string', { ownerReferences: ['x'] }],
    ['a controller that is a string', { ownerReferences: [{ ...owner, controller: 'true' }] }],
    ['a creationTimestamp that is not a time', { creationTimestamp: 'yesterday' }],
    ['a generation that is a string', { generation: '1' }],
    ['a generation that is a fraction', { generation: 1.5 }],
    ['managedFields as an object', { managedFields: {} }],
  ])
    await t.step(label, 'POST', w.url, {
      body: { ...w.body(''), metadata: { name: 'a', ...metadata } },
      pick: given,
    });
  await t.step('metadata as a string', 'POST', w.url, { body: { ...w.body(''), metadata: 'x' } });
  await t.step('metadata as a list', 'POST', w.url, { body: { ...w.body(''), metadata: [] } });
  await t.step('metadata that is null', 'POST', w.url, { body: { ...w.body(''), metadata: null } });
  await t.step('no metadata', 'POST', w.url, { body: { apiVersion: `${w.group}/v1`, kind: 'Widget' } });
  await t.step('empty metadata', 'POST', w.url, { body: { ...w.body(''), metadata: {} } });
  await w.seed('a', {});
  for (const [label, metadata] of [
    ['a label that is a number', { labels: { a: 1 } }],
    ['labels as a list', { labels: ['a'] }],
    ['a generation that is a string', { generation: 'x' }],
  ]) {
    await refusal(t, `a patch with ${label}`, 'PATCH', `${w.url}/a`, {
      body: { metadata },
      type: 'application/merge-patch+json',
      keep: /json: .*/,
    });
  }
  await w.patch('a patch that removes all labels', 'a', { metadata: { labels: null } }, { pick: given });
}

export async function names(t) {
  const w = await install(t, 'names', spec);
  for (const [label, name] of [
    ['upper case', 'Abc'],
    ['a dash at the end', 'a-'],
    ['two dots in a row', 'a..b'],
    ['dots and digits', '1.a-b.c2'],
    ['253 characters', 'n'.repeat(253)],
    ['254 characters', 'n'.repeat(254)],
    ['a slash', 'a/b'],
    ['a letter beyond ASCII', 'é'],
  ])
    await w.create(`a name with ${label}`, name, {}, { pick: given });
  const shape = ({ metadata: { name, generateName } }) => ({
    generateName,
    prefix: name.startsWith(generateName),
    suffix: /^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name.slice(-5)),
    length: name.length,
  });
  const generate = (label, metadata) =>
    t.step(label, 'POST', w.url, { body: { ...w.body(''), metadata }, pick: shape });
  await generate('generateName', { generateName: 'made-' });
  await generate('generateName beside a name', { generateName: 'made-', name: 'chosen' });
  await generate('a generateName of 100 characters is cut', { generateName: 'g'.repeat(100) });
  await generate('an empty generateName', { generateName: '' });
  for (const [label, generateName] of [
    ['in upper case', 'Made-'],
    ['with a dot at its end', 'made.'],
    ['of 300 characters', 'g'.repeat(300)],
  ]) {
    const body = { ...w.body(''), metadata: { generateName } };
    await refusal(t, `a generateName ${label}`, 'POST', w.url, {
      body,
      keep: /metadata.generateName: [^:]*/,
    });
  }
  await t.step('a namespace other than that of the request', 'POST', w.url, {
    body: { ...w.body(''), metadata: { name: 'a', namespace: 'other' } },
  });
  await t.step('the namespace of the request', 'POST', w.url, {
    body: { ...w.body(''), metadata: { name: 'same', namespace: w.ns } },
    pick: given,
  });
  await t.step('no namespace in the request', 'POST', w.url.replace(/namespaces\/[^/]+\//, ''), {
    body: w.body('a'),
  });
  await t.step('a namespace that does not exist', 'POST', w.url.replace(w.ns, 'conf-schemas-nowhere'), {
    body: w.body('a'),
  });

  const c = await install(t, 'names-cluster', spec, { kind: 'Realm', scope: 'Cluster' });
  await c.create('a cluster-scoped object', 'a', {}, { pick: given });
  await t.step('a cluster-scoped object with a namespace', 'POST', c.url, {
    body: { ...c.body(''), metadata: { name: 'b', namespace: 'default' } },
    pick: given,
  });
  await t.step(
    'a cluster-scoped object in a namespace',
    'POST',
    c.url.replace('/realms', '/namespaces/default/realms'),
    { body: c.body('c') },
  );

  const short = await install(
    t,
    'names-schema',
    object({
      metadata: object({ name: { type: 'string', maxLength: 5, pattern: '^[a-c]+$' } }),
      spec: object({}),
    }),
    { kind: 'Gadget' },
  );
  await short.create('a name that the schema takes', 'abc', {}, { pick: given });
  await short.create('a name that is too long for the schema', 'abcabc', {});
  await short.create('a name that does not match the pattern of the schema', 'abd', {});
}

export async function kindAndVersion(t) {
  const w = await install(t, 'kind', spec);
  const good = { apiVersion: `${w.group}/v1`, kind: 'Widget', metadata: { name: 'a' } };
  const faults = [
    ['another kind', { kind: 'Gadget' }],
    ['a kind that differs in case', { kind: 'widget' }],
    ['the kind of the list', { kind: 'WidgetList' }],
    ['an empty kind', { kind: '' }],
    ['no kind', { kind: undefined }],
    ['a kind that is a number', { kind: 5 }],
    ['another version', { apiVersion: `${w.group}/v2` }],
    ['another group', { apiVersion: 'other.example.com/v1' }],
    ['no group', { apiVersion: 'v1' }],
    ['an empty apiVersion', { apiVersion: '' }],
    ['no apiVersion', { apiVersion: undefined }],
    ['a malformed apiVersion', { apiVersion: 'a/b/c' }],
    ['an apiVersion that is a list', { apiVersion: [] }],
  ];
  for (const [label, fault] of faults)
    await t.step(`create with ${label}`, 'POST', w.url, { body: { ...good, ...fault } });
  const made = await t.setup('POST', w.url, { body: good });
  // A body that cannot be decoded is quoted in the answer, so it must not hold times.
  for (const [label, fault] of faults)
    await t.step(`update with ${label}`, 'PUT', `${w.url}/a`, {
      body: { ...(fault.kind ? made : good), ...fault },
    });
  await w.patch('a merge patch with another kind', 'a', { kind: 'Gadget' });
  await w.patch('a merge patch with another version', 'a', { apiVersion: `${w.group}/v2` });
  const withoutKind = {
    body: { kind: null },
    type: 'application/merge-patch+json',
    keep: /Object 'Kind' is missing/,
  };
  await refusal(t, 'a merge patch that removes the kind', 'PATCH', `${w.url}/a`, withoutKind);
  await w.apply(
    'an apply with another name in the body',
    'a',
    {},
    { body: { ...good, metadata: { name: 'b' } } },
  );
  await w.apply('an apply with another kind', 'a', {}, { body: { ...good, kind: 'Gadget' } });
}

export async function metadataOnUpdate(t) {
  const w = await install(t, 'meta-update', spec);
  dropFinalizers(t, w);
  await w.seed('a', { spec: { text: 'x' } });
  const put = (label, change, pick = given) =>
    w.replace(label, 'a', ({ metadata }) => change(metadata), { pick });
  await put('another name', (m) => {
    m.name = 'b';
  });
  await put('no name', (m) => {
    delete m.name;
  });
  await put('another namespace', (m) => {
    m.namespace = 'other';
  });
  await put('no namespace', (m) => {
    delete m.namespace;
  });
  await put('another uid', (m) => {
    m.uid = 'mine';
  });
  await put('no uid', (m) => {
    delete m.uid;
  });
  await put('no resourceVersion', (m) => {
    delete m.resourceVersion;
  });
  await put('resourceVersion 0', (m) => {
    m.resourceVersion = '0';
  });
  await put('a resourceVersion that has passed', (m) => {
    m.resourceVersion = '1';
  });
  await put('a resourceVersion that is not a number', (m) => {
    m.resourceVersion = 'abc';
  });
  await put(
    'another creationTimestamp',
    (m) => {
      m.creationTimestamp = '2001-01-01T00:00:00Z';
    },
    (b) => b.metadata.creationTimestamp.startsWith('2001'),
  );
  await put('another generation', (m) => {
    m.generation = 9;
  });
  await put('a deletionTimestamp', (m) => {
    m.deletionTimestamp = '2001-01-01T00:00:00Z';
  });
  await put('a generateName', (m) => {
    m.generateName = 'late-';
  });
  await put('a label value that is not valid', (m) => {
    m.labels = { a: '-' };
  });
  await put('a finalizer with a bad name', (m) => {
    m.finalizers = ['a/b/c'];
  });
  await put('a finalizer without a domain', (m) => {
    m.finalizers = ['hold'];
  });
  await put('the same finalizer again does not warn', (m) => {
    m.labels = { a: 'b' };
  });
  await put('no finalizer', (m) => {
    delete m.finalizers;
  });
  await put('an owner without a uid', (m) => {
    m.ownerReferences = [{ ...owner, uid: '' }];
  });
  await t.step('an object that does not exist', 'PUT', `${w.url}/none`, { body: w.body('none') });
  await w.patch('a merge patch with another name', 'a', { metadata: { name: 'b' } });
  await w.patch('a merge patch with a resourceVersion that has passed', 'a', {
    metadata: { resourceVersion: '1' },
  });
  await w.patch('a merge patch with another uid', 'a', { metadata: { uid: 'mine' } });
  await w.patch(
    'a merge patch that removes the resourceVersion',
    'a',
    { metadata: { resourceVersion: null } },
    { pick: given },
  );
  await w.patch('a JSON patch that tests the uid', 'a', [
    { op: 'test', path: '/metadata/uid', value: 'mine' },
  ]);
}
