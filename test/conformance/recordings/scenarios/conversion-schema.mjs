// Schemas where versions are converted by a webhook: each request is validated, defaulted and pruned by the
// version it asks for,
// what is stored by the storage version, and nothing that a webhook answers is validated.
import { integer, object as objectOf, open, string } from '../lib/fixtures.mjs';
import { conversionAnswer } from '../lib/webhook.mjs';
import { APPLY, install, lean, MERGE, V1, V2 } from './conversion/crontab.mjs';

const content = ({ apiVersion, metadata, kind, ...rest }) => ({
  version: apiVersion.split('/')[1],
  generation: metadata.generation,
  ...rest,
});
const withSpec = (version, properties, rest = {}) => ({
  ...version,
  schema: objectOf({
    ...version.schema.properties,
    spec: objectOf({ ...version.schema.properties.spec.properties, ...properties }, rest),
  }),
});

export async function validation(t) {
  const { url, object, seed } = await install(t, 'validation', {
    versions: [
      withSpec(V1, { cronSpec: { type: 'string', maxLength: 12 } }),
      withSpec(
        V2,
        { hour: { type: 'string', pattern: '^[0-9*]$' } },
        {
          required: ['min'],
          'x-kubernetes-validations': [
            { rule: '!has(self.workers) || self.workers <= 10', message: 'too many workers' },
            {
              rule: '!has(oldSelf.workers) || has(self.workers) && self.workers >= oldSelf.workers',
              message: 'only ever more workers',
            },
          ],
        },
      ),
    ],
  });
  const create = (label, v, name, spec) =>
    t.step(label, 'POST', url(v), { body: object(v, name, { spec }), pick: content });
  const read = (label, v, name) => t.step(label, 'GET', url(v, name), { pick: content });
  const patch = (label, v, name, body) =>
    t.step(label, 'PATCH', url(v, name), { body, type: MERGE, pick: content });

  await create('invalid in v1', 'v1', 'bad', { cronSpec: '*/15 */3 * * */5' });
  await create('invalid in v2', 'v2', 'bad', { min: '*', hour: '12' });
  await create('a required field of v2 is missing', 'v2', 'bad', { hour: '1' });
  await create('a rule of v2 is broken', 'v2', 'bad', { min: '*', workers: 11 });
  await create('a rule of v2 is no rule of v1', 'v1', 'many', { cronSpec: '* * * * *', replicas: 11 });
  await read('what is invalid in v2 can be read in v2', 'v2', 'many');
  await create('a value that v2 does not allow, in v1', 'v1', 'noon', { cronSpec: '0 12 * * *' });
  await read('that value can be read in v2', 'v2', 'noon');
  await patch('and stay as it is while another field changes in v2', 'v2', 'noon', { spec: { image: 'j' } });
  await patch('but not become another value that v2 does not allow', 'v2', 'noon', { spec: { hour: '13' } });
  await create('a value in v2 that is too long in v1', 'v2', 'long', { min: '0,15,30,45', hour: '1' });
  await read('it can be read in v1', 'v1', 'long');
  await patch('and stay as it is while another field changes in v1', 'v1', 'long', { spec: { image: 'j' } });
  await patch('but not become another value that v1 does not allow', 'v1', 'long', {
    spec: { cronSpec: '0,15,30,45 2 * * *' },
  });

  await seed('v1', 'shrink', { spec: { cronSpec: '* * * * *', replicas: 3 } });
  await patch('a transition rule of v2 sees the old object in v2', 'v2', 'shrink', { spec: { workers: 2 } });
  await patch('scale in v2 goes by the same rule', 'v2', 'shrink/scale', { spec: { replicas: 2 } });
  await patch('v1 has no such rule', 'v1', 'shrink', { spec: { replicas: 2 } });
  await patch('and in v2 it is now a growth', 'v2', 'shrink', { spec: { workers: 3 } });
  await seed('v1', 'empty', { spec: { replicas: 1 } });
  await read('v2 does not get a field that it requires', 'v2', 'empty');
  await patch('a change in v2 to an object without the required field', 'v2', 'empty', {
    spec: { image: 'j' },
  });
  await patch('a change of status in v2 to an object without the required field', 'v2', 'empty/status', {
    status: { phase: 'On' },
  });
  await t.step(
    'an unknown field of v2 is refused when asked for',
    'POST',
    `${url('v2')}?fieldValidation=Strict`,
    { body: object('v2', 'bad', { spec: { min: '*', cronSpec: '* * * * *' } }) },
  );
}

