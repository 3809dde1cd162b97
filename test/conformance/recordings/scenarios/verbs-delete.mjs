// Deleting custom resources: answers, preconditions, finalizers, collections.
import { crd, custom, integer, object, resource } from '../lib/fixtures.mjs';

const lean = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
const names = (list) => list.items.map((i) => i.metadata.name);
const schema = object({ spec: object({ n: integer }) });
/** A refusal whose message quotes resourceVersions. */
const withoutVersions = async (t, label, method, url, body) => {
  const res = await t.client.request(method, url, { body });
  t.note(label, {
    status: res.status,
    body: { ...res.body, message: res.body.message?.replace(/\(\d+\)/g, '(<n>)') },
  });
};

export async function deleteAnswers(t) {
  const group = 'verbs-delete.conf.example.com';
  const ns = await t.namespace('conf-verbs-delete');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const make = (name) =>
    t.setup('POST', url, { body: custom(group, 'v1', 'Widget', name, { spec: { n: 1 } }) });

  await make('a');
  await t.step('delete answers a Status of success', 'DELETE', `${url}/a`);
  await t.step('and the object is gone', 'GET', `${url}/a`);
  await t.step('delete again', 'DELETE', `${url}/a`);
  const old = await make('a');
  t.note('the same name again has a new uid', (await make('a2')).metadata.uid !== old.metadata.uid);

  await t.step('dryRun=All', 'DELETE', `${url}/a?dryRun=All`);
  await t.step('dryRun in the body', 'DELETE', `${url}/a`, {
    body: { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
  });
  await t.step('a dry run deletes nothing', 'GET', `${url}/a`, {
    pick: (b) => b.metadata.deletionTimestamp ?? 'not deleted',
  });
  await t.step('dryRun of another value', 'DELETE', `${url}/a?dryRun=Most`);
  await t.step('dryRun of another value in the body', 'DELETE', `${url}/a`, { body: { dryRun: ['Most'] } });
  await t.step('a dry run of a name that does not exist', 'DELETE', `${url}/nope?dryRun=All`);

  const options = (o) => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...o });
  await t.step('uid precondition that fails', 'DELETE', `${url}/a`, {
    body: options({ preconditions: { uid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' } }),
  });
  await withoutVersions(
    t,
    'resourceVersion precondition that fails',
    'DELETE',
    `${url}/a`,
    options({ preconditions: { resourceVersion: '1' } }),
  );
  await t.step('preconditions that hold', 'DELETE', `${url}/a`, {
    body: options({
      preconditions: { uid: old.metadata.uid, resourceVersion: old.metadata.resourceVersion },
    }),
  });
  await t.step('an unknown propagationPolicy', 'DELETE', `${url}/a2?propagationPolicy=Sideways`);
  await t.step('propagationPolicy together with orphanDependents', 'DELETE', `${url}/a2`, {
    body: options({ propagationPolicy: 'Orphan', orphanDependents: true }),
  });
  await t.step('a gracePeriodSeconds that is no number', 'DELETE', `${url}/a2?gracePeriodSeconds=soon`);
  await t.step('options in the body that are no JSON', 'DELETE', `${url}/a2`, { body: '{' });
  await t.step('options of another kind', 'DELETE', `${url}/a2`, {
    body: { apiVersion: 'v1', kind: 'ConfigMap' },
  });
  await t.step('options of the wrong content type', 'DELETE', `${url}/a2`, {
    body: options({}),
    type: 'text/plain',
  });
  await t.step('gracePeriodSeconds=30 deletes at once', 'DELETE', `${url}/a2?gracePeriodSeconds=30`);
  for (const policy of ['Background', 'Foreground', 'Orphan']) {
    const name = `p-${policy.toLowerCase()}`;
    await make(name);
    await t.step(`propagationPolicy=${policy}`, 'DELETE', `${url}/${name}?propagationPolicy=${policy}`, {
      pick: (b) => (b.kind === 'Status' ? b : lean(b)),
    });
  }
  await t.step('the object after Background', 'GET', `${url}/p-background`);
  // A garbage collector, where there is one, takes these finalizers off sooner or later: do not wait for it.
  t.onEnd(async () => {
    for (const n of ['p-foreground', 'p-orphan'])
      await t.client.request('PATCH', `${url}/${n}`, {
        body: { metadata: { finalizers: null } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
  });
  await make('opt');
  await t.step('options as YAML', 'DELETE', `${url}/opt`, {
    body: 'kind: DeleteOptions\napiVersion: v1\ngracePeriodSeconds: 0\n',
    type: 'application/yaml',
  });
  await make('opt');
  await t.step('options in the group of the resource', 'DELETE', `${url}/opt`, {
    body: { apiVersion: `${group}/v1`, kind: 'DeleteOptions' },
  });
  await t.step(
    'delete in a namespace that does not exist',
    'DELETE',
    `${resource(group, 'v1', 'widgets', 'conf-verbs-missing')}/a`,
  );
}

export async function finalizers(t) {
  const group = 'verbs-finalizers.conf.example.com';
  const ns = await t.namespace('conf-verbs-finalizers');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const merge = (label, body, pick = lean) =>
    t.step(label, 'PATCH', `${url}/a`, { body, type: 'application/merge-patch+json', pick });
  await t.setup('POST', url, {
    body: {
      ...custom(group, 'v1', 'Widget', 'a', { spec: { n: 1 } }),
      metadata: { name: 'a', finalizers: ['example.com/one', 'example.com/two'] },
    },
  });
  t.onEnd(() =>
    t.client.request('PATCH', `${url}/a`, {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': 'application/merge-patch+json' },
    }),
  );

  await t.step('delete answers 200 with the object, marked', 'DELETE', `${url}/a`, { pick: lean });
  const marked = await t.step('the object is still there', 'GET', `${url}/a`, { pick: lean });
  await t.step('delete again', 'DELETE', `${url}/a`, { pick: lean });
  const again = await t.setup('GET', `${url}/a`);
  t.note('a second delete keeps the deletionTimestamp and the resourceVersion', [
    again.metadata.deletionTimestamp === marked.metadata.deletionTimestamp,
    again.metadata.resourceVersion === marked.metadata.resourceVersion,
  ]);
  await t.step('create the name while it is being deleted', 'POST', url, {
    body: custom(group, 'v1', 'Widget', 'a'),
  });
  await merge('the spec can still be changed', { spec: { n: 2 } });
  await merge('adding a finalizer is refused', {
    metadata: { finalizers: ['example.com/one', 'example.com/two', 'example.com/three'] },
  });
  await merge('replacing a finalizer is refused', {
    metadata: { finalizers: ['example.com/one', 'example.com/other'] },
  });
  await merge(
    'clearing the deletionTimestamp has no effect',
    { metadata: { deletionTimestamp: null } },
    (b) => b.metadata.deletionTimestamp === marked.metadata.deletionTimestamp,
  );
  await merge(
    'changing the deletionTimestamp',
    { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } },
    (b) => b.metadata.deletionTimestamp === marked.metadata.deletionTimestamp,
  );
  await merge('removing one finalizer', { metadata: { finalizers: ['example.com/two'] } });
  await t.step('a dry run of removing the last finalizer', 'PATCH', `${url}/a?dryRun=All`, {
    body: { metadata: { finalizers: [] } },
    type: 'application/merge-patch+json',
    pick: lean,
  });
  await t.step('leaves the object', 'GET', `${url}/a`, { pick: (b) => b.metadata.finalizers });
  await t.step('removing the last finalizer answers the last state', 'PATCH', `${url}/a`, {
    body: { metadata: { finalizers: null } },
    type: 'application/merge-patch+json',
    pick: lean,
  });
  await t.step('and the object is gone', 'GET', `${url}/a`);
  await t.step('an update after it is gone', 'PUT', `${url}/a`, { body: again });
}

export async function deleteCollections(t) {
  const group = 'verbs-delcol.conf.example.com';
  const ns = await t.namespace('conf-verbs-delcol');
  const ns2 = await t.namespace('conf-verbs-delcol2');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', schema }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const fill = async (at = url) => {
    for (const name of ['a', 'b', 'c', 'd'])
      await t.client.request('POST', at, {
        body: {
          ...custom(group, 'v1', 'Widget', name),
          metadata: { name, labels: { half: name < 'c' ? 'first' : 'second' } },
        },
      });
  };
  const left = (label, at = url) => t.step(label, 'GET', at, { pick: names });

  await fill();
  await fill(resource(group, 'v1', 'widgets', ns2));
  await t.step('dryRun=All', 'DELETE', `${url}?dryRun=All`, {
    pick: (b) => ({ kind: b.kind, names: b.items && names(b) }),
  });
  await left('a dry run deletes nothing');
  await t.step('a bad label selector', 'DELETE', `${url}?labelSelector=a%20b`);
  await t.step('an unsupported field selector', 'DELETE', `${url}?fieldSelector=spec.n%3D1`);
  await t.step('a bad dryRun', 'DELETE', `${url}?dryRun=Half`);
  await left('refusals delete nothing');
  await t.step('with a label selector', 'DELETE', `${url}?labelSelector=half%3Dfirst`, {
    pick: ({ items, ...rest }) => ({ ...rest, items: items.map(lean) }),
  });
  await left('what the label selector left');
  await t.step('with a field selector', 'DELETE', `${url}?fieldSelector=metadata.name%3Dd`, { pick: names });
  await left('what the field selector left');
  await t.step('a selection of none', 'DELETE', `${url}?labelSelector=half%3Dnone`);
  await fill();
  await t.step('with a limit', 'DELETE', `${url}?limit=2`, {
    pick: (b) => ({ metadata: b.metadata, names: names(b), items: [] }),
  });
  await left('what the limit left');
  await fill();
  await t.step('all of a namespace', 'DELETE', url, { pick: names });
  await left('nothing is left');
  await left('another namespace is untouched', resource(group, 'v1', 'widgets', ns2));
  await t.step('an empty collection', 'DELETE', url);
  await t.step('over all namespaces', 'DELETE', resource(group, 'v1', 'widgets'), {
    pick: (b) => ({ kind: b.kind, items: b.items?.length }),
  });
  await left('after that', resource(group, 'v1', 'widgets', ns2));
  await t.setup('POST', url, {
    body: { ...custom(group, 'v1', 'Widget', 'f'), metadata: { name: 'f', finalizers: ['example.com/x'] } },
  });
  t.onEnd(() =>
    t.client.request('PATCH', `${url}/f`, {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': 'application/merge-patch+json' },
    }),
  );
  await t.step('an object with a finalizer is marked', 'DELETE', url, { pick: (b) => b.items.map(lean) });
  await t.step('and stays', 'GET', `${url}/f`, { pick: (b) => Boolean(b.metadata.deletionTimestamp) });
}
