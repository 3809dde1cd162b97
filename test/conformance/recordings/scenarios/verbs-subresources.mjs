// The status and scale subresources, and the answers for paths and methods that do not exist.
import { crd, custom, integer, object, open, resource, string } from '../lib/fixtures.mjs';

const lean = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
const MERGE = 'application/merge-patch+json';
const set = (live, change) => ({ ...live, ...change, metadata: { ...live.metadata, ...change.metadata } });
const schema = object({
  spec: object({ replicas: integer, note: string }),
  status: object({
    replicas: integer,
    labelSelector: string,
    phase: string,
    conditions: { type: 'array', items: open },
  }),
});

export async function statusSubresource(t) {
  const group = 'verbs-status.conf.example.com';
  const ns = await t.namespace('conf-verbs-status');
  await t.crd(crd(group, 'Job', { versions: [{ name: 'v1', schema, subresources: { status: {} } }] }));
  const url = resource(group, 'v1', 'jobs', ns);
  const status = `${url}/a/status`;
  const first = await t.setup('POST', url, {
    body: custom(group, 'v1', 'Job', 'a', { spec: { note: 'n' } }),
  });

  await t.step('get of the status is the whole object', 'GET', status);
  await t.step('update of the status takes only the status', 'PUT', status, {
    body: set(first, {
      spec: { note: 'other' },
      status: { phase: 'Run' },
      metadata: { labels: { a: 'b' }, finalizers: ['example.com/x'] },
    }),
  });
  await t.step('a stale update of the status', 'PUT', status, {
    body: set(first, { status: { phase: 'Stop' } }),
  });
  await t.step('an update of the status without a resourceVersion', 'PUT', status, {
    body: custom(group, 'v1', 'Job', 'a', { status: { phase: 'Stop' } }),
  });
  let live = await t.setup('GET', `${url}/a`);
  await t.step('a status update that changes only the spec changes nothing', 'PUT', status, {
    body: set(live, { spec: { note: 'other' } }),
    pick: (b) => [b.metadata.resourceVersion === live.metadata.resourceVersion, b.spec],
  });
  await t.step('an update of the main path keeps the status', 'PUT', `${url}/a`, {
    body: set(live, { spec: { note: 'm' }, status: { phase: 'Main' } }),
    pick: lean,
  });
  await t.step('leaving the status out of the main path keeps it', 'PATCH', `${url}/a`, {
    body: { status: null, spec: { note: 'k' } },
    type: MERGE,
    pick: lean,
  });
  await t.step('merge patch of the status', 'PATCH', status, {
    body: { status: { replicas: 2 }, spec: { note: 'no' } },
    type: MERGE,
    pick: lean,
  });
  await t.step('JSON patch of the status', 'PATCH', status, {
    body: [{ op: 'add', path: '/status/conditions', value: [{ type: 'Ready' }] }],
    type: 'application/json-patch+json',
    pick: lean,
  });
  await t.step('a JSON patch of the spec through the status', 'PATCH', status, {
    body: [{ op: 'replace', path: '/spec/note', value: 'z' }],
    type: 'application/json-patch+json',
    pick: (b) => b.spec,
  });
  await t.step('a status that does not fit the schema', 'PATCH', status, {
    body: { status: { replicas: 'x' } },
    type: MERGE,
  });
  await t.step('a removed status', 'PATCH', status, { body: { status: null }, type: MERGE, pick: lean });
  await t.step('a dry run of a status patch', 'PATCH', `${status}?dryRun=All`, {
    body: { status: { phase: 'Dry' } },
    type: MERGE,
    pick: (b) => b.status,
  });
  live = await t.setup('GET', `${url}/a`);
  t.note('the dry run stored nothing', live.status ?? 'no status');
  await t.step('the status of a name that does not exist', 'GET', `${url}/nope/status`);
  await t.step('an update of the status of a name that does not exist', 'PUT', `${url}/nope/status`, {
    body: custom(group, 'v1', 'Job', 'nope'),
  });
  await t.step('POST to the status', 'POST', status, { body: live });
  await t.step('DELETE of the status', 'DELETE', status);
  await t.step('the object is still there', 'GET', `${url}/a`, { pick: lean });
  await t.step('managedFields name the subresource', 'PATCH', `${status}?fieldManager=ctl`, {
    body: { status: { phase: 'Done' } },
    type: MERGE,
    pick: (b) => b.metadata.managedFields,
  });
}

