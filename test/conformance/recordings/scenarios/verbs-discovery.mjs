// Discovery, OpenAPI, version and health endpoints as clients use them.
import { CRDS, crd, custom, integer, object, resource, string } from '../lib/fixtures.mjs';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const schema = object(
  {
    spec: object(
      { size: { ...integer, description: 'How big.', minimum: 1 }, note: string },
      { required: ['size'] },
    ),
    status: object({ phase: string }),
  },
  {
    description: 'A gadget.',
  },
);
const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };

/** The index of /openapi/v3 comes as text/plain. */
const json = (body) => (typeof body === 'string' ? JSON.parse(body) : body);
/** Waits until a document of the server speaks of the group. */
const published = (t, group, path, headers, has) =>
  t.until(
    `${group} in ${path}`,
    async () => has(json((await t.client.request('GET', path, { headers })).body)),
    30_000,
  );

export async function discoveryOfAGroup(t) {
  const group = 'verbs-disco.conf.example.com';
  await t.crd(
    crd(group, 'Gadget', {
      names: { shortNames: ['gd', 'gdg'], categories: ['all', 'toys'] },
      versions: [
        { name: 'v1', schema, subresources: { status: {}, scale } },
        { name: 'v1beta1', schema },
        { name: 'v1alpha1', schema, served: false },
      ],
    }),
  );
  await t.crd(
    crd(group, 'Tool', {
      scope: 'Cluster',
      names: { plural: 'toolset', singular: 'toolitem', listKind: 'ToolBag' },
      versions: [{ name: 'v1', schema }],
    }),
  );
  await published(t, group, '/apis', {}, (b) => b.groups.some((g) => g.name === group));
  await published(t, group, `/apis/${group}/v1`, {}, (b) => b.resources?.length === 4);
  await published(
    t,
    group,
    '/apis',
    { accept: AGGREGATED },
    (b) => b.items.find((g) => g.metadata.name === group)?.versions[0].resources?.length === 2,
  );

  await t.step('the group', 'GET', `/apis/${group}`);
  // The order of the CRDs of one group is not promised.
  const byName = (key) => (a, b) => (a[key] < b[key] ? -1 : 1);
  await t.step('the version', 'GET', `/apis/${group}/v1`, {
    pick: (b) => ({ ...b, resources: b.resources.sort(byName('name')) }),
  });
  await t.step('a version with fewer resources', 'GET', `/apis/${group}/v1beta1`);
  await t.step('a trailing slash', 'GET', `/apis/${group}/v1/`, { pick: (b) => b.kind });
  await t.step('/apis: this group among all', 'GET', '/apis', {
    pick: (b) => ({ kind: b.kind, apiVersion: b.apiVersion, group: b.groups.find((g) => g.name === group) }),
  });
  await t.step('/apis: the groups of the server itself', 'GET', '/apis', {
    pick: (b) =>
      [
        'apiextensions.k8s.io',
        'admissionregistration.k8s.io',
        'coordination.k8s.io',
        'rbac.authorization.k8s.io',
        'authorization.k8s.io',
      ].map((n) => b.groups.find((g) => g.name === n)?.preferredVersion ?? `${n} missing`),
  });
  await t.step('/api', 'GET', '/api', { pick: ({ serverAddressByClientCIDRs, ...rest }) => rest });
  await t.step('/api/v1: some resources', 'GET', '/api/v1', {
    pick: (b) =>
      b.resources
        .filter((r) =>
          [
            'namespaces',
            'namespaces/status',
            'namespaces/finalize',
            'configmaps',
            'secrets',
            'events',
          ].includes(r.name),
        )
        .map(({ storageVersionHash, ...r }) => r),
  });
  await t.step('aggregated discovery of this group', 'GET', '/apis', {
    headers: { accept: AGGREGATED },
    pick: (b) => {
      const {
        metadata: { creationTimestamp, ...metadata },
        ...found
      } = b.items.find((g) => g.metadata.name === group);
      for (const v of found.versions) v.resources.sort(byName('resource'));
      return { kind: b.kind, apiVersion: b.apiVersion, group: { ...found, metadata } };
    },
  });
  const res = await t.client.request('GET', '/apis', { headers: { accept: AGGREGATED } });
  t.note('its content type and caching headers', {
    type: res.headers['content-type'],
    etag: Boolean(res.headers.etag),
    vary: res.headers.vary,
  });
  t.note(
    'an unchanged document',
    (
      await t.client.request('GET', '/apis', {
        headers: { accept: AGGREGATED, 'if-none-match': res.headers.etag },
      })
    ).status,
  );
  const preferred = await t.client.request('GET', '/apis', {
    headers: {
      accept: `${AGGREGATED},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`,
    },
  });
  t.note('what kubectl sends', { type: preferred.headers['content-type'], kind: preferred.body.kind });
  await t.step('aggregated discovery of one group is not offered', 'GET', `/apis/${group}`, {
    headers: { accept: `${AGGREGATED},application/json` },
    pick: (b) => b.kind,
  });
  await t.step('aggregated discovery of the core group', 'GET', '/api', {
    headers: { accept: AGGREGATED },
    pick: (b) =>
      b.items.map((g) => ({
        name: g.metadata.name ?? 'core',
        versions: g.versions.map((v) => ({
          version: v.version,
          configmaps: v.resources.find((r) => r.resource === 'configmaps'),
        })),
      })),
  });

  await t.setup('DELETE', `${CRDS}/toolset.${group}`);
  await published(t, group, `/apis/${group}/v1`, {}, (b) => b.resources?.length === 3);
  await t.step('the version after one of its CRDs is deleted', 'GET', `/apis/${group}/v1`, {
    pick: (b) => b.resources.map((r) => r.name).sort(),
  });
  await t.setup('DELETE', `${CRDS}/gadgets.${group}`);
  await t.until(
    'the group to go',
    async () => (await t.client.request('GET', `/apis/${group}`)).status === 404,
  );
  await t.step('the group after all its CRDs are deleted', 'GET', `/apis/${group}`);
  await t.until(
    'the resource to go',
    async () => (await t.client.request('GET', `/apis/${group}/v1`)).status === 404,
  );
  await t.step('a resource of it', 'GET', resource(group, 'v1', 'gadgets'));
}