export async function defaults(t) {
  const text = (value) => ({ type: 'string', default: value });
  const { url, object, seed } = await install(t, 'defaults', {
    // `tier` exists in both versions with other defaults, `one` only in v1 and `two` only in v2.
    versions: [
      withSpec(V1, { tier: text('tier-of-v1'), one: text('only-in-v1') }),
      withSpec(V2, { tier: text('tier-of-v2'), two: text('only-in-v2') }),
    ],
  });
  const read = async (what, name) => {
    for (const v of ['v1', 'v2'])
      await t.step(`${what}, read in ${v}`, 'GET', url(v, name), { pick: content });
  };
  const patch = (label, v, name, body) =>
    t.step(label, 'PATCH', url(v, name), { body, type: MERGE, pick: content });

  await t.step('create in v1', 'POST', url('v1'), { body: object('v1', 'one', { spec: {} }), pick: content });
  await read('created in v1', 'one');
  await t.step('create in v2', 'POST', url('v2'), { body: object('v2', 'two', { spec: {} }), pick: content });
  await read('created in v2', 'two');
  await t.step('create in v2, dry run', 'POST', `${url('v2')}?dryRun=All`, {
    body: object('v2', 'three', { spec: {} }),
    pick: content,
  });
  await patch('a merge patch in v2 that changes nothing else', 'v2', 'one', { spec: { tier: 'tier-of-v1' } });
  await patch('a merge patch in v2 that removes a field with a default', 'v2', 'one', {
    spec: { tier: null },
  });
  await read('removed in v2', 'one');
  await seed('v1', 'bare', {});
  await read('no spec at all', 'bare');
  await t.step('list in v2', 'GET', url('v2'), { pick: (b) => b.items.map(content) });
}

export async function pruning(t) {
  const faults = {
    unknown: (o) => {
      o.spec.unknown = 'from the webhook';
    },
    deep: (o) => {
      o.spec.free = { any: { thing: [1, 'a', null] } };
    },
    null: (o) => {
      o.spec.image = null;
    },
    root: (o) => {
      o.stray = 1;
    },
    type: (o) => {
      o.spec.image = 7;
    },
  };
  const { url, object, seed } = await install(t, 'pruning', {
    versions: [withSpec(V1, { free: open }), withSpec(V2, { free: open })],
    // The first word of an object's name says what the webhook does to it.
    answer: conversionAnswer((o, apiVersion) => {
      faults[o.metadata.name.split('-')[0]]?.(o);
      return { ...o, apiVersion };
    }),
  });
  for (const [fault, what] of [
    ['unknown', 'an unknown field from the webhook is dropped'],
    ['deep', 'a field that keeps unknown fields is passed on whole'],
    ['null', 'a null from the webhook is dropped'],
    ['root', 'an unknown field beside spec is dropped'],
    ['type', 'a value of another type than the schema says is passed on'],
  ]) {
    await seed('v1', `${fault}-v1`, { spec: { image: 'i' } });
    await t.step(`${what}, on the way out`, 'GET', url('v2', `${fault}-v1`), { pick: content });
    await t.step(`${what}, on the way in and out`, 'POST', url('v2'), {
      body: object('v2', `${fault}-v2`, { spec: { image: 'i' } }),
      pick: content,
    });
    await t.step(`${what}, on the way in`, 'GET', url('v1', `${fault}-v2`), { pick: content });
  }
  await t.step('fields that the storage version lacks are lost', 'POST', url('v2'), {
    body: object('v2', 'lost', { spec: { hour: '1', image: 'i' } }),
    pick: content,
  });
}

export async function preserveUnknown(t) {
  const { url, object } = await install(t, 'preserve', {
    versions: [
      { name: 'v1', schema: open },
      { name: 'v2', schema: open },
    ],
  });
  const more = { a: [1, null, { b: true }] };
  await t.step('create in v2 with fields that no version names', 'POST', url('v2'), {
    body: object('v2', 'two', { spec: { hour: '1', more }, extra: 'x' }),
    pick: content,
  });
  for (const v of ['v1', 'v2']) await t.step(`read in ${v}`, 'GET', url(v, 'two'), { pick: content });
  await t.step('merge patch in v2', 'PATCH', url('v2', 'two'), {
    body: { spec: { more: { c: 1.5, big: 9007199254740991 } }, extra: null },
    type: MERGE,
    pick: content,
  });
  await t.step('read that in v1', 'GET', url('v1', 'two'), { pick: content });
  await t.step('create in v2 with a field of v1', 'POST', url('v2'), {
    body: object('v2', 'mixed', { spec: { cronSpec: 'x' } }),
    pick: content,
  });
  await t.step('create in v2 with an array for a spec', 'POST', url('v2'), {
    body: object('v2', 'array', { spec: [1] }),
    pick: content,
  });
  await t.step('read that in v1 too', 'GET', url('v1', 'array'), { pick: content });
}