export async function scaleSubresource(t) {
  const group = 'verbs-scale.conf.example.com';
  const ns = await t.namespace('conf-verbs-scale');
  const scale = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.labelSelector',
  };
  await t.crd(
    crd(group, 'Fleet', { versions: [{ name: 'v1', schema, subresources: { status: {}, scale } }] }),
  );
  await t.crd(
    crd(group, 'Crew', {
      versions: [{ name: 'v1', schema, subresources: { scale: { ...scale, labelSelectorPath: undefined } } }],
    }),
  );
  const url = resource(group, 'v1', 'fleets', ns);
  const at = `${url}/a/scale`;
  await t.setup('POST', url, {
    body: custom(group, 'v1', 'Fleet', 'a', { spec: { replicas: 3, note: 'n' } }),
  });

  await t.step('get the scale before there is a status', 'GET', at);
  await t.setup('PATCH', `${url}/a/status`, {
    body: { status: { replicas: 2, labelSelector: 'app=x' } },
    type: MERGE,
  });
  const first = await t.step('get the scale', 'GET', at);
  await t.step('update the replicas', 'PUT', at, { body: { ...first, spec: { replicas: 5 } } });
  // The order of the entries depends on the second each was written in.
  await t.step('the object after that, and who manages what', 'GET', `${url}/a`, {
    pick: (b) => ({
      ...lean(b),
      managed: b.metadata.managedFields
        .map((m) => `${m.manager} ${m.subresource ?? 'main'} ${JSON.stringify(m.fieldsV1)}`)
        .sort(),
    }),
  });
  await t.step('a stale update', 'PUT', at, { body: { ...first, spec: { replicas: 6 } } });
  await t.step('an update without a resourceVersion', 'PUT', at, {
    body: {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: ns },
      spec: { replicas: 7 },
    },
  });
  await t.step('merge patch', 'PATCH', at, { body: { spec: { replicas: 4 } }, type: MERGE });
  await t.step('JSON patch', 'PATCH', at, {
    body: [{ op: 'replace', path: '/spec/replicas', value: 1 }],
    type: 'application/json-patch+json',
  });
  await t.step('a patch of the status of the scale has no effect', 'PATCH', at, {
    body: { status: { replicas: 9, selector: 'a=b' } },
    type: MERGE,
  });
  await t.step('a dry run', 'PATCH', `${at}?dryRun=All`, { body: { spec: { replicas: 8 } }, type: MERGE });
  await t.step('negative replicas', 'PATCH', at, { body: { spec: { replicas: -1 } }, type: MERGE });
  await t.step('replicas that are a string', 'PUT', at, {
    body: { ...first, metadata: { name: 'a', namespace: ns }, spec: { replicas: 'x' } },
  });
  await t.step('null replicas', 'PATCH', at, { body: { spec: { replicas: null } }, type: MERGE });
  await t.step('the wrong kind', 'PUT', at, {
    body: { apiVersion: `${group}/v1`, kind: 'Fleet', metadata: { name: 'a' } },
  });
  await t.step('the wrong name', 'PUT', at, { body: { ...first, metadata: { name: 'b', namespace: ns } } });
  await t.step('the wrong resource uid', 'PUT', at, {
    body: { ...first, metadata: { name: 'a', namespace: ns, uid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' } },
  });
  await t.step('the scale of a name that does not exist', 'GET', `${url}/nope/scale`);
  await t.step('DELETE of the scale', 'DELETE', at);
  await t.step('scale as a Table', 'GET', at, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    pick: (b) => ({ kind: b.kind, columns: b.columnDefinitions?.map((c) => c.name) }),
  });

  const crews = resource(group, 'v1', 'crews', ns);
  await t.setup('POST', crews, {
    body: custom(group, 'v1', 'Crew', 'c', { spec: {}, status: { replicas: 1, labelSelector: 'x=y' } }),
  });
  await t.step('no replicas in the object', 'GET', `${crews}/c/scale`);
  await t.step('replicas are added to the spec', 'PATCH', `${crews}/c/scale`, {
    body: { spec: { replicas: 2 } },
    type: MERGE,
  });
  await t.step('no status subresource beside the scale', 'GET', `${crews}/c/status`);
  await t.step('the generation counts a scale', 'GET', `${crews}/c`, {
    pick: (b) => [b.metadata.generation, b.spec],
  });
  await t.step('negative replicas in the object', 'POST', crews, {
    body: custom(group, 'v1', 'Crew', 'neg', { spec: { replicas: -3 } }),
  });
  await t.step('replicas over 32 bits in the object', 'POST', crews, {
    body: custom(group, 'v1', 'Crew', 'big', { spec: { replicas: 3_000_000_000 } }),
  });
}

