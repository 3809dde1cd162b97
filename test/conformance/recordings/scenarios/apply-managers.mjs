// managedFields as all verbs leave them, as clients may send them, and for metadata.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';
import { APPLY, applied, apply, JSON_PATCH, MERGE, owned, owners } from './helpers/apply.mjs';

const widget = object({
  spec: object({ image: string, replicas: integer, note: string, tags: { type: 'array', items: string } }),
});

async function scene(t, name) {
  const group = `apply-${name}.conf.example.com`;
  const ns = await t.namespace(`conf-apply-${name}`);
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema: widget }] }));
  const all = resource(group, 'v1', 'widgets', ns);
  const make = (name, spec, metadata = {}) => ({
    ...custom(group, 'v1', 'Widget', name, { spec }),
    metadata: { name, ...metadata },
  });
  return { group, all, make, at: (name) => `${all}/${name}` };
}

export async function managersByVerb(t) {
  const { all, at, make } = await scene(t, 'verbs');
  await t.step('a create', 'POST', `${all}?fieldManager=creator`, {
    body: make('a', { image: 'i', tags: ['x'] }, { labels: { a: '1', b: '2' }, annotations: { n: 'o' } }),
  });
  await t.step('a create with generateName', 'POST', `${all}?fieldManager=creator`, {
    body: { ...make('', {}), metadata: { generateName: 'g-' } },
    pick: owners,
  });
  await t.step('a merge patch', 'PATCH', `${at('a')}?fieldManager=merger`, {
    body: { metadata: { labels: { a: null, c: '3' } }, spec: { replicas: 2 } },
    type: MERGE,
    pick: owned,
  });
  await t.step('a JSON patch', 'PATCH', `${at('a')}?fieldManager=patcher`, {
    body: [
      { op: 'add', path: '/spec/note', value: 'n' },
      { op: 'remove', path: '/metadata/annotations' },
    ],
    type: JSON_PATCH,
    pick: owned,
  });
  const read = await t.setup('GET', at('a'));
  await t.step('an update', 'PUT', `${at('a')}?fieldManager=putter`, {
    body: { ...read, spec: { ...read.spec, image: 'j', note: undefined } },
    pick: owned,
  });
  const again = await t.setup('GET', at('a'));
  const put = await t.step('an update by the creator again', 'PUT', `${at('a')}?fieldManager=creator`, {
    body: { ...again, spec: { image: 'k', tags: ['y'] } },
    pick: owned,
  });
  const { resourceVersion } = put.metadata;
  await t.step(
    'an update without managedFields leaves those of others',
    'PUT',
    `${at('a')}?fieldManager=putter`,
    {
      body: make('a', { image: 'k', tags: ['y'], replicas: 3 }, { resourceVersion, labels: { c: '3' } }),
      pick: owned,
    },
  );
  await t.step('an update of an object that is not there', 'PUT', `${at('none')}?fieldManager=putter`, {
    body: make('none', {}),
  });
  const agents = [
    ['a name and version', 'tool/v1.2 (linux/amd64) kubernetes/abc'],
    ['a name alone', 'tool'],
    ['a name with spaces', 'my tool/1'],
    ['nothing before the slash', '/1.0'],
    ['a long name', `${'u'.repeat(140)}/1`],
  ];
  for (const [label, agent] of agents) {
    await t.step(`User-Agent: ${label}`, 'POST', `${all}?dryRun=All`, {
      headers: { 'user-agent': agent },
      body: make('b', { image: 'i' }),
      pick: (b) => b.metadata.managedFields.map((e) => e.manager),
    });
  }
  await t.step('fieldManager comes before User-Agent', 'POST', `${all}?dryRun=All&fieldManager=named`, {
    headers: { 'user-agent': 'tool/1' },
    body: make('b', { image: 'i' }),
    pick: (b) => b.metadata.managedFields.map((e) => e.manager),
  });
}

/** One writer after another: entries of the same operation are in the order of their times. */
export async function orderOfEntries(t) {
  const { at, make } = await scene(t, 'order');
  const order = (b) => b.metadata.managedFields.map((e) => `${e.operation} ${e.manager}`);
  await t.setup('PATCH', `${at('a')}?fieldManager=zeta`, { body: make('a', { image: 'i' }), type: APPLY });
  await t.sleep(1100);
  await t.step('a later writer comes later whatever its name', 'PATCH', `${at('a')}?fieldManager=alpha`, {
    body: make('a', { note: 'n' }),
    type: APPLY,
    pick: order,
  });
  await t.step('updates come behind', 'PATCH', `${at('a')}?fieldManager=beta`, {
    body: { spec: { replicas: 1 } },
    type: MERGE,
    pick: order,
  });
  await t.sleep(1100);
  await t.step('a change moves a manager back', 'PATCH', `${at('a')}?fieldManager=zeta`, {
    body: make('a', { image: 'j' }),
    type: APPLY,
    pick: order,
  });
  await t.step('no change does not', 'PATCH', `${at('a')}?fieldManager=alpha`, {
    body: make('a', { note: 'n' }),
    type: APPLY,
    pick: order,
  });
}

