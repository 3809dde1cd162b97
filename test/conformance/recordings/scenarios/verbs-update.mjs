// Replacing custom resources with PUT.
import { crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';

const lean = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
const schema = object({
  spec: object({ size: integer, note: string }),
  data: string,
  status: object({ phase: string }),
});
const facts = (b) => ({
  generation: b.metadata.generation,
  resourceVersion: b.metadata.resourceVersion,
  spec: b.spec,
  status: b.status,
});
const set = (live, change) => ({ ...live, ...change, metadata: { ...live.metadata, ...change.metadata } });

export async function updateRules(t) {
  const group = 'verbs-update.conf.example.com';
  const ns = await t.namespace('conf-verbs-update');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const first = await t.setup('POST', url, {
    body: custom(group, 'v1', 'Widget', 'a', { spec: { size: 1, note: 'n' } }),
  });

  await t.step('update answers 200 with the stored object', 'PUT', `${url}/a`, {
    body: set(first, { spec: { size: 2 } }),
  });
  await t.step('update with a stale resourceVersion', 'PUT', `${url}/a`, {
    body: set(first, { spec: { size: 3 } }),
  });
  await t.step('update without a resourceVersion', 'PUT', `${url}/a`, {
    body: custom(group, 'v1', 'Widget', 'a', { spec: { size: 3 } }),
  });
  let live = await t.setup('GET', `${url}/a`);
  await t.step('an update that changes nothing keeps the resourceVersion', 'PUT', `${url}/a`, {
    body: live,
    pick: (b) => b.metadata.resourceVersion === live.metadata.resourceVersion,
  });
  await t.step('resourceVersion 0 means no resourceVersion', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { resourceVersion: '0' } }),
  });
  await t.step('a resourceVersion that is no number', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { resourceVersion: 'abc' } }),
  });
  await t.step('a resourceVersion in the future', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { resourceVersion: '4611686018427387904' } }),
  });
  await t.step('another name in the body than in the path', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { name: 'b' } }),
  });
  await t.step('no name in the body', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { name: undefined } }),
    pick: facts,
  });
  await t.step('another namespace in the body', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { namespace: 'default' } }),
  });
  await t.step('no namespace in the body', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { namespace: undefined } }),
    pick: facts,
  });
  await t.step('another uid', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { uid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' } }),
  });
  await t.step('no uid', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { uid: undefined } }),
    pick: facts,
  });
  const when = await t.step('another creationTimestamp', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { creationTimestamp: '2001-02-03T04:05:06Z' } }),
    pick: facts,
  });
  t.note('the creationTimestamp stays', when.metadata.creationTimestamp === live.metadata.creationTimestamp);
  await t.step('another generation is ignored', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { generation: 99 } }),
    pick: facts,
  });
  await t.step('a deletionTimestamp of the client', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { deletionTimestamp: '2001-02-03T04:05:06Z' } }),
    pick: lean,
  });
  await t.step('a deletionGracePeriodSeconds of the client', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { deletionGracePeriodSeconds: 30 } }),
    pick: lean,
  });
  await t.step(
    'an invalid label (the same cause comes once for each time it is checked)',
    'PUT',
    `${url}/a`,
    { body: set(live, { metadata: { labels: { a: '-' } } }) },
  );
  await t.step('the wrong kind', 'PUT', `${url}/a`, { body: set(live, { kind: 'Gadget' }) });
  await t.step('the wrong apiVersion', 'PUT', `${url}/a`, {
    body: set(live, { apiVersion: `${group}/v9`, spec: undefined }),
  });
  await t.step('a body that does not fit the schema', 'PUT', `${url}/a`, {
    body: set(live, { spec: { size: 'big' } }),
  });
  await t.step('malformed JSON', 'PUT', `${url}/a`, { body: '{' });
  await t.step('update of a name that does not exist', 'PUT', `${url}/nope`, {
    body: custom(group, 'v1', 'Widget', 'nope', { spec: {} }),
  });
  await t.step('update of a name that does not exist, with a resourceVersion', 'PUT', `${url}/nope`, {
    body: set(custom(group, 'v1', 'Widget', 'nope'), { metadata: { resourceVersion: '5' } }),
  });
  await t.step('update of the collection', 'PUT', url, { body: live });
  await t.step('dryRun=All shows the outcome', 'PUT', `${url}/a?dryRun=All`, {
    body: set(live, { spec: { size: 77 } }),
    pick: facts,
  });
  await t.step('and stores nothing', 'GET', `${url}/a`, { pick: facts });
  await t.step('dryRun of another value', 'PUT', `${url}/a?dryRun=None`, { body: live });
  await t.step('a dry run with a stale resourceVersion', 'PUT', `${url}/a?dryRun=All`, {
    body: set(first, { spec: { size: 3 } }),
  });
  await t.step('labels are replaced, not merged', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { labels: { x: '1' } } }),
    pick: lean,
  });
  live = await t.setup('GET', `${url}/a`);
  await t.step('and removed when left out', 'PUT', `${url}/a`, {
    body: set(live, { metadata: { labels: undefined } }),
    pick: lean,
  });
  live = await t.setup('GET', `${url}/a`);
  await t.step('YAML body', 'PUT', `${url}/a`, {
    body: `{apiVersion: ${group}/v1, kind: Widget, metadata: {name: a, resourceVersion: "${live.metadata.resourceVersion}"}, spec: {size: 5}}`,
    type: 'application/yaml',
    pick: lean,
  });
}

export async function generations(t) {
  const group = 'verbs-generation.conf.example.com';
  const ns = await t.namespace('conf-verbs-generation');
  await t.crd(crd(group, 'Plain', { versions: [{ name: 'v1', schema }] }));
  await t.crd(crd(group, 'Split', { versions: [{ name: 'v1', schema, subresources: { status: {} } }] }));
  for (const [what, plural, kind] of [
    ['without a status subresource', 'plains', 'Plain'],
    ['with a status subresource', 'splits', 'Split'],
  ]) {
    const url = resource(group, 'v1', plural, ns);
    await t.step(`${what}: create`, 'POST', url, {
      body: custom(group, 'v1', kind, 'g', { spec: { size: 1 }, data: 'd', status: { phase: 'New' } }),
      pick: facts,
    });
    const change = async (label, at, part) => {
      const live = await t.setup('GET', `${url}/g`);
      await t.step(`${what}: ${label}`, 'PUT', at, { body: set(live, part), pick: facts });
    };
    await change('change the spec', `${url}/g`, { spec: { size: 2 } });
    await change('change a field beside the spec', `${url}/g`, { data: 'e' });
    await change('change the status through the main path', `${url}/g`, { status: { phase: 'Main' } });
    await change('change a label', `${url}/g`, { metadata: { labels: { a: 'b' } } });
    await change('change an annotation', `${url}/g`, { metadata: { annotations: { a: 'b' } } });
    await change('change the status through /status', `${url}/g/status`, { status: { phase: 'Sub' } });
    await change('change spec, status and labels through /status', `${url}/g/status`, {
      spec: { size: 9 },
      status: { phase: 'Sub2' },
      metadata: { labels: { c: 'd' }, annotations: { c: 'd' } },
    });
    await t.step(`${what}: the object after all that`, 'GET', `${url}/g`, { pick: lean });
  }
}
