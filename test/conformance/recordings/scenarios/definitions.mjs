// The life of a CustomResourceDefinition: what the server fills in, updates, status, names, deletion,
// discovery.
import { CRDS, crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';

const at = (name) => `${CRDS}/${name}`;
const read = async (t, name) => (await t.client.request('GET', at(name))).body;
const condition = (def, type) => def.status?.conditions?.find((c) => c.type === type);
const gone = (t, name) =>
  t.until(`${name} to be gone`, async () => (await t.client.request('GET', at(name))).status === 404, 20_000);
const merge = 'application/merge-patch+json';

// Who wrote the status is the server's own affair.
const whole = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
const brief = ({ metadata, spec, status }) => ({
  generation: metadata.generation,
  versions: spec.versions.map((v) => `${v.name}${v.served ? ' served' : ''}${v.storage ? ' storage' : ''}`),
  names: spec.names,
  accepted: status.acceptedNames,
  storedVersions: status.storedVersions,
});

/** Reads a definition, changes it and writes it back. */
async function put(t, label, name, change, { sub = '', pick = brief } = {}) {
  const def = await t.setup('GET', at(name));
  change(def);
  return t.step(label, 'PUT', at(name) + sub, { body: def, pick });
}

/**
 * A refusal whose message quotes what changes from run to run, or whose causes come in no fixed order: how it
 * is classed.
 */
async function refused(t, label, method, url, { body, type } = {}) {
  const res = await t.client.request(method, url, { body, headers: type ? { 'content-type': type } : {} });
  t.note(label, {
    status: res.status,
    reason: res.body.reason,
    fields: [...new Set(res.body.details?.causes?.map((c) => c.field))].sort(),
  });
}

/** Creates a definition that may never be established, and removes it at the end. */
async function create(t, def) {
  t.onEnd(() => t.client.request('DELETE', at(def.metadata.name)));
  await t.setup('POST', CRDS, { body: def });
}

export async function filledIn(t) {
  const group = 'definitions-filled.conf.example.com';
  const name = `widgets.${group}`;
  t.onEnd(() => t.client.request('DELETE', at(name)));
  const minimal = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  };
  await t.step('create a definition with as little as possible', 'POST', CRDS, { body: minimal });
  await t.established(name);
  await t.step('the same once it is established', 'GET', at(name), { pick: whole });
  await t.step('its status subresource', 'GET', `${at(name)}/status`, { pick: whole });
  await t.step('create it again', 'POST', CRDS, { body: minimal });
  await t.step('a definition that does not exist', 'GET', at(`gadgets.${group}`));

  const full = crd(group, 'Gizmo', {
    scope: 'Cluster',
    names: { shortNames: ['gz', 'giz'], categories: ['all', 'things'] },
    versions: [
      { name: 'v1beta1', deprecated: true, deprecationWarning: 'use v1' },
      {
        name: 'v1',
        storage: true,
        schema: object({
          spec: object({ n: { type: 'integer', default: 1 }, a: string }),
          status: object({ n: integer }),
        }),
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        additionalPrinterColumns: [
          { name: 'N', type: 'integer', jsonPath: '.spec.n', priority: 1, description: 'how many' },
        ],
        selectableFields: [{ jsonPath: '.spec.a' }],
      },
    ],
  });
  Object.assign(full.metadata, {
    labels: { a: 'b' },
    annotations: { c: 'd' },
    uid: 'mine',
    generation: 7,
    creationTimestamp: '2001-01-01T00:00:00Z',
    selfLink: '/x',
  });
  await t.crd(full);
  await t.step('a definition with everything', 'GET', at(full.metadata.name), { pick: whole });
  await t.step('what discovery says of definitions themselves', 'GET', '/apis/apiextensions.k8s.io/v1');
}

export async function dryRun(t) {
  const group = 'definitions-dry.conf.example.com';
  const def = crd(group, 'Widget');
  const { name } = def.metadata;
  await t.step('dry-run create', 'POST', `${CRDS}?dryRun=All`, { body: def, pick: whole });
  await t.step('nothing was created', 'GET', at(name));
  await t.step('dry-run create of a bad definition', 'POST', `${CRDS}?dryRun=All`, {
    body: { ...def, spec: { ...def.spec, scope: 'Global' } },
  });
  await t.crd(def);
  const stored = await t.setup('GET', at(name));
  stored.spec.names.shortNames = ['wd'];
  await t.step('dry-run update', 'PUT', `${at(name)}?dryRun=All`, { body: stored, pick: brief });
  await t.step('dry-run patch', 'PATCH', `${at(name)}?dryRun=All`, {
    type: merge,
    body: { metadata: { labels: { a: 'b' } } },
    pick: (b) => b.metadata.labels,
  });
  await t.step('dry-run delete', 'DELETE', `${at(name)}?dryRun=All`, {
    pick: ({ metadata, status }) => ({
      finalizers: metadata.finalizers,
      deleted: Boolean(metadata.deletionTimestamp),
      conditions: status.conditions,
    }),
  });
  await t.step('nothing has changed', 'GET', at(name), { pick: whole });
  const unchanged = await read(t, name);
  t.note(
    'the resourceVersion is still the same',
    unchanged.metadata.resourceVersion === stored.metadata.resourceVersion,
  );
}

