// Server-side apply of one object: what a request may hold, and what the answer and managedFields are.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';
import { APPLY, applied, apply, conflicts, MERGE, owned } from './helpers/apply.mjs';

const widget = object({ spec: object({ image: string, replicas: integer, note: string }) });

async function scene(t, name, schema = widget) {
  const group = `apply-${name}.conf.example.com`;
  const ns = await t.namespace(`conf-apply-${name}`);
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema }] }));
  const all = resource(group, 'v1', 'widgets', ns);
  const make = (name, spec, metadata = {}) => ({
    ...custom(group, 'v1', 'Widget', name, { spec }),
    metadata: { name, ...metadata },
  });
  return { group, ns, all, make, at: (name) => `${all}/${name}` };
}

export async function createAndUpdate(t) {
  const { group, all, make, at } = await scene(t, 'create');
  await t.step('apply creates an object that is not there', 'PATCH', `${at('a')}?fieldManager=alpha`, {
    body: make('a', { image: 'one', replicas: 1 }),
    type: APPLY,
  });
  await t.step('read it', 'GET', at('a'));
  await apply(
    t,
    'apply again with another value and one field less',
    at('a'),
    'alpha',
    make('a', { image: 'two' }),
  );
  await apply(
    t,
    'apply YAML',
    at('a'),
    'alpha',
    `# a comment\napiVersion: ${group}/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n  image: three\n  replicas: 0x10\n`,
  );
  await apply(
    t,
    'create from YAML without metadata.name',
    at('b'),
    'alpha',
    `apiVersion: ${group}/v1\nkind: Widget\nmetadata: {}\nspec: {image: x}\n`,
  );
  await apply(t, 'create without metadata at all', at('c'), 'alpha', {
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    spec: { image: 'x' },
  });
  await apply(t, 'create with nothing but the type', at('d'), 'alpha', {
    apiVersion: `${group}/v1`,
    kind: 'Widget',
  });
  await apply(t, 'create with an empty spec', at('e'), 'alpha', make('e', {}));
  await apply(t, 'create with force', at('f'), 'alpha', make('f', { image: 'x' }), { query: '&force=true' });
  await apply(t, 'a field applied as null', at('g'), 'alpha', make('g', { image: null, note: 'n' }));
  await apply(
    t,
    'metadata.namespace that agrees',
    at('h'),
    'alpha',
    make('h', { note: 'n' }, { namespace: 'conf-apply-create' }),
  );
  await apply(
    t,
    'system fields in the body',
    at('i'),
    'alpha',
    make('i', { note: 'n' }, { creationTimestamp: '2001-01-01T00:00:00Z', generation: 7, selfLink: '/x' }),
  );
  await t.step('list holds all of them', 'GET', all, { pick: (b) => b.items.map((i) => i.metadata.name) });
}