export async function managedFieldsFromClients(t) {
  const { group, all, at, make } = await scene(t, 'clients');
  const entry = {
    manager: 'x',
    operation: 'Update',
    apiVersion: `${group}/v1`,
    time: '2020-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:note': {} } },
  };
  const put = async (label, managedFields, rest = {}) => {
    const read = await t.setup('GET', at('a'));
    await t.step(label, 'PUT', `${at('a')}?fieldManager=putter&dryRun=All`, {
      body: { ...read, metadata: { ...read.metadata, managedFields }, ...rest },
      pick: owned,
    });
  };
  await t.step('a create with entries', 'POST', `${all}?fieldManager=creator`, {
    body: make('a', { image: 'i', note: 'n' }, { managedFields: [entry] }),
    pick: owned,
  });
  const faults = [
    ['no operation', { ...entry, operation: undefined }],
    ['an unknown operation', { ...entry, operation: 'Sneeze' }],
    ['no fieldsType', { ...entry, fieldsType: undefined }],
    ['an unknown fieldsType', { ...entry, fieldsType: 'FieldsV2' }],
    ['no apiVersion', { ...entry, apiVersion: undefined }],
    ['an apiVersion that is not served', { ...entry, apiVersion: `${group}/v9` }],
    ['no manager', { ...entry, manager: undefined }],
    ['too long a manager', { ...entry, manager: 'm'.repeat(129) }],
    ['a manager that cannot be printed', { ...entry, manager: 'a\nb' }],
    ['no fieldsV1', { ...entry, fieldsV1: undefined }],
    ['fields that do not exist', { ...entry, fieldsV1: { 'f:spec': { 'f:nothing': {} } } }],
    ['a path element of no kind', { ...entry, fieldsV1: { spec: {} } }],
    ['a bad key', { ...entry, fieldsV1: { 'f:spec': { 'k:{': {} } } }],
    ['no time', { ...entry, time: undefined }],
    ['an unknown subresource', { ...entry, subresource: 'nothing' }],
  ];
  for (const [label, e] of faults) await put(`an update with ${label}`, [e]);
  for (const [label, e] of faults.slice(0, 5))
    await t.step(`a create with ${label}`, 'POST', `${all}?dryRun=All`, {
      body: make('b', { image: 'i' }, { managedFields: [e] }),
      pick: owned,
    });
  await put('an update with an entry more', [
    ...(await t.setup('GET', at('a'))).metadata.managedFields,
    entry,
  ]);
  await put('an update with the same entry twice', [entry, entry]);
  await put('an update that clears by an empty entry', [{}]);
  await put('an update that clears by an empty entry and changes a field', [{}], { spec: { image: 'j' } });
  await put('an update with an empty list', []);
  await put('an update with null', null);
  await t.step(
    'a merge patch that sends an empty list',
    'PATCH',
    `${at('a')}?fieldManager=merger&dryRun=All`,
    { body: { metadata: { managedFields: [] } }, type: MERGE, pick: owned },
  );
  await t.step('a merge patch that removes', 'PATCH', `${at('a')}?fieldManager=merger&dryRun=All`, {
    body: { metadata: { managedFields: null } },
    type: MERGE,
    pick: owned,
  });
  await t.step('a JSON patch that removes', 'PATCH', `${at('a')}?fieldManager=patcher&dryRun=All`, {
    body: [{ op: 'remove', path: '/metadata/managedFields' }],
    type: JSON_PATCH,
    pick: owned,
  });
  await t.step('a JSON patch that renames a manager', 'PATCH', `${at('a')}?fieldManager=patcher&dryRun=All`, {
    body: [{ op: 'replace', path: '/metadata/managedFields/0/manager', value: 'renamed' }],
    type: JSON_PATCH,
    pick: owned,
  });
  await t.step('a merge patch that clears', 'PATCH', `${at('a')}?fieldManager=merger`, {
    body: { metadata: { managedFields: [{}] } },
    type: MERGE,
    pick: owned,
  });
  await t.step('a merge patch after it', 'PATCH', `${at('a')}?fieldManager=merger`, {
    body: { spec: { replicas: 1 } },
    type: MERGE,
    pick: owned,
  });
  await t.step('clear once more', 'PATCH', `${at('a')}?fieldManager=merger`, {
    body: { metadata: { managedFields: [{}] } },
    type: MERGE,
    pick: owned,
  });
  await apply(
    t,
    'an apply after it: what was there belongs to before-first-apply',
    at('a'),
    'alpha',
    make('a', { image: 'i' }),
  );
  await apply(t, 'and conflicts with it', at('a'), 'alpha', make('a', { image: 'i', replicas: 5 }));
}

