// What is stored, and what becomes of it when the storage version, the strategy or the webhook changes.
import { object as objectOf, open, string } from '../lib/fixtures.mjs';
import { conversionAnswer } from '../lib/webhook.mjs';
import { byNone, byWebhook, convertCronTab, install, lean, MERGE, V1, V2 } from './conversion/crontab.mjs';

const SPEC = { cronSpec: '* * * * */5', image: 'i' };
const content = ({ apiVersion, metadata: { name, generation, resourceVersion }, kind, ...rest }) => ({
  version: apiVersion.split('/')[1],
  name,
  generation,
  resourceVersion,
  ...rest,
});
const items = (b) => ({ apiVersion: b.apiVersion, kind: b.kind, items: b.items.map(content) });
const storing = (stored) =>
  [V1, V2].map((v) => ({
    served: true,
    storage: v.name === stored,
    name: v.name,
    schema: { openAPIV3Schema: v.schema },
    subresources: v.subresources,
  }));
/** A webhook whose answers tell by an annotation at which path they were made. */
const marking = (review, { url }) =>
  conversionAnswer((o, desired) => {
    const out = convertCronTab(o, desired);
    out.metadata.annotations = { ...out.metadata.annotations, 'example.com/converter': url.split('?')[0] };
    return out;
  })(review);
const marked = ({ metadata, ...o }) => ({
  ...content({ metadata, ...o }),
  by: metadata.annotations?.['example.com/converter'],
});
// After a change of the CRD lists have a limit: without one kube-apiserver may answer 429 until its cache is
// filled.
const all = '?limit=500';
const unconverted = (get, name) => async () => {
  const { spec } = await get('v2', name);
  return spec && !spec.hour;
};
const calledAt = (kit, path, v, name) => async () => {
  await kit.get(v, name);
  return kit.hook.calls.some((c) => c.url.startsWith(`${path}?`));
};

export async function storageSwitch(t) {
  const kit = await install(t, 'switch');
  const { url, object, seed, change, get, hook, definition } = kit;
  const read = async (what, name) => {
    for (const v of ['v1', 'v2'])
      await t.step(`${what}, read in ${v}`, 'GET', url(v, name), { pick: content });
  };
  for (const name of ['old-1', 'old-2', 'old-3', 'old-4', 'old-5']) await seed('v1', name, { spec: SPEC });
  const stored = (label) => t.step(label, 'GET', definition, { pick: (b) => b.status.storedVersions });
  await stored('stored versions before');

  // The webhook's path changes with the storage version, so that a call shows that the change is in force.
  await change(
    { versions: storing('v2'), conversion: byWebhook(hook, '/second') },
    calledAt(kit, '/second', 'v2', 'old-1'),
  );
  await stored('stored versions after v2 became the storage version');
  await read('an object stored in v1', 'old-1');
  await t.step('create in v1', 'POST', url('v1'), {
    body: object('v1', 'new-1', { spec: SPEC }),
    pick: content,
  });
  await t.step('create in v2', 'POST', url('v2'), {
    body: object('v2', 'new-2', { spec: { hour: '1' } }),
    pick: content,
  });
  await read('an object created in v1', 'new-1');
  await read('an object created in v2', 'new-2');
  for (const v of ['v1', 'v2'])
    await t.step(`a list in ${v} of what is stored in both`, 'GET', url(v) + all, { pick: items });
  const page = await t.step('a page in v1 of what is stored in both', 'GET', `${url('v1')}?limit=3`, {
    pick: items,
  });
  await t.step(
    'the next page in v1',
    'GET',
    `${url('v1')}?limit=3&continue=${encodeURIComponent(page.metadata?.continue)}`,
    { pick: items },
  );

  await t.step('a replacement in v1 with what is there is written, in v2', 'PUT', url('v1', 'old-1'), {
    body: await get('v1', 'old-1'),
    pick: content,
  });
  await t.step('the same again is not written', 'PUT', url('v1', 'old-1'), {
    body: await get('v1', 'old-1'),
    pick: content,
  });
  await t.step('an empty patch in v2 is written, in v2', 'PATCH', url('v2', 'old-2'), {
    body: {},
    type: MERGE,
    pick: content,
  });
  await t.step('a patch of status in v1 is written in v2', 'PATCH', `${url('v1', 'old-3')}/status`, {
    body: { status: { replicas: 1 } },
    type: MERGE,
    pick: content,
  });
  await t.step('a dry run is not written', 'PATCH', `${url('v2', 'old-4')}?dryRun=All`, {
    body: {},
    type: MERGE,
    pick: content,
  });

  // With no conversion what is stored in v1 keeps only the fields that v2 knows, so it can be told from what
  // is stored in v2.
  await change({ conversion: byNone }, unconverted(get, 'old-5'));
  await t.step(
    'without conversion, a list in v2 shows which objects are stored in v1',
    'GET',
    url('v2') + all,
    { pick: items },
  );
  await t.step('without conversion, a list in v1 shows which are stored in v2', 'GET', url('v1') + all, {
    pick: items,
  });
  await stored('stored versions are not taken away');
}