export async function badBodies(t) {
  const { group, ns, at, make } = await scene(t, 'bodies');
  const good = make('a', { image: 'x' });
  const yaml = (spec) => `apiVersion: ${group}/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n${spec}`;
  const cases = [
    ['an empty body', ''],
    ['an empty object', {}],
    ['null', 'null'],
    ['a list', '[]'],
    ['a scalar', '"text"'],
    ['malformed YAML', 'spec: {image: x'],
    ['malformed JSON', '{"apiVersion": "v1",,}'],
    ['no kind', { ...good, kind: undefined }],
    ['no apiVersion', { ...good, apiVersion: undefined }],
    ['another kind', { ...good, kind: 'Gadget' }],
    ['another version', { ...good, apiVersion: `${group}/v2` }],
    ['another group', { ...good, apiVersion: 'other.example.com/v1' }],
    ['a kind that is not a string', { ...good, kind: 1 }],
    ['another name', { ...good, metadata: { name: 'b' } }],
    ['another namespace', { ...good, metadata: { name: 'a', namespace: `${ns}-other` } }],
    ['metadata that is a string', { ...good, metadata: 'a' }],
    ['spec that is a string', { ...good, spec: 'x' }],
    ['spec that is a list', { ...good, spec: [] }],
    ['an integer where a string belongs', { ...good, spec: { image: 3 } }],
    ['a string where an integer belongs', { ...good, spec: { replicas: '3' } }],
    ['a field the schema does not have', { ...good, spec: { extra: 1 } }],
    ['a field at the root the schema does not have', { ...good, extra: 1 }],
    ['a metadata field that does not exist', { ...good, metadata: { name: 'a', extra: 1 } }],
    ['a label that is not a string', { ...good, metadata: { name: 'a', labels: { a: 1 } } }],
    ['a bad label value', { ...good, metadata: { name: 'a', labels: { a: 'no spaces' } } }],
    [
      'managedFields',
      {
        ...good,
        metadata: {
          name: 'a',
          managedFields: [
            {
              manager: 'x',
              operation: 'Apply',
              apiVersion: `${group}/v1`,
              fieldsType: 'FieldsV1',
              fieldsV1: {},
            },
          ],
        },
      },
    ],
    ['an empty list of managedFields', { ...good, metadata: { name: 'a', managedFields: [] } }],
    ['generateName beside the name', { ...good, metadata: { name: 'a', generateName: 'a-' } }],
    ['a plain YAML y, which is a boolean', yaml('  image: y\n')],
    [
      'two YAML documents, of which the first counts',
      `${yaml('  image: one\n')}---\n${yaml('  image: two\n')}`,
    ],
  ];
  for (const [label, body] of cases)
    await apply(t, `create: ${label}`, at('a'), 'alpha', body, { query: '&dryRun=All' });
  await applied(t, at('a'), 'alpha', good);
  for (const [label, body] of cases.filter(([l]) =>
    /empty object|no kind|an integer|the schema|managedFields|name/.test(l),
  )) {
    await apply(t, `update: ${label}`, at('a'), 'alpha', body, { query: '&dryRun=All' });
  }
  for (const level of ['Ignore', 'Warn', 'Strict']) {
    await apply(t, `fieldValidation ${level}: an unknown field`, at('a'), 'alpha', make('a', { extra: 1 }), {
      query: `&dryRun=All&fieldValidation=${level}`,
    });
    await apply(
      t,
      `fieldValidation ${level}: a YAML key twice`,
      at('a'),
      'alpha',
      yaml('  image: one\n  image: two\n'),
      { query: `&dryRun=All&fieldValidation=${level}` },
    );
    await apply(
      t,
      `fieldValidation ${level}: a JSON key twice`,
      at('a'),
      'alpha',
      JSON.stringify(good).replace('"image":', '"image":"w","image":'),
      { query: `&dryRun=All&fieldValidation=${level}` },
    );
  }
}