export async function notFoundShapes(t) {
  const group = 'verbs-routes.conf.example.com';
  const ns = await t.namespace('conf-verbs-routes');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1' }, { name: 'v2', served: false }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  await t.setup('POST', url, { body: custom(group, 'v1', 'Widget', 'a') });
  const paths = [
    ['unknown group', '/apis/verbs-nobody.conf.example.com/v1/widgets'],
    ['discovery of an unknown group', '/apis/verbs-nobody.conf.example.com'],
    ['discovery of an unknown version', `/apis/${group}/v9`],
    ['unknown version', resource(group, 'v9', 'widgets', ns)],
    ['version that is not served', resource(group, 'v2', 'widgets', ns)],
    ['discovery of a version that is not served', `/apis/${group}/v2`],
    ['unknown resource', resource(group, 'v1', 'gadgets', ns)],
    ['object of an unknown resource', `${resource(group, 'v1', 'gadgets', ns)}/a`],
    ['singular name', resource(group, 'v1', 'widget', ns)],
    ['kind instead of the resource', resource(group, 'v1', 'Widget', ns)],
    ['unknown name', `${url}/nope`],
    ['unknown subresource', `${url}/a/logs`],
    ['status that is not enabled', `${url}/a/status`],
    ['scale that is not enabled', `${url}/a/scale`],
    ['subresource of an unknown name', `${url}/nope/logs`],
    ['path deeper than a subresource', `${url}/a/status/more`],
    ['namespaces under a custom group', `/apis/${group}/v1/namespaces`],
    ['a namespace under a custom group', `/apis/${group}/v1/namespaces/${ns}`],
    ['unknown core resource', `/api/v1/namespaces/${ns}/gadgets`],
    ['unknown core version', '/api/v9/pods'],
    ['unknown core object', `/api/v1/namespaces/${ns}/configmaps/nope`],
    ['unknown root path', '/nothing'],
    ['unknown path under apis', '/apis/x/y/z'],
  ];
  for (const [label, path] of paths) await t.step(label, 'GET', path);
  await t.step('create in an unknown resource', 'POST', resource(group, 'v1', 'gadgets', ns), {
    body: custom(group, 'v1', 'Gadget', 'g'),
  });
  await t.step('delete in an unknown group', 'DELETE', '/apis/verbs-nobody.conf.example.com/v1/widgets/a');
  await t.step('patch of an unknown subresource', 'PATCH', `${url}/a/logs`, { body: {}, type: MERGE });
}

export async function methodsRefused(t) {
  const group = 'verbs-methods.conf.example.com';
  const ns = await t.namespace('conf-verbs-methods');
  await t.crd(crd(group, 'Widget', { versions: [{ name: 'v1', subresources: { status: {} } }] }));
  const url = resource(group, 'v1', 'widgets', ns);
  const body = custom(group, 'v1', 'Widget', 'a');
  await t.setup('POST', url, { body });
  await t.step('PUT of the collection', 'PUT', url, { body });
  await t.step('PATCH of the collection', 'PATCH', url, { body: {}, type: MERGE });
  await t.step('POST to the status subresource', 'POST', `${url}/a/status`, { body });
  await t.step('DELETE of the status subresource', 'DELETE', `${url}/a/status`);
  await t.step('OPTIONS of an object', 'OPTIONS', `${url}/a`);
  await t.step('a method that is not used', 'TRACE', `${url}/a`);
  await t.step('POST to a discovery path', 'POST', `/apis/${group}/v1`, { body: {} });
  await t.step('DELETE of a group', 'DELETE', `/apis/${group}`);
  await t.step('POST to /apis', 'POST', '/apis', { body: {}, pick: (b) => b.kind });
  await t.step('PUT of a core collection', 'PUT', `/api/v1/namespaces/${ns}/configmaps`, { body: {} });
  await t.step('POST to a core object', 'POST', `/api/v1/namespaces/${ns}/configmaps/x`, { body: {} });
}