export async function updates(t) {
  const group = 'definitions-updates.conf.example.com';
  const schema = object({ spec: object({ a: string }) });
  const def = crd(group, 'Widget', { versions: [{ name: 'v1', schema }] });
  const { name } = def.metadata;
  await t.crd(def);
  await put(t, 'no change', name, () => {});
  await put(
    t,
    'an annotation',
    name,
    (d) => {
      d.metadata.annotations = { a: 'b' };
    },
    { pick: ({ metadata }) => ({ generation: metadata.generation, annotations: metadata.annotations }) },
  );
  await put(t, 'a field of the schema', name, (d) => {
    d.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.b = integer;
  });
  await put(
    t,
    'a status in a plain update is ignored',
    name,
    (d) => {
      d.status.storedVersions = ['v9'];
      d.status.conditions = [];
    },
    { pick: whole },
  );
  await put(t, 'another group', name, (d) => {
    d.spec.group = 'other.conf.example.com';
  });
  await put(t, 'another plural', name, (d) => {
    d.spec.names.plural = 'gadgets';
  });
  await put(t, 'another kind', name, (d) => {
    d.spec.names.kind = 'Gadget';
  });
  await put(t, 'another scope', name, (d) => {
    d.spec.scope = 'Cluster';
  });
  await put(t, 'another name in the body', name, (d) => {
    d.metadata.name = `gadgets.${group}`;
  });
  await put(t, 'another uid', name, (d) => {
    d.metadata.uid = '00000000-0000-0000-0000-000000000000';
  });
  await put(t, 'no resourceVersion', name, (d) => {
    delete d.metadata.resourceVersion;
  });
  await put(t, 'an old resourceVersion', name, (d) => {
    d.metadata.resourceVersion = '1';
  });
  await put(t, 'a schema that is not structural', name, (d) => {
    d.spec.versions[0].schema.openAPIV3Schema.properties.x = {};
  });
  await put(t, 'preserveUnknownFields', name, (d) => {
    d.spec.preserveUnknownFields = true;
  });
  await t.step('update what does not exist', 'PUT', at(`gadgets.${group}`), { body: crd(group, 'Gadget') });

  await put(t, 'a second version', name, (d) => {
    d.spec.versions.push({ ...d.spec.versions[0], name: 'v2', storage: false });
  });
  const both = await t.setup('GET', at(name));
  both.spec.versions[1].storage = true;
  await refused(t, 'the storage flag on both', 'PUT', at(name), { body: both });
  await put(t, 'the storage flag moved to the second', name, (d) => {
    d.spec.versions[0].storage = false;
    d.spec.versions[1].storage = true;
  });
  await put(t, 'the first version removed while objects may be stored in it', name, (d) => {
    d.spec.versions.shift();
  });
  await put(t, 'the first version renamed', name, (d) => {
    d.spec.versions[0].name = 'v1alpha1';
  });
  await put(t, 'the first version no longer served', name, (d) => {
    d.spec.versions[0].served = false;
  });
  await put(t, 'the versions in another order', name, (d) => {
    d.spec.versions.reverse();
  });
  await put(
    t,
    'v1 struck off storedVersions',
    name,
    (d) => {
      d.status.storedVersions = ['v2'];
    },
    { sub: '/status' },
  );
  await put(t, 'the first version removed', name, (d) => {
    d.spec.versions.pop();
  });
  await put(t, 'a version that was never stored, added', name, (d) => {
    d.spec.versions.push({ ...d.spec.versions[0], name: 'v3', storage: false });
  });
  await put(t, 'and removed', name, (d) => {
    d.spec.versions.pop();
  });

  await put(t, 'other names', name, (d) => {
    Object.assign(d.spec.names, {
      singular: 'wdgt',
      listKind: 'Widgets',
      shortNames: ['wd'],
      categories: ['all'],
    });
  });
  await t.until('the names to be accepted', async () =>
    (await read(t, name)).status.acceptedNames.shortNames?.includes('wd'),
  );
  await t.step('the new names are accepted', 'GET', at(name), {
    pick: (b) => ({ ...brief(b), conditions: b.status.conditions }),
  });
  await put(t, 'singular and listKind left out go back to their defaults', name, (d) => {
    delete d.spec.names.singular;
    delete d.spec.names.listKind;
  });
  // A definition that is deleted while its names are being accepted may stay for minutes.
  await t.until(
    'the names to be accepted',
    async () => (await read(t, name)).status.acceptedNames.singular === 'widget',
  );
}