export async function parameters(t) {
  const { all, at, make } = await scene(t, 'parameters');
  const body = make('a', { image: 'x' });
  const patch = (label, query, rest = {}) =>
    t.step(label, 'PATCH', `${at('a')}${query}`, { body, type: APPLY, pick: owned, ...rest });
  await patch('no fieldManager', '');
  await patch('an empty fieldManager', '?fieldManager=');
  await patch('a fieldManager of 129 bytes', `?fieldManager=${'m'.repeat(129)}`);
  await patch('a fieldManager that cannot be printed', '?fieldManager=a%07b');
  await patch('an unknown dryRun', '?fieldManager=alpha&dryRun=Some');
  await patch('an unknown fieldValidation', '?fieldManager=alpha&fieldValidation=Maybe');
  await patch('a parameter that does not exist', '?fieldManager=alpha&dryRun=All&nonsense=1');
  await patch('dry run creates', '?fieldManager=alpha&dryRun=All');
  await t.step('nothing was created', 'GET', at('a'));
  await patch('a fieldManager of 128 bytes', `?fieldManager=${'m'.repeat(128)}&dryRun=All`);
  await patch('a fieldManager with spaces and signs', '?fieldManager=one%20%22two%22%20%C3%A9');
  await patch('dry run updates', '?fieldManager=beta&dryRun=All', {
    body: make('a', { image: 'x', note: 'n' }),
  });
  await patch('dry run conflicts', '?fieldManager=beta&dryRun=All', { body: make('a', { image: 'y' }) });
  await patch('dry run forces', '?fieldManager=beta&dryRun=All&force=true', {
    body: make('a', { image: 'y' }),
  });
  await patch('a force that is no boolean counts as true', '?fieldManager=beta&dryRun=All&force=maybe', {
    body: make('a', { image: 'y' }),
  });
  await patch('an empty force counts as true', '?fieldManager=beta&dryRun=All&force=', {
    body: make('a', { image: 'y' }),
  });
  await patch('force=0 counts as false', '?fieldManager=beta&dryRun=All&force=0', {
    body: make('a', { image: 'y' }),
  });
  await t.step('nothing was changed', 'GET', at('a'), { pick: owned });
  await t.step('apply to the collection', 'PATCH', `${all}?fieldManager=alpha`, { body, type: APPLY });
  await patch('a charset in the content type', '?fieldManager=alpha&dryRun=All', {
    type: `${APPLY}; charset=utf-8`,
  });
  for (const type of [
    'application/apply-patch+json',
    'application/apply-patch',
    'application/yaml',
    'application/json',
    'text/plain',
  ]) {
    await t.step(`content type ${type}`, 'PATCH', `${at('a')}?fieldManager=alpha`, { body, type });
  }
  // Parameters of the other patches and verbs that go with apply.
  await t.step('force with a merge patch', 'PATCH', `${at('a')}?force=true`, { body: {}, type: MERGE });
  await t.step('force=false with a merge patch', 'PATCH', `${at('a')}?force=false`, {
    body: {},
    type: MERGE,
  });
  const long = `?fieldManager=${'m'.repeat(129)}`;
  await t.step('a merge patch with too long a fieldManager', 'PATCH', `${at('a')}${long}`, {
    body: {},
    type: MERGE,
  });
  await t.step('a create with too long a fieldManager', 'POST', `${all}${long}`, { body: make('b', {}) });
  await t.step('an update with too long a fieldManager', 'PUT', `${at('a')}${long}`, { body });
  await t.step('a create with a fieldManager that cannot be printed', 'POST', `${all}?fieldManager=%00`, {
    body: make('b', {}),
  });
}

export async function preconditions(t) {
  const { at, make } = await scene(t, 'preconditions');
  const first = await t.setup('PATCH', `${at('a')}?fieldManager=alpha`, {
    body: make('a', { image: 'one' }),
    type: APPLY,
  });
  const { resourceVersion, uid } = first.metadata;
  const other = '11111111-2222-4333-8444-555555555555';
  await apply(
    t,
    'create with a resourceVersion, which is not looked at',
    at('new'),
    'alpha',
    make('new', {}, { resourceVersion: '1' }),
  );
  await apply(
    t,
    'create with resourceVersion 0',
    at('new0'),
    'alpha',
    make('new0', {}, { resourceVersion: '0' }),
  );
  await apply(t, 'create with a uid', at('newuid'), 'alpha', make('newuid', {}, { uid: other }));
  await apply(
    t,
    'the current resourceVersion',
    at('a'),
    'alpha',
    make('a', { image: 'two' }, { resourceVersion }),
  );
  await apply(
    t,
    'a resourceVersion that is no longer current',
    at('a'),
    'alpha',
    make('a', { image: 'three' }, { resourceVersion }),
  );
  await apply(
    t,
    'a stale resourceVersion with force',
    at('a'),
    'alpha',
    make('a', { image: 'three' }, { resourceVersion }),
    { query: '&force=true' },
  );
  await apply(
    t,
    'a stale resourceVersion with nothing to change',
    at('a'),
    'alpha',
    make('a', { image: 'two' }, { resourceVersion }),
  );
  await apply(
    t,
    'resourceVersion 0 over an object',
    at('a'),
    'alpha',
    make('a', { image: 'two' }, { resourceVersion: '0' }),
  );
  await apply(
    t,
    'a resourceVersion that is no number',
    at('a'),
    'alpha',
    make('a', { image: 'two' }, { resourceVersion: 'x' }),
  );
  await apply(t, 'the uid it has', at('a'), 'alpha', make('a', { image: 'four' }, { uid }));
  await apply(t, 'another uid', at('a'), 'alpha', make('a', { image: 'five' }, { uid: other }));
  await apply(
    t,
    'a deletionTimestamp',
    at('a'),
    'alpha',
    make('a', { image: 'four' }, { deletionTimestamp: '2001-01-01T00:00:00Z' }),
  );
  await t.step('the object in the end', 'GET', at('a'), { pick: owned });
}