export async function versionPriority(t) {
  const group = 'verbs-priority.conf.example.com';
  const order = [
    'foo1',
    'v1beta1',
    'v2',
    'v11alpha2',
    'v10',
    'v1',
    'v3beta1',
    'v12alpha1',
    'v11beta2',
    'foo10',
    'v10beta3',
  ];
  await t.crd(
    crd(group, 'Gadget', { versions: order.map((name) => ({ name, schema, storage: name === 'v1' })) }),
  );
  const versions = (g) => g?.versions.map((v) => v.version);
  await published(
    t,
    group,
    '/apis',
    {},
    (b) => versions(b.groups.find((g) => g.name === group))?.length === order.length,
  );
  await t.step('the group lists its versions by priority', 'GET', `/apis/${group}`, {
    pick: (b) => ({ versions: versions(b), preferred: b.preferredVersion }),
  });
  await t.step('so does /apis', 'GET', '/apis', {
    pick: (b) => versions(b.groups.find((g) => g.name === group)),
  });
  await published(
    t,
    group,
    '/apis',
    { accept: AGGREGATED },
    (b) => versions(b.items.find((g) => g.metadata.name === group))?.length === order.length,
  );
  await t.step('and aggregated discovery', 'GET', '/apis', {
    headers: { accept: AGGREGATED },
    pick: (b) => versions(b.items.find((g) => g.metadata.name === group)),
  });
}

export async function openApi(t) {
  const group = 'verbs-openapi.conf.example.com';
  const def = crd(group, 'Gadget', {
    versions: [{ name: 'v1', schema, subresources: { status: {}, scale } }],
  });
  await t.crd(def);
  const index = `apis/${group}/v1`;
  await published(t, group, '/openapi/v3', {}, (b) => b.paths?.[index]);
  await t.step('the index has an entry for the version', 'GET', '/openapi/v3', {
    pick: (b) => json(b).paths[index],
  });
  const url = json(await t.setup('GET', '/openapi/v3')).paths[index].serverRelativeURL;
  t.note('whose address is this path with a hash', url.startsWith(`/openapi/v3/${index}?hash=`));
  const base = `/apis/${group}/v1/namespaces/{namespace}/gadgets`;
  const name = 'com.example.conf.verbs-openapi.v1.Gadget';
  await t.step('the document: paths and the methods of each', 'GET', url, {
    pick: (b) => ({
      openapi: b.openapi,
      paths: Object.fromEntries(
        Object.entries(b.paths).map(([p, o]) => [
          p,
          Object.keys(o)
            .filter((k) => k !== 'parameters')
            .sort(),
        ]),
      ),
    }),
  });
  await t.step('the schema of the kind', 'GET', url, { pick: (b) => b.components.schemas[name] });
  await t.step('the schema of the list', 'GET', url, { pick: (b) => b.components.schemas[`${name}List`] });
  await t.step('the schemas that clients look for', 'GET', url, {
    pick: (b) =>
      Object.keys(b.components.schemas)
        .filter(
          (n) =>
            n.startsWith('com.example.') ||
            /\.(Scale|ObjectMeta|ListMeta|Status|DeleteOptions|Patch)$/.test(n),
        )
        .sort(),
  });
  // shardSelector is not a stable parameter.
  const operation = (o) => ({
    operationId: o.operationId,
    tags: o.tags,
    action: o['x-kubernetes-action'],
    gvk: o['x-kubernetes-group-version-kind'],
    parameters: o.parameters
      ?.map((p) => p.name)
      .filter((n) => n !== 'shardSelector')
      .sort(),
    body: Object.keys(o.requestBody?.content ?? {}),
    answers: Object.keys(o.responses),
    produces: Object.keys(o.responses['200'].content ?? {}),
  });
  for (const [path, method] of [
    [base, 'get'],
    [base, 'post'],
    [base, 'delete'],
    [`${base}/{name}`, 'put'],
    [`${base}/{name}`, 'patch'],
    [`${base}/{name}/scale`, 'get'],
    [`/apis/${group}/v1/gadgets`, 'get'],
  ]) {
    await t.step(`${method} ${path.replace(`/apis/${group}`, '')}`, 'GET', url, {
      pick: (b) => operation(b.paths[path][method]),
    });
  }
  await t.step('without the hash', 'GET', `/openapi/v3/${index}`, { pick: (b) => b.openapi });
  await t.step('a version that is not in the index', 'GET', `/openapi/v3/apis/${group}/v9`);
  await published(t, group, '/openapi/v2', {}, (b) => b.definitions?.[name]);
  await t.step('openapi/v2: the definition of the kind', 'GET', '/openapi/v2', {
    pick: (b) => b.definitions[name],
  });
  await t.step('openapi/v2: methods of the paths', 'GET', '/openapi/v2', {
    pick: (b) =>
      Object.fromEntries(
        Object.entries(b.paths)
          .filter(([p]) => p.startsWith(`/apis/${group}/`))
          .map(([p, o]) => [
            p,
            Object.keys(o)
              .filter((k) => k !== 'parameters')
              .sort(),
          ]),
      ),
  });
}