export async function statusUpdates(t) {
  const group = 'definitions-status.conf.example.com';
  const def = crd(group, 'Widget', { versions: [{ name: 'v1' }, { name: 'v2' }] });
  const { name } = def.metadata;
  await t.crd(def);
  const status = { sub: '/status' };
  await put(
    t,
    'a spec in a status update is ignored',
    name,
    (d) => {
      d.spec.names.shortNames = ['wd'];
      d.spec.scope = 'Cluster';
    },
    status,
  );
  await put(
    t,
    'storedVersions with a version that is not in use',
    name,
    (d) => {
      d.status.storedVersions = ['v1', 'v2'];
    },
    status,
  );
  await put(
    t,
    'storedVersions with a version that does not exist',
    name,
    (d) => {
      d.status.storedVersions = ['v1', 'v9'];
    },
    status,
  );
  await put(t, 'no plain update is possible then', name, (d) => {
    d.metadata.labels = { a: 'b' };
  });
  await put(
    t,
    'storedVersions without the storage version',
    name,
    (d) => {
      d.status.storedVersions = ['v2'];
    },
    status,
  );
  await put(t, 'the next plain update puts the storage version back', name, (d) => {
    d.metadata.labels = { a: 'b' };
  });
  await put(
    t,
    'empty storedVersions become the storage version',
    name,
    (d) => {
      d.status.storedVersions = [];
    },
    status,
  );
  await put(
    t,
    'a bad kind among the accepted names',
    name,
    (d) => {
      d.status.acceptedNames.kind = 'A B';
    },
    status,
  );
  await put(
    t,
    'no resourceVersion',
    name,
    (d) => {
      delete d.metadata.resourceVersion;
    },
    status,
  );
  await put(
    t,
    'an old resourceVersion',
    name,
    (d) => {
      d.metadata.resourceVersion = '1';
    },
    status,
  );
  const conditions = (b) => b.status.conditions;
  await put(
    t,
    "a condition of one's own",
    name,
    (d) => {
      d.status.conditions.push({
        type: 'Reviewed',
        status: 'True',
        reason: 'ByHand',
        message: 'looks fine',
        lastTransitionTime: '2020-01-01T00:00:00Z',
      });
    },
    { ...status, pick: conditions },
  );
  await t.step('patch of the status', 'PATCH', `${at(name)}/status`, {
    type: merge,
    body: { status: { observedGeneration: 1 } },
    pick: (b) => ({ ...b.status, generation: b.metadata.generation }),
  });
  await t.step('delete on the status', 'DELETE', `${at(name)}/status`);
  await t.step('post on the status', 'POST', `${at(name)}/status`, { body: def });
}

export async function ratcheting(t) {
  // An approval that stays as it is is not looked at again.
  const approved = crd('definitions-ratcheting.k8s.io', 'Widget');
  const key = 'api-approved.kubernetes.io';
  approved.metadata.annotations = { [key]: 'unapproved, an experiment' };
  await t.crd(approved);
  const annotations = { pick: (b) => b.metadata.annotations ?? null };
  const { name } = approved.metadata;
  await t.until('the approval condition', async () =>
    condition(await read(t, name), 'KubernetesAPIApprovalPolicyConformant'),
  );
  await t.step('the condition of an unapproved API', 'GET', at(name), {
    pick: (b) => condition(b, 'KubernetesAPIApprovalPolicyConformant'),
  });
  await put(
    t,
    'take the approval away',
    name,
    (d) => {
      d.metadata.annotations = {};
    },
    annotations,
  );
  await put(
    t,
    'an approval that says nothing',
    name,
    (d) => {
      d.metadata.annotations[key] = 'maybe';
    },
    annotations,
  );
  await put(
    t,
    'an approval with a URL',
    name,
    (d) => {
      d.metadata.annotations[key] = 'https://example.com/approved';
    },
    annotations,
  );
  await t.until(
    'the approval condition to follow',
    async () => condition(await read(t, name), 'KubernetesAPIApprovalPolicyConformant').status === 'True',
  );
  await t.step('the condition of an approved API', 'GET', at(name), {
    pick: (b) => condition(b, 'KubernetesAPIApprovalPolicyConformant'),
  });

  // Only formats that are new to the definition are warned of.
  const group = 'definitions-ratcheting.conf.example.com';
  const formats = crd(group, 'Format', {
    versions: [{ name: 'v1', schema: object({ a: { type: 'string', format: 'colour' } }) }],
  });
  await t.crd(formats);
  const properties = { pick: (b) => b.spec.versions[0].schema.openAPIV3Schema.properties };
  await put(
    t,
    'an unknown format that was there before',
    formats.metadata.name,
    (d) => {
      d.spec.versions[0].schema.openAPIV3Schema.properties.b = string;
    },
    properties,
  );
  await put(
    t,
    'a new unknown format',
    formats.metadata.name,
    (d) => {
      d.spec.versions[0].schema.openAPIV3Schema.properties.c = { type: 'string', format: 'smell' };
    },
    properties,
  );

  // A CA bundle is only looked at once the definition is established.
  const webhook = (caBundle) => ({
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://example.com/', caBundle } },
  });
  const junk = Buffer.from('not a certificate').toString('base64');
  const strategy = { pick: (b) => b.spec.conversion.strategy };
  const plain = crd(group, 'Plain');
  await t.crd(plain);
  await put(
    t,
    'an established definition is given a bad CA bundle',
    plain.metadata.name,
    (d) => {
      d.spec.conversion = webhook(junk);
    },
    strategy,
  );
  const bad = crd(group, 'Bad', { conversion: webhook(junk) });
  await create(t, bad);
  await t.until(
    'the CA bundle to be refused',
    async () => condition(await read(t, bad.metadata.name), 'Established')?.reason === 'InvalidCABundle',
  );
  await t.step('a definition created with a bad CA bundle', 'GET', at(bad.metadata.name), {
    pick: (b) => b.status,
  });
  await put(
    t,
    'its scope can still be changed',
    bad.metadata.name,
    (d) => {
      d.spec.scope = 'Cluster';
    },
    { pick: (b) => b.spec.scope },
  );
  await put(
    t,
    'it can do without the webhook',
    bad.metadata.name,
    (d) => {
      d.spec.conversion = { strategy: 'None' };
    },
    strategy,
  );
  await t.established(bad.metadata.name);
  await t.step('then it is established', 'GET', at(bad.metadata.name), { pick: (b) => b.status });
  await put(t, 'then its scope cannot be changed', bad.metadata.name, (d) => {
    d.spec.scope = 'Namespaced';
  });
}