export async function oldVersionRemoved(t) {
  const kit = await install(t, 'removed');
  const { url, seed, change, get, hook, definition } = kit;
  await seed('v1', 'old', { spec: SPEC });
  await change(
    { versions: storing('v2'), conversion: byWebhook(hook, '/second') },
    calledAt(kit, '/second', 'v2', 'old'),
  );
  await seed('v2', 'new', { spec: { hour: '1' } });
  await t.step('v1 cannot go while it is a stored version', 'PATCH', definition, {
    body: { spec: { versions: storing('v2').slice(1) } },
    type: MERGE,
  });
  await t.step('declare that nothing is stored in v1', 'PATCH', `${definition}/status`, {
    body: { status: { storedVersions: ['v2'] } },
    type: MERGE,
    pick: (b) => b.status.storedVersions,
  });
  await change({ versions: storing('v2').slice(1) }, async () => (await get('v2', 'old')).code === 500);
  // What is still stored in v1 must be readable again before the CRD can go.
  t.onEnd(() =>
    t.client.request('PATCH', definition, {
      body: { spec: { versions: storing('v2') } },
      headers: { 'content-type': MERGE },
    }),
  );
  await t.step('an object that is stored in v1 after all', 'GET', url('v2', 'old'));
  await t.step('a list with it', 'GET', url('v2') + all);
  await t.step('a merge patch of it', 'PATCH', url('v2', 'old'), { body: {}, type: MERGE });
  await t.step('a deletion of it', 'DELETE', url('v2', 'old'));
  await t.step('an object stored in v2', 'GET', url('v2', 'new'), { pick: content });
  await t.step('v1', 'GET', url('v1', 'new'));
  await change({ versions: storing('v2') }, async () => (await get('v2', 'old')).kind === 'CronTab');
  await t.step('once v1 is back the object can be read', 'GET', url('v2', 'old'), { pick: content });
}

export async function storageNotServed(t) {
  const { url, object, ns, group } = await install(t, 'unserved', {
    versions: [{ ...V1, served: false, storage: true }, V2],
  });
  await t.step('create in v2', 'POST', url('v2'), {
    body: object('v2', 'one', { spec: { hour: '1', workers: 1 } }),
    pick: content,
  });
  await t.step('get in v2', 'GET', url('v2', 'one'), { pick: content });
  await t.step('list in v2', 'GET', url('v2'), { pick: items });
  await t.step('merge patch in v2', 'PATCH', url('v2', 'one'), {
    body: { spec: { min: '5' } },
    type: MERGE,
    pick: content,
  });
  await t.step('status in v2', 'PATCH', `${url('v2', 'one')}/status`, {
    body: { status: { workers: 2 } },
    type: MERGE,
    pick: content,
  });
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'one', namespace: ns },
    spec: { replicas: 3 },
  };
  await t.step('scale in v2', 'PUT', `${url('v2', 'one')}/scale`, { body: scale, pick: lean });
  await t.step('get in the storage version', 'GET', url('v1', 'one'));
  await t.step('create in the storage version', 'POST', url('v1'), {
    body: object('v1', 'two', { spec: SPEC }),
  });
  await t.step('discovery of the group', 'GET', `/apis/${group}`);
  const from = (await t.setup('GET', url('v2'))).metadata.resourceVersion;
  await t.watch(
    'watch in v2',
    `${url('v2')}?watch=1&resourceVersion=${from}`,
    { count: 1, pick: ({ type, object: o }) => ({ type, object: content(o) }) },
    () => t.setup('DELETE', url('v2', 'one')),
  );
}