export async function noChange(t) {
  const { at, make } = await scene(t, 'nochange');
  const when = (o) => o.metadata?.managedFields?.find((e) => e.manager === 'alpha')?.time;
  const body = make('a', { image: 'one', replicas: 1 }, { labels: { a: 'b' } });
  const first = await apply(t, 'create', at('a'), 'alpha', body);
  await t.sleep(1100);
  const second = await apply(t, 'the same again', at('a'), 'alpha', body);
  t.note('its time stays', when(first) === when(second));
  await apply(t, 'the same with force', at('a'), 'alpha', body, { query: '&force=true' });
  const patched = await t.step('a merge patch without effect', 'PATCH', `${at('a')}?fieldManager=merger`, {
    body: { spec: { image: 'one' } },
    type: MERGE,
    pick: owned,
  });
  const put = await t.step('an update without effect', 'PUT', `${at('a')}?fieldManager=putter`, {
    body: second,
    pick: owned,
  });
  t.note('neither touched the time', [when(patched) === when(first), when(put) === when(first)]);
  const shared = await apply(
    t,
    'another manager applies the same values, which is a change of managedFields alone',
    at('a'),
    'beta',
    body,
  );
  t.note('the time of the first manager stays', when(shared) === when(first));
  await apply(t, 'and does so again', at('a'), 'beta', body);
  await apply(t, 'the other manager applies nothing any more', at('a'), 'beta', {
    ...body,
    metadata: { name: 'a' },
    spec: undefined,
  });
  const changed = await apply(
    t,
    'a change',
    at('a'),
    'alpha',
    make('a', { image: 'two', replicas: 1 }, { labels: { a: 'b' } }),
  );
  t.note('moves the time', when(changed) > when(first));
  await apply(t, 'nothing applied any more', at('a'), 'alpha', make('a', undefined));
  await apply(t, 'nothing applied again', at('a'), 'alpha', make('a', undefined));
}