export async function nameConflicts(t) {
  const group = 'definitions-conflicts.conf.example.com';
  const first = crd(group, 'Widget', { names: { shortNames: ['wd'] } });
  await t.crd(first);
  const status = (b) => b.status;
  const cases = [
    ['the same kind', { kind: 'Widget' }],
    ['the same singular', { singular: 'widget' }],
    ['one short name of two the same', { shortNames: ['gd', 'wd'] }],
    ['a short name that is the plural of the other', { shortNames: ['widgets'] }],
    ['the same list kind', { listKind: 'WidgetList' }],
    ['a plural that is the short name of the other', { plural: 'wd' }],
    [
      'the same kind, singular and short name at once',
      { kind: 'Widget', singular: 'widget', shortNames: ['wd'] },
    ],
  ];
  for (const [what, names] of cases) {
    const def = crd(group, 'Gadget', { names });
    await create(t, def);
    await t.until(
      'the names to be refused',
      async () => condition(await read(t, def.metadata.name), 'NamesAccepted')?.status === 'False',
    );
    await t.step(what, 'GET', at(def.metadata.name), { pick: status });
    await t.setup('DELETE', at(def.metadata.name));
    await gone(t, def.metadata.name);
  }

  const second = crd(group, 'Gadget', { names: { kind: 'Widget' } });
  const { name } = second.metadata;
  await create(t, second);
  await t.until(
    'the names to be refused',
    async () => condition(await read(t, name), 'NamesAccepted')?.status === 'False',
  );
  await t.step('it is not served', 'GET', resource(group, 'v1', 'gadgets'));
  await put(
    t,
    'kind and scope can be changed as long as it is not established',
    name,
    (d) => {
      d.spec.names.kind = 'Gadget';
      d.spec.scope = 'Cluster';
    },
    { pick: (b) => [b.spec.names.kind, b.spec.scope] },
  );
  await t.established(name);
  await t.step('with another kind it is accepted', 'GET', at(name), { pick: status });

  await put(t, 'an established definition asks for a short name in use', name, (d) => {
    Object.assign(d.spec.names, { shortNames: ['wd'], categories: ['things'] });
  });
  await t.until(
    'the names to be refused',
    async () => condition(await read(t, name), 'NamesAccepted')?.status === 'False',
  );
  await t.step('it stays established under its old names', 'GET', at(name), { pick: status });
  await t.until('discovery to have the category', async () =>
    (await t.client.request('GET', `/apis/${group}/v1`)).body.resources.some((r) => r.categories),
  );
  await t.step('and discovery has the old names', 'GET', `/apis/${group}/v1`, {
    pick: (b) => b.resources.find((r) => r.name === 'gadgets'),
  });
  await t.setup('DELETE', at(first.metadata.name));
  await t.until(
    'the names to be accepted',
    async () => condition(await read(t, name), 'NamesAccepted')?.status === 'True',
  );
  await t.step('once the other is gone the names are accepted', 'GET', at(name), { pick: status });
}