export async function health(t) {
  await t.step('/version', 'GET', '/version', {
    pick: (b) => ({
      keys: Object.keys(b).sort(),
      major: b.major,
      minor: b.minor.replace(/\D+$/, ''),
      gitVersion: /^v\d+\.\d+\.\d+/.test(b.gitVersion),
    }),
  });
  for (const path of ['/healthz', '/livez', '/readyz', '/healthz/ping', '/livez/ping', '/readyz/ping'])
    await t.step(path, 'GET', path);
  for (const path of ['/healthz', '/livez', '/readyz']) {
    await t.step(`${path}?verbose`, 'GET', `${path}?verbose`, {
      pick: (text) => [text.split('\n').find((l) => l.includes('ping')), text.trimEnd().split('\n').at(-1)],
    });
  }
  await t.step('a check that does not exist', 'GET', '/readyz/nothing');
  await t.step('excluding a check', 'GET', '/readyz?verbose&exclude=ping', {
    pick: (text) => text.split('\n').filter((l) => l.includes('ping') || l.includes('passed')),
  });
  const res = await t.client.request('GET', '/readyz');
  t.note('its content type', res.headers['content-type']);
  await t.step('/version with a trailing slash', 'GET', '/version/', { pick: (b) => typeof b.gitVersion });
  await t.step('POST to /healthz', 'POST', '/healthz', { body: {} });
  await t.step('the root lists paths', 'GET', '/', {
    pick: (b) =>
      [
        '/api',
        '/api/v1',
        '/apis',
        '/healthz',
        '/livez',
        '/readyz',
        '/openapi/v2',
        '/openapi/v3',
        '/version',
      ].filter((p) => !b.paths.includes(p)),
  });
}

export async function deprecatedVersions(t) {
  const group = 'verbs-deprecated.conf.example.com';
  const ns = await t.namespace('conf-verbs-deprecated');
  await t.crd(
    crd(group, 'Gadget', {
      versions: [
        { name: 'v1' },
        { name: 'v1beta1', deprecated: true },
        { name: 'v1alpha1', deprecated: true, deprecationWarning: 'v1alpha1 goes away; use "v1"' },
      ],
    }),
  );
  const at = (v) => resource(group, v, 'gadgets', ns);
  const lean = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });
  await t.step('create in a deprecated version warns', 'POST', at('v1beta1'), {
    body: custom(group, 'v1beta1', 'Gadget', 'a'),
    pick: lean,
  });
  await t.step('so does get', 'GET', `${at('v1beta1')}/a`, { pick: lean });
  await t.step('and list', 'GET', at('v1beta1'), { pick: (b) => b.kind });
  await t.step('and a get of an object that does not exist', 'GET', `${at('v1beta1')}/nope`);
  await t.step("a warning of one's own", 'GET', `${at('v1alpha1')}/a`, { pick: (b) => b.apiVersion });
  await t.step('patch', 'PATCH', `${at('v1alpha1')}/a`, {
    body: { spec: { x: 1 } },
    type: 'application/merge-patch+json',
    pick: (b) => b.spec,
  });
  await t.step('a deprecation warning beside another warning', 'POST', `${at('v1alpha1')}?dryRun=All`, {
    body: { ...custom(group, 'v1alpha1', 'Gadget', 'b'), metadata: { name: 'b', what: 1 } },
    pick: (b) => b.kind,
  });
  await t.step('the version that is not deprecated', 'GET', `${at('v1')}/a`, { pick: (b) => b.apiVersion });
  await t.step('delete', 'DELETE', `${at('v1beta1')}/a`, { pick: (b) => b.status });
}