export async function removal(t) {
  const { at, make } = await scene(
    t,
    'removal',
    object({
      spec: object({
        image: string,
        replicas: integer,
        note: string,
        deep: object({ a: string, b: string, deeper: object({ c: string }) }),
      }),
    }),
  );
  const a = at('a');
  await apply(
    t,
    'alpha creates',
    a,
    'alpha',
    make('a', { image: 'one', replicas: 1, note: 'n', deep: { a: '1', b: '2', deeper: { c: '3' } } }),
  );
  await apply(t, 'beta shares two fields', a, 'beta', make('a', { image: 'one', deep: { a: '1' } }));
  await apply(
    t,
    'alpha drops all but replicas: what beta shares stays, the rest goes',
    a,
    'alpha',
    make('a', { replicas: 1 }),
  );
  await apply(t, 'beta drops its own: empty parents go with the last field', a, 'beta', make('a', {}));
  await t.setup('PATCH', `${a}?fieldManager=merger`, {
    body: { spec: { note: 'by patch', deep: { b: 'x' } } },
    type: MERGE,
  });
  await apply(
    t,
    'alpha takes a field that was patched in, with the same value',
    a,
    'alpha',
    make('a', { replicas: 1, note: 'by patch' }),
  );
  await apply(t, 'alpha drops it: the patcher still owns it', a, 'alpha', make('a', { replicas: 1 }));
  await t.step('the patcher removes it', 'PATCH', `${a}?fieldManager=merger`, {
    body: { spec: { note: null } },
    type: MERGE,
    pick: owned,
  });
  await apply(
    t,
    'an empty parent applied is owned itself',
    a,
    'alpha',
    make('a', { replicas: 1, deep: { deeper: {} } }),
  );
  await apply(t, 'a field in it by another', a, 'beta', make('a', { deep: { deeper: { c: 'z' } } }));
  await apply(
    t,
    'the first fills it too, in another field',
    a,
    'alpha',
    make('a', { replicas: 1, deep: { a: 'q' } }),
  );
  await apply(t, 'the second drops its field', a, 'beta', make('a', undefined));
  await apply(t, 'a manager that never applied removes nothing', a, 'gamma', make('a', {}));
  await t.step('an update drops an applied field', 'PUT', `${a}?fieldManager=putter`, {
    body: { ...(await t.setup('GET', a)), spec: { note: 'put' } },
    pick: owned,
  });
  await apply(t, 'apply brings it back', a, 'alpha', make('a', { replicas: 1 }));
}

export async function conflictsAndForce(t) {
  const { at, make } = await scene(t, 'conflicts');
  const a = at('a');
  await applied(t, a, 'alpha', make('a', { image: 'one', replicas: 1, note: 'n' }));
  await apply(t, 'one field of another manager', a, 'beta', make('a', { image: 'two' }));
  await apply(t, 'two fields of one manager', a, 'beta', make('a', { image: 'two', replicas: 2 }));
  await apply(t, 'the same value is no conflict', a, 'beta', make('a', { image: 'one' }));
  await apply(
    t,
    'but a change of what is now shared is one',
    a,
    'alpha',
    make('a', { image: 'three', replicas: 1, note: 'n' }),
  );
  await apply(t, 'leaving the field out gives it up', a, 'alpha', make('a', { replicas: 1, note: 'n' }));
  await apply(t, 'then the other may change it', a, 'beta', make('a', { image: 'four' }));
  await apply(t, 'force takes it away', a, 'alpha', make('a', { image: 'five', replicas: 1, note: 'n' }), {
    query: '&force=true',
  });
  await apply(t, 'the loser gets it back only by force', a, 'beta', make('a', { image: 'four' }));
  await apply(
    t,
    'a forced apply takes only what conflicts',
    a,
    'beta',
    make('a', { image: 'four', replicas: 1 }),
    { query: '&force=true' },
  );
  await t.setup('PATCH', `${a}?fieldManager=merger`, { body: { spec: { note: 'm' } }, type: MERGE });
  await apply(t, 'with an updater: the message names its version', a, 'gamma', make('a', { note: 'g' }));
  await conflicts(t, 'with three managers', a, 'gamma', make('a', { image: 'g', replicas: 9, note: 'g' }));
  await t.step('an update never conflicts and takes over', 'PATCH', `${a}?fieldManager=merger`, {
    body: { spec: { image: 'merged' } },
    type: MERGE,
    pick: owned,
  });
  await apply(t, 'force against all', a, 'gamma', make('a', { image: 'g', replicas: 9, note: 'g' }), {
    query: '&force=true',
  });
  await t.setup('PUT', `${a}?fieldManager=gamma`, {
    body: { ...(await t.setup('GET', a)), spec: { image: 'p', replicas: 9, note: 'g' } },
  });
  await t.step('an update by the name of an applier is another manager', 'GET', a, { pick: owned });
  await apply(
    t,
    'so that the applier conflicts with itself',
    a,
    'gamma',
    make('a', { image: 'g', replicas: 9, note: 'g' }),
  );
}