export async function patches(t) {
  const group = 'definitions-patches.conf.example.com';
  const def = crd(group, 'Widget', {
    versions: [{ name: 'v1', schema: object({ spec: object({ a: string }) }) }],
  });
  const { name } = def.metadata;
  await t.crd(def);
  const patch = (label, type, body, { pick = whole } = {}) =>
    t.step(label, 'PATCH', at(name), { type: `application/${type}`, body, pick });
  const schema = (b) => b.spec.versions.map((v) => [v.name, v.schema.openAPIV3Schema]);
  await patch('merge patch', 'merge-patch+json', {
    metadata: { labels: { a: 'b' } },
    spec: { names: { shortNames: ['wd'] } },
  });
  await t.until(
    'the names to be accepted',
    async () => (await read(t, name)).status.acceptedNames.shortNames,
  );
  await patch('merge patch that changes nothing', 'merge-patch+json', { metadata: { labels: { a: 'b' } } });
  await patch(
    'merge patch that takes away',
    'merge-patch+json',
    { metadata: { labels: null }, spec: { names: { shortNames: null } } },
    { pick: brief },
  );
  await t.until(
    'the names to be accepted',
    async () => !(await read(t, name)).status.acceptedNames.shortNames,
  );
  await patch(
    'JSON patch',
    'json-patch+json',
    [
      {
        op: 'add',
        path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b',
        value: integer,
      },
    ],
    { pick: schema },
  );
  await patch('JSON patch whose test fails', 'json-patch+json', [
    { op: 'test', path: '/spec/scope', value: 'Cluster' },
  ]);
  await patch('JSON patch to a path that does not exist', 'json-patch+json', [
    { op: 'remove', path: '/spec/nothing' },
  ]);
  await patch(
    'strategic merge patch replaces the list of versions',
    'strategic-merge-patch+json',
    {
      spec: {
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    },
    { pick: schema },
  );
  await patch('a patch that makes it invalid', 'merge-patch+json', { spec: { names: { singular: 'A' } } });
  await patch('a patch of the kind', 'merge-patch+json', { spec: { names: { kind: 'Gadget' } } });
  await patch(
    'a patch of the status through the definition',
    'merge-patch+json',
    { status: { storedVersions: ['v9'] } },
    { pick: brief },
  );
  await patch(
    'a patch with an unknown field',
    'merge-patch+json',
    { spec: { colour: 'red' } },
    { pick: brief },
  );
  await refused(
    t,
    'a patch with an unknown field under fieldValidation=Strict',
    'PATCH',
    `${at(name)}?fieldValidation=Strict`,
    { type: merge, body: { spec: { colour: 'red' } } },
  );
  await patch('a patch with an old resourceVersion', 'merge-patch+json', {
    metadata: { resourceVersion: '1', labels: { a: 'c' } },
  });
  await patch('a patch of another media type', 'json', {});
  await t.step('a patch of what does not exist', 'PATCH', at(`gadgets.${group}`), { type: merge, body: {} });

  const other = crd(group, 'Gadget');
  const { name: applied } = other.metadata;
  t.onEnd(() => t.client.request('DELETE', at(applied)));
  const apply = (label, body, query) =>
    t.step(label, 'PATCH', `${at(applied)}?${query}`, {
      type: 'application/apply-patch+yaml',
      body,
      pick: ({ metadata, spec }) => ({
        generation: metadata.generation,
        labels: metadata.labels,
        spec,
        managers: metadata.managedFields
          .filter((m) => !m.subresource)
          .map((m) => [m.manager, m.operation, m.fieldsV1['f:spec'] ?? null]),
      }),
    });
  await apply('apply creates', other, 'fieldManager=one');
  await t.established(applied);
  const { apiVersion, kind, metadata } = other;
  await apply(
    'apply of the short names by another manager',
    { apiVersion, kind, metadata, spec: { names: { shortNames: ['gd'] } } },
    'fieldManager=two',
  );
  await t.until(
    'the names to be accepted',
    async () => (await read(t, applied)).status.acceptedNames.shortNames,
  );
  await t.step('apply of a listKind that the other manager has', 'PATCH', `${at(applied)}?fieldManager=two`, {
    type: 'application/apply-patch+yaml',
    body: { apiVersion, kind, metadata, spec: { names: { shortNames: ['gd'], listKind: 'Gadgets' } } },
  });
  await apply('apply without a field manager', other, '');
}

export async function tables(t) {
  const group = 'definitions-tables.conf.example.com';
  const def = crd(group, 'Widget');
  const { name } = def.metadata;
  await t.crd(def);
  const as = (kind, v = 'v1') => ({
    accept: `application/json;as=${kind};v=${v};g=meta.k8s.io,application/json`,
  });
  const one = `${CRDS}?fieldSelector=metadata.name=${name}`;
  const light = (o) => o && whole(o);
  const table = (b) => ({ ...b, rows: b.rows?.map((r) => ({ ...r, object: light(r.object) })) });
  await t.step('one definition as a Table', 'GET', at(name), { headers: as('Table'), pick: table });
  await t.step('a list as a Table', 'GET', one, { headers: as('Table'), pick: table });
  await t.step('a Table without objects', 'GET', `${one}&includeObject=None`, {
    headers: as('Table'),
    pick: table,
  });
  await t.step('a Table with whole objects', 'GET', `${one}&includeObject=Object`, {
    headers: as('Table'),
    pick: (b) => b.rows.map((r) => ({ cells: r.cells, kind: r.object.kind, spec: r.object.spec })),
  });
  await t.step('a Table of nothing', 'GET', `${CRDS}?fieldSelector=metadata.name=nothing`, {
    headers: as('Table'),
    pick: (b) => ({ kind: b.kind, rows: b.rows, columns: b.columnDefinitions.map((c) => c.name) }),
  });
  await t.step('one definition as its metadata', 'GET', at(name), {
    headers: as('PartialObjectMetadata'),
    pick: light,
  });
  await t.step('a list of metadata', 'GET', one, {
    headers: as('PartialObjectMetadataList'),
    pick: (b) => ({ ...b, items: b.items.map(light) }),
  });
  await t.step('an unknown way of showing', 'GET', at(name), {
    headers: { accept: 'application/json;as=Chart;v=v1;g=meta.k8s.io' },
  });
  await t.step('an unknown media type', 'GET', at(name), { headers: { accept: 'text/html' } });
}

export async function listAndWatch(t) {
  const group = 'definitions-list.conf.example.com';
  for (const kind of ['Alpha', 'Beta', 'Gamma']) {
    const def = crd(group, kind);
    def.metadata.labels = { 'conf.example.com/list': 'yes', kind: kind.toLowerCase() };
    await t.crd(def);
  }
  const all = `${CRDS}?labelSelector=conf.example.com/list=yes`;
  const list = (b) => ({ ...b, items: b.items.map((i) => i.metadata.name) });
  await t.step('list by label', 'GET', all, { pick: list });
  await t.step(
    'list by a set of labels',
    'GET',
    `${CRDS}?labelSelector=${encodeURIComponent('conf.example.com/list,kind notin (beta)')}`,
    { pick: list },
  );
  await t.step('list by name', 'GET', `${CRDS}?fieldSelector=metadata.name=betas.${group}`, { pick: list });
  await t.step('list by a field that cannot be selected', 'GET', `${CRDS}?fieldSelector=spec.group=${group}`);
  await t.step(
    'list by a label selector that does not parse',
    'GET',
    `${CRDS}?labelSelector=${encodeURIComponent('a in b')}`,
  );
  const page = await t.step('the first page of two', 'GET', `${all}&limit=2`, { pick: list });
  await t.step(
    'the second page',
    'GET',
    `${all}&limit=2&continue=${encodeURIComponent(page.metadata.continue)}`,
    { pick: list },
  );
  await t.step('list from the cache', 'GET', `${all}&resourceVersion=0`, {
    pick: (b) => list(b).items.sort(),
  });
  await t.step(
    'list in a namespace',
    'GET',
    '/apis/apiextensions.k8s.io/v1/namespaces/default/customresourcedefinitions',
  );

  const name = `betas.${group}`;
  const {
    metadata: { resourceVersion },
  } = await t.setup('GET', all);
  const label = (value) =>
    t.setup('PATCH', at(name), {
      type: merge,
      body: { metadata: { labels: { 'conf.example.com/list': value } } },
    });
  const event = ({ type, object: o }) => ({
    type,
    kind: o.kind,
    name: o.metadata.name,
    labels: o.metadata.labels,
    annotations: o.metadata.annotations,
  });
  await t.watch(
    'a watch by label',
    `${all}&watch=1&resourceVersion=${resourceVersion}`,
    { count: 4, pick: event },
    async () => {
      await t.setup('PATCH', at(name), { type: merge, body: { metadata: { annotations: { a: 'b' } } } });
      await label(null);
      await t.setup('PATCH', at(name), { type: merge, body: { metadata: { annotations: { a: 'c' } } } });
      await label('yes');
      await t.setup('PATCH', at(name), { type: merge, body: { metadata: { annotations: null } } });
    },
  );
  const before = await t.setup('GET', at(name));
  // How many times the status is written on the way is not promised, so only both ends are compared.
  const w = await t.client.watch(
    `${CRDS}?watch=1&fieldSelector=metadata.name=${name}&resourceVersion=${before.metadata.resourceVersion}&timeoutSeconds=3`,
    { count: 99 },
  );
  await t.setup('DELETE', at(name));
  const events = await w.finish();
  t.note('a watch through deletion', {
    first: { type: events[0].type, finalizers: events[0].object.metadata.finalizers },
    last: event(events.at(-1)),
  });
}

export async function deletion(t) {
  const group = 'definitions-deletion.conf.example.com';
  const ns = await t.namespace('conf-definitions-deletion');
  const def = crd(group, 'Widget');
  const { name } = def.metadata;
  const url = resource(group, 'v1', 'widgets', ns);
  const state = ({ metadata, status }) => ({
    deleted: Boolean(metadata.deletionTimestamp),
    finalizers: metadata.finalizers,
    grace: metadata.deletionGracePeriodSeconds,
    generation: metadata.generation,
    conditions: status.conditions,
  });
  await t.crd(def);
  t.onEnd(() =>
    t.client.request('PATCH', `${url}/held`, {
      headers: { 'content-type': merge },
      body: { metadata: { finalizers: null } },
    }),
  );
  await t.setup('POST', url, { body: custom(group, 'v1', 'Widget', 'free') });
  const held = custom(group, 'v1', 'Widget', 'held');
  held.metadata.finalizers = ['conf.example.com/hold'];
  await t.setup('POST', url, { body: held });
  await t.step('delete with the uid of another', 'DELETE', at(name), {
    body: { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } },
  });
  await refused(t, 'delete with an old resourceVersion', 'DELETE', at(name), {
    body: { preconditions: { resourceVersion: '1' } },
  });
  await t.step('delete what does not exist', 'DELETE', at(`gadgets.${group}`));
  await t.step('delete a definition that has instances', 'DELETE', at(name), { pick: whole });

  // The held instance keeps the definition in this state until its finalizer is taken away.
  await t.until(
    'instances to be deleted',
    async () => condition(await read(t, name), 'Terminating')?.reason === 'InstanceDeletionInProgress',
  );
  await t.until(
    'creation to be refused',
    async () =>
      (await t.client.request('POST', `${url}?dryRun=All`, { body: custom(group, 'v1', 'Widget', 'late') }))
        .status >= 400,
  );
  await t.until(
    'the free instance to be gone',
    async () => (await t.client.request('GET', `${url}/free`)).status === 404,
  );
  await t.step('the definition while its instances are deleted', 'GET', at(name), { pick: state });
  await t.step('a second delete', 'DELETE', at(name), { pick: state });
  await t.step('create an instance meanwhile', 'POST', url, { body: custom(group, 'v1', 'Widget', 'late') });
  await t.step('the held instance', 'GET', `${url}/held`, {
    pick: ({ metadata }) => ({
      deleted: Boolean(metadata.deletionTimestamp),
      finalizers: metadata.finalizers,
    }),
  });
  await t.step('patch the held instance', 'PATCH', `${url}/held`, {
    type: merge,
    body: { metadata: { labels: { a: 'b' } } },
    pick: (b) => b.metadata.labels,
  });
  await t.step('list instances', 'GET', url, { pick: (b) => b.items.map((i) => i.metadata.name) });
  await t.until(
    'discovery to follow',
    async () => (await t.client.request('GET', `/apis/${group}/v1`)).body.resources?.[0].verbs.length === 5,
  );
  await t.step('discovery meanwhile', 'GET', `/apis/${group}/v1`);
  await t.step('create the definition again meanwhile', 'POST', CRDS, { body: def });
  await put(
    t,
    'label the definition meanwhile',
    name,
    (d) => {
      d.metadata.labels = { a: 'b' };
    },
    { pick: (b) => b.metadata.labels },
  );

  await t.step('let the held instance go', 'PATCH', `${url}/held`, {
    type: merge,
    body: { metadata: { finalizers: null } },
    pick: (b) => b.metadata.finalizers ?? null,
  });
  await gone(t, name);
  await t.step('the definition is gone', 'GET', at(name));
  await t.until(
    'the instances not to be served',
    async () => (await t.client.request('GET', url)).status === 404,
  );
  await t.step('its instances are not served', 'GET', url);
  await t.crd(def);
  await t.step('the same definition again has no instances', 'GET', url);
}