export async function owners(t) {
  const { url, object } = await install(t, 'owners');
  const leaves = (fields, at = '') =>
    Object.entries(fields)
      .flatMap(([k, v]) => (Object.keys(v).length ? leaves(v, `${at}${k} `) : [`${at}${k}`]))
      .sort();
  const who = (e) =>
    [e.manager, e.operation, e.apiVersion.split('/')[1], e.subresource].filter(Boolean).join(' ');
  // The order of the entries depends on whether two writes fell into the same second.
  const owned = ({ metadata, spec, status, apiVersion, kind }) => ({
    version: kind === 'CronTab' ? apiVersion.split('/')[1] : kind,
    generation: metadata.generation,
    spec,
    status,
    owners: Object.fromEntries((metadata.managedFields ?? []).map((e) => [who(e), leaves(e.fieldsV1)])),
  });
  const patch = (label, v, manager, body, sub = '') =>
    t.step(label, 'PATCH', `${url(v, 'one')}${sub}?fieldManager=${manager}`, {
      body,
      type: MERGE,
      pick: owned,
    });
  const apply = (label, v, manager, spec, { name = 'one', query = '' } = {}) =>
    t.step(label, 'PATCH', `${url(v, name)}?fieldManager=${manager}${query}`, {
      body: object(v, name, { spec }),
      type: APPLY,
      pick: owned,
    });

  await t.step('create in v1', 'POST', `${url('v1')}?fieldManager=a`, {
    body: object('v1', 'one', { spec: { cronSpec: '* * * * *', image: 'i', replicas: 1 } }),
    pick: owned,
  });
  await t.step('owners read in v2', 'GET', url('v2', 'one'), { pick: owned });
  await patch('a merge patch in v2 by another manager takes the field of v1 that it changes', 'v2', 'b', {
    spec: { hour: '1' },
  });
  await patch('a merge patch in v2 by the manager that wrote in v1', 'v2', 'a', { spec: { image: 'j' } });
  await patch('status in v2', 'v2', 's', { status: { workers: 1, phase: 'On' } }, '/status');
  await t.step('status in v1', 'PATCH', `${url('v1', 'one')}/status?fieldManager=r`, {
    body: { status: { replicas: 2 } },
    type: MERGE,
    pick: owned,
  });
  await patch('scale in v2', 'v2', 'c', { spec: { replicas: 5 } }, '/scale');
  await t.step('owners after all that, read in v1', 'GET', url('v1', 'one'), { pick: owned });
  await apply('apply in v2 what has that value', 'v2', 'd', { image: 'j' });
  await apply('apply in v1 what has that value', 'v1', 'e', { image: 'j' });
  await apply(
    'apply in v2 again with another value: both versions of the field are owned by others',
    'v2',
    'd',
    { image: 'k' },
    { query: '&force=true' },
  );
  await apply(
    'apply in v1 by the same manager',
    'v1',
    'd',
    { image: 'k', cronSpec: '5 4 3 2 1' },
    { query: '&force=true' },
  );
  await apply(
    'apply in v2 by the same manager without one of its fields',
    'v2',
    'd',
    { image: 'k' },
    { query: '&force=true' },
  );
  await t.step('owners at the end, read in v1', 'GET', url('v1', 'one'), { pick: owned });

  await t.setup('PATCH', `${url('v1', 'two')}?fieldManager=x`, {
    body: object('v1', 'two', { spec: { cronSpec: '* * * * *', image: 'i' } }),
    type: APPLY,
  });
  await apply('apply in v2 of a field that an applier owns in v1', 'v2', 'y', { hour: '1' }, { name: 'two' });
  await apply('apply in v2 of a field that both have', 'v2', 'y', { image: 'j' }, { name: 'two' });
  await apply('apply in v2 of fields as they are', 'v2', 'y', { hour: '*', image: 'i' }, { name: 'two' });
}

export async function dryRun(t) {
  const { url, object, seed } = await install(t, 'dryrun', {
    versions: [V1, withSpec(V2, { only: string, count: integer })],
  });
  await seed('v1', 'one', { spec: { cronSpec: '* * * * *' } });
  const dry = (v, name) => `${url(v, name)}?dryRun=All`;
  await t.step('create in v2: the answer has gone through storage and back', 'POST', dry('v2'), {
    body: object('v2', 'two', { spec: { hour: '1', only: 'in v2' } }),
    pick: content,
  });
  await t.step('create in v2 for good: the same answer', 'POST', url('v2'), {
    body: object('v2', 'three', { spec: { hour: '1', only: 'in v2' } }),
    pick: content,
  });
  await t.step('merge patch in v2', 'PATCH', dry('v2', 'one'), {
    body: { spec: { hour: '1', only: 'in v2' } },
    type: MERGE,
    pick: content,
  });
  await t.step('apply in v2', 'PATCH', `${dry('v2', 'four')}&fieldManager=m`, {
    body: object('v2', 'four', { spec: { hour: '1', only: 'in v2' } }),
    type: APPLY,
    pick: content,
  });
  await t.step('invalid in v2', 'POST', dry('v2'), { body: object('v2', 'two', { spec: { count: 'x' } }) });
  await t.step('status in v2', 'PATCH', dry('v2', 'one').replace('?', '/status?'), {
    body: { status: { workers: 1 } },
    type: MERGE,
    pick: content,
  });
  await t.step('delete in v2', 'DELETE', dry('v2', 'one'), { pick: lean });
  await t.step('all is as it was', 'GET', url('v2'), {
    pick: (b) => b.items.map((o) => ({ name: o.metadata.name, ...content(o) })),
  });
}