export async function metadata(t) {
  const { at, make } = await scene(t, 'metadata');
  const a = at('a');
  t.onEnd(() =>
    t.client.request('PATCH', a, {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': MERGE },
    }),
  );
  const owner = (name, rest = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name,
    uid: `00000000-0000-4000-8000-00000000000${name.length}`,
    ...rest,
  });
  await apply(
    t,
    'labels, annotations, finalizers and owners',
    a,
    'alpha',
    make('a', undefined, {
      labels: { 'a.b/c': '1', x: '' },
      annotations: { note: 'line\nline' },
      finalizers: ['f.example.com/one'],
      ownerReferences: [owner('o', { controller: true })],
    }),
  );
  await apply(
    t,
    'another manager adds to each',
    a,
    'beta',
    make('a', undefined, {
      labels: { y: '2' },
      annotations: { other: 'n' },
      finalizers: ['f.example.com/two', 'f.example.com/one'],
      ownerReferences: [owner('oo')],
    }),
  );
  await apply(t, 'a label of another conflicts', a, 'beta', make('a', undefined, { labels: { x: 'y' } }));
  await apply(
    t,
    'an owner is one value: another field in it conflicts',
    a,
    'gamma',
    make('a', undefined, { ownerReferences: [owner('o', { controller: true, blockOwnerDeletion: true })] }),
  );
  await apply(
    t,
    'two controllers',
    a,
    'beta',
    make('a', undefined, { ownerReferences: [owner('oo', { controller: true })] }),
  );
  await apply(
    t,
    'an owner twice',
    a,
    'beta',
    make('a', undefined, { ownerReferences: [owner('oo'), owner('oo')] }),
  );
  await apply(
    t,
    'a finalizer twice',
    a,
    'beta',
    make('a', undefined, { finalizers: ['f.example.com/two', 'f.example.com/two'] }),
  );
  await apply(t, 'a finalizer without a domain', a, 'beta', make('a', undefined, { finalizers: ['plain'] }));
  await apply(
    t,
    'an owner without a uid',
    a,
    'beta',
    make('a', undefined, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'n' }] }),
  );
  await apply(t, 'an owner left out by one goes', a, 'beta', make('a', undefined, { labels: { y: '2' } }));
  await apply(t, 'and the rest by the other', a, 'alpha', make('a', undefined));
  await apply(
    t,
    'empty maps and lists',
    a,
    'alpha',
    make('a', undefined, { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] }),
  );
  await t.step('a merge patch of labels and finalizers', 'PATCH', `${a}?fieldManager=merger`, {
    body: { metadata: { labels: { m: '1' }, finalizers: ['f.example.com/one', 'f.example.com/m'] } },
    type: MERGE,
    pick: owned,
  });
  await applied(t, a, 'delta', make('a', undefined, { finalizers: ['f.example.com/delta'] }));
  await t.step('delete waits for the finalizers', 'DELETE', a, {
    pick: ({ metadata: { finalizers, generation, deletionTimestamp } }) => ({
      finalizers,
      generation,
      deletionTimestamp,
    }),
  });
  await apply(
    t,
    'apply to an object that is being deleted',
    a,
    'delta',
    make('a', { note: 'n' }, { finalizers: ['f.example.com/delta'] }),
  );
  await apply(
    t,
    'a finalizer more',
    a,
    'delta',
    make('a', undefined, { finalizers: ['f.example.com/delta', 'f.example.com/more'] }),
  );
  await t.setup('PATCH', `${a}?fieldManager=merger`, {
    body: { metadata: { finalizers: ['f.example.com/delta'] } },
    type: MERGE,
  });
  await apply(t, 'the last finalizer left out deletes the object', a, 'delta', make('a', undefined), {
    pick: (b) => b.metadata.deletionTimestamp,
  });
  await t.step('it is gone', 'GET', a);
}