export async function heldDefinition(t) {
  // A finalizer of one's own shows the definition as it is after its instances are gone.
  const group = 'definitions-held.conf.example.com';
  const ns = await t.namespace('conf-definitions-held');
  const def = crd(group, 'Widget');
  const { name } = def.metadata;
  def.metadata.finalizers = ['conf.example.com/hold'];
  const release = () =>
    t.client.request('PATCH', at(name), {
      headers: { 'content-type': merge },
      body: { metadata: { finalizers: null } },
    });
  await t.crd(def);
  t.onEnd(release);
  t.onEnd(() => t.client.request('DELETE', at(name)));
  await t.setup('POST', resource(group, 'v1', 'widgets', ns), { body: custom(group, 'v1', 'Widget', 'a') });
  const state = ({ metadata, status }) => ({
    deleted: Boolean(metadata.deletionTimestamp),
    finalizers: metadata.finalizers,
    conditions: status.conditions,
  });
  await t.step('delete a definition with a finalizer', 'DELETE', at(name), { pick: state });
  await t.until(
    'the instances to be gone',
    async () => condition(await read(t, name), 'Terminating')?.status === 'False',
  );
  await t.step('its instances are gone, and it is held', 'GET', at(name), { pick: state });
  await t.step('there are no instances', 'GET', resource(group, 'v1', 'widgets', ns), {
    pick: (b) => b.items,
  });
  await refused(t, 'a finalizer added to what is being deleted', 'PATCH', at(name), {
    type: merge,
    body: { metadata: { finalizers: ['conf.example.com/hold', 'conf.example.com/more'] } },
  });
  await t.setup('PATCH', at(name), { type: merge, body: { metadata: { finalizers: null } } });
  await gone(t, name);
  await t.step('it is gone', 'GET', at(name));
}