export async function webhookIntroduced(t) {
  const kit = await install(t, 'introduced', { conversion: () => byNone, answer: marking });
  const { url, object, seed, change, hook, get } = kit;
  await seed('v1', 'one', { spec: SPEC });
  await t.step('without conversion: read in v2', 'GET', url('v2', 'one'), { pick: marked });
  await t.step('without conversion: create in v2 loses what v1 does not know', 'POST', url('v2'), {
    body: object('v2', 'two', { spec: { hour: '1', image: 'i' } }),
    pick: marked,
  });
  await t.step('without conversion: read that in v1', 'GET', url('v1', 'two'), { pick: marked });
  await change({ conversion: byWebhook(hook, '/first') }, calledAt(kit, '/first', 'v2', 'one'));
  await t.step('with a webhook: read in v2 what was there before', 'GET', url('v2', 'one'), { pick: marked });
  await t.step('with a webhook: list in v2', 'GET', url('v2') + all, { pick: (b) => b.items.map(marked) });
  await t.step('with a webhook: create in v2', 'POST', url('v2'), {
    body: object('v2', 'three', { spec: { hour: '1', image: 'i' } }),
    pick: marked,
  });
  await t.step('with a webhook: read that in v1', 'GET', url('v1', 'three'), { pick: marked });
  await change({ conversion: byWebhook(hook, '/second') }, calledAt(kit, '/second', 'v2', 'one'));
  await t.step('with another path: read in v2', 'GET', url('v2', 'one'), { pick: marked });
  await t.step('with another path: list in v2', 'GET', url('v2') + all, { pick: (b) => b.items.map(marked) });
  await t.step('with another path: create in v2', 'POST', url('v2'), {
    body: object('v2', 'four', { spec: { hour: '1' } }),
    pick: marked,
  });
  const other = await t.webhook(marking);
  await change({ conversion: byWebhook(other, '/third') }, async () => {
    await get('v2', 'one');
    return other.calls.length > 0;
  });
  await t.step('with another server: read in v2', 'GET', url('v2', 'one'), { pick: marked });
  await t.step('with another server: list in v2', 'GET', url('v2') + all, {
    pick: (b) => b.items.map(marked),
  });
  await change({ conversion: byNone }, unconverted(get, 'one'));
  await t.step('without conversion again: read in v2', 'GET', url('v2', 'one'), { pick: marked });
  await t.step('without conversion again: list in v2', 'GET', url('v2') + all, {
    pick: (b) => b.items.map(marked),
  });
  await t.step('without conversion again: list in v1', 'GET', url('v1') + all, {
    pick: (b) => b.items.map(marked),
  });
  await t.step(
    'without conversion again: merge patch in v2 keeps only what both know',
    'PATCH',
    url('v2', 'one'),
    { body: { spec: { image: 'j' } }, type: MERGE, pick: marked },
  );
  await t.step('without conversion again: the fields of v1 are gone', 'GET', url('v1', 'one'), {
    pick: marked,
  });
}

export async function noConversion(t) {
  const both = { shared: string, image: string };
  const { url, object, seed } = await install(t, 'none', {
    conversion: () => undefined,
    versions: [
      {
        name: 'v1',
        schema: objectOf({ spec: objectOf({ ...both, one: { type: 'string', default: 'd1' }, free: open }) }),
      },
      {
        name: 'v2',
        schema: objectOf({
          spec: objectOf({ ...both, two: { type: 'string', default: 'd2' }, free: objectOf({ a: string }) }),
        }),
      },
      { name: 'v3', schema: open },
    ],
  });
  const read = async (what, name) => {
    for (const v of ['v1', 'v2', 'v3'])
      await t.step(`${what}, read in ${v}`, 'GET', url(v, name), { pick: content });
  };
  const spec = { shared: 's', one: '1', two: '2', free: { a: 'a', b: 'b' } };
  for (const v of ['v1', 'v2', 'v3']) {
    await t.step(`create in ${v}`, 'POST', url(v), { body: object(v, `in-${v}`, { spec }), pick: content });
    await read(`created in ${v}`, `in-${v}`);
  }
  await seed('v1', 'plain', { spec: { shared: 's' } });
  await t.step('merge patch in v2 of one field', 'PATCH', url('v2', 'plain'), {
    body: { spec: { shared: 't' } },
    type: MERGE,
    pick: content,
  });
  await read('patched in v2', 'plain');
  for (const v of ['v1', 'v2', 'v3']) await t.step(`list in ${v}`, 'GET', url(v), { pick: items });
}