export async function discovery(t) {
  const group = 'definitions-discovery.conf.example.com';
  const def = crd(group, 'Widget', { names: { shortNames: ['wd'], categories: ['all'] } });
  const { name } = def.metadata;
  const status = async (path) => (await t.client.request('GET', path)).status;
  const versions = async () =>
    (await t.client.request('GET', `/apis/${group}`)).body.versions?.map((v) => v.version).join() ?? '';
  const aggregated = {
    headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
    pick: (b) => b.items.filter((i) => i.metadata.name === group),
  };
  const show = async (when) => {
    await t.step(`the group, ${when}`, 'GET', `/apis/${group}`);
    await t.step(`the group among all groups, ${when}`, 'GET', '/apis', {
      pick: (b) => b.groups.filter((g) => g.name === group),
    });
    await t.step(`the group in aggregated discovery, ${when}`, 'GET', '/apis', aggregated);
  };
  const inAggregated = (check) =>
    t.until('aggregated discovery to follow', async () =>
      check(aggregated.pick((await t.client.request('GET', '/apis', aggregated)).body)[0]),
    );

  await show('before it exists');
  await t.crd(def);
  await t.until(
    'the version to be found',
    async () => (await versions()) === 'v1' && (await status(`/apis/${group}/v1`)) === 200,
  );
  await inAggregated((g) => g?.versions.length === 1);
  await show('once it exists');
  await t.step('its version', 'GET', `/apis/${group}/v1`);

  const stored = await t.setup('GET', at(name));
  const version = (v) => ({ ...stored.spec.versions[0], name: v, storage: false });
  stored.spec.versions.push(...['v2beta1', 'v10', 'edge', 'v2', 'v2alpha3', 'v2beta2'].map(version));
  stored.spec.versions[1].subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' },
  };
  await t.setup('PUT', at(name), { body: stored });
  await t.until('the versions to be found', async () => (await versions()).split(',').length === 7);
  await t.until(
    'the subresources to be found',
    async () => (await t.client.request('GET', `/apis/${group}/v2beta1`)).body.resources?.length === 3,
  );
  t.note('versions are in order of stability, then of age', await versions());
  await t.step('a version with subresources', 'GET', `/apis/${group}/v2beta1`);
  await t.step('the preferred version', 'GET', `/apis/${group}`, { pick: (b) => b.preferredVersion });

  const more = await t.setup('GET', at(name));
  more.spec.versions = more.spec.versions.filter((v) => ['v1', 'v10'].includes(v.name));
  more.spec.versions[1].served = false;
  await t.setup('PUT', at(name), { body: more });
  await t.until(
    'only v1 to be found',
    async () =>
      (await versions()) === 'v1' &&
      (await status(`/apis/${group}/v10`)) === 404 &&
      (await status(`/apis/${group}/v2`)) === 404,
  );
  await inAggregated((g) => g.versions.length === 1);
  await show('with a version that is not served');
  await t.step('the version that is not served', 'GET', `/apis/${group}/v10`);
  await t.step('its resources', 'GET', resource(group, 'v10', 'widgets'));

  const second = crd(group, 'Gadget', { scope: 'Cluster' });
  await t.crd(second);
  await t.until(
    'both resources to be found',
    async () => (await t.client.request('GET', `/apis/${group}/v1`)).body.resources?.length === 2,
  );
  await t.step('two definitions of one group', 'GET', `/apis/${group}/v1`, {
    pick: (b) => b.resources.sort((x, y) => (x.name < y.name ? -1 : 1)),
  });
  await t.setup('DELETE', at(second.metadata.name));
  await t.until(
    'one resource to be left',
    async () => (await t.client.request('GET', `/apis/${group}/v1`)).body.resources?.length === 1,
  );

  await t.setup('DELETE', at(name));
  await gone(t, name);
  await t.until(
    'the group to be gone',
    async () => (await status(`/apis/${group}`)) === 404 && (await status(`/apis/${group}/v1`)) === 404,
  );
  await t.until(
    'the group to be gone from the list',
    async () => !(await t.client.request('GET', '/apis')).body.groups.some((g) => g.name === group),
  );
  await inAggregated((g) => !g);
  await show('after deletion');
  await t.step('the version after deletion', 'GET', `/apis/${group}/v1`);
}
