// What objects may hold: strategic merges, selectors, subresources, embedded objects, removed metadata,
// managedFields, admission patches, names of definitions.
import {
  CRDS,
  crd,
  custom,
  integer,
  object,
  open,
  resource,
  string,
} from '../../recordings/lib/fixtures.mjs';
import { admissionAnswer } from '../../recordings/lib/webhook.mjs';

const MAPS = '/api/v1/namespaces/default/configmaps';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';

async function things(t, group, more = {}, properties = {}) {
  const schema = object({
    spec: object({ size: integer, text: string, list: { type: 'array', items: integer }, ...properties }),
    status: object({ ready: integer, selector: string }),
  });
  await t.crd(
    crd(group, 'Thing', {
      versions: [
        {
          name: 'v1',
          schema,
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.size',
              statusReplicasPath: '.status.ready',
              labelSelectorPath: '.status.selector',
            },
          },
          selectableFields: [{ jsonPath: '.spec.text' }],
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        },
      ],
      ...more,
    }),
  );
  const url = resource(group, 'v1', 'things', more.scope === 'Cluster' ? undefined : 'default');
  const make = (name, spec = { size: 1 }, metadata = {}) =>
    custom(group, 'v1', 'Thing', name, { metadata: { name, ...metadata }, spec });
  return { url, make };
}

const PATCHES = [
  '{}',
  '',
  'null',
  '[]',
  '1',
  '"a"',
  '{',
  '{"metadata":null}',
  '{"metadata":{"labels":null}}',
  '{"metadata":{"labels":{"a":null}}}',
  '{"metadata":{"labels":{"a":1}}}',
  '{"metadata":{"labels":[]}}',
  '{"metadata":{"name":"other"}}',
  '{"metadata":{"name":null}}',
  '{"metadata":{"namespace":"other"}}',
  '{"metadata":{"uid":"x"}}',
  '{"metadata":{"resourceVersion":"1"}}',
  '{"metadata":{"resourceVersion":"x"}}',
  '{"metadata":{"resourceVersion":null}}',
  '{"metadata":{"creationTimestamp":null}}',
  '{"metadata":{"creationTimestamp":"x"}}',
  '{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"}}',
  '{"metadata":{"generation":7}}',
  '{"metadata":{"selfLink":"/x"}}',
  '{"metadata":{"clusterName":"x"}}',
  '{"metadata":{"generateName":"x"}}',
  '{"metadata":{"ownerReferences":[{}]}}',
  '{"metadata":{"ownerReferences":{}}}',
  '{"metadata":{"finalizers":["a"]}}',
  '{"metadata":{"finalizers":["a.example.com/x","a.example.com/x"]}}',
  '{"metadata":{"finalizers":"a"}}',
  '{"metadata":{"$patch":"delete"}}',
  '{"metadata":{"labels":{"$patch":"replace","b":"c"}}}',
  '{"$patch":"replace"}',
  '{"$patch":"delete"}',
  '{"$patch":"x"}',
  '{"$patch":1}',
  '{"$retainKeys":["a"]}',
  '{"metadata":{"$retainKeys":["name"]}}',
  '{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}}',
  '{"metadata":{"$setElementOrder/finalizers":["a"]}}',
  '{"metadata":{"$setElementOrder/finalizers":"a"}}',
  '{"kind":"Other"}',
  '{"kind":null}',
  '{"apiVersion":"v2"}',
  '{"apiVersion":null}',
  '{"apiVersion":1}',
  '{"unknown":1}',
  '{"status":{"x":1}}',
  '{"a":1}{"b":2}',
  '{"a":1,"a":2}',
  'a: b',
  '{"metadata":{"labels":{"x":"not valid!"}}}',
  '{"metadata":{"annotations":{"k":"v"}}}',
  '{"metadata":{"unknown":1}}',
  '{"metadata":{"managedFields":[]}}',
  '{"metadata":{"managedFields":null}}',
  '{"metadata":{"managedFields":[{}]}}',
];
const JSON_PATCHES = [
  '[]',
  '',
  '{}',
  'null',
  '[{}]',
  '[1]',
  '[null]',
  '[{"op":"add"}]',
  '[{"op":"x","path":"/a"}]',
  '[{"op":"add","path":"","value":{}}]',
  '[{"op":"add","path":"a","value":1}]',
  '[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]',
  '[{"op":"add","path":"/metadata/annotations/a","value":"b"}]',
  '[{"op":"add","path":"/x/y/z","value":1}]',
  '[{"op":"remove","path":"/none"}]',
  '[{"op":"remove","path":""}]',
  '[{"op":"replace","path":"/none","value":1}]',
  '[{"op":"replace","path":"","value":null}]',
  '[{"op":"test","path":"/none","value":null}]',
  '[{"op":"test","path":"/kind","value":"X"}]',
  '[{"op":"test","path":"/metadata/name","value":"a"}]',
  '[{"op":"test","path":"/metadata/name"}]',
  '[{"op":"move","from":"/metadata/name","path":"/metadata/labels"}]',
  '[{"op":"move","path":"/a"}]',
  '[{"op":"copy","from":"/none","path":"/a"}]',
  '[{"op":"copy","from":"","path":"/metadata/x"}]',
  '[{"op":"copy","from":"/metadata","path":"/metadata/copy"}]',
  '[{"op":"add","path":"/metadata/finalizers/0","value":"a.example.com/b"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["a.example.com/b"]},{"op":"add","path":"/metadata/finalizers/-1","value":"b.example.com/c"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["a.example.com/b"]},{"op":"add","path":"/metadata/finalizers/9","value":"b.example.com/c"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["a.example.com/b"]},{"op":"remove","path":"/metadata/finalizers/-1"}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["a.example.com/b"]},{"op":"replace","path":"/metadata/finalizers/x","value":1}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["a.example.com/b"]},{"op":"add","path":"/metadata/finalizers/01","value":"b.example.com/c"}]',
  '[{"op":"add","path":"/metadata/~2","value":1}]',
  '[{"op":"add","path":"/metadata/labels","value":{"a~b":"c"}}]',
  '[{"op":"replace","path":"/metadata/name","value":"x"}]',
  '[{"op":"remove","path":"/metadata/name"}]',
  '[{"op":"remove","path":"/metadata"}]',
  '[{"op":"remove","path":"/kind"}]',
  '[{"op":"replace","path":"/kind","value":"X"}]',
  '[{"op":"replace","path":"/apiVersion","value":"x/v1"}]',
  '[{"op":"add","path":"/metadata/labels","value":null}]',
  '[{"op":"add","path":"/unknown","value":1}]',
  '[{"op":"ADD","path":"/metadata/labels","value":{}}]',
  '[{"op":"add","path":"/metadata/labels","value":{},"extra":1}]',
  '[{"op":"add","path":1,"value":1}]',
  '[{"op":"add","path":"/metadata/labels/a/b","value":1}]',
  '[{"op":"add","path":"/kind/a","value":1}]',
];
const lean = ({ metadata: { managedFields, ...metadata } = {}, ...rest }) => ({ ...rest, metadata });

export async function patches(t) {
  const { url, make } = await things(t, 'patches.compare.example.com');
  await t.setup('POST', url, { body: make('a', { size: 1, text: 'x', list: [1] }) });
  await t.setup('POST', MAPS, {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'patched' }, data: { a: 'b' } },
  });
  await t.setup('POST', '/api/v1/namespaces/default/services', {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'patched' },
      spec: {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
    },
  });
  await t.setup('POST', '/apis/apps/v1/namespaces/default/deployments', {
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'patched' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [
              { name: 'c', image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] },
            ],
          },
        },
      },
    },
  });
  t.onEnd(() => t.setup('DELETE', '/apis/apps/v1/namespaces/default/deployments/patched'));
  t.onEnd(() => t.setup('DELETE', '/api/v1/namespaces/default/services/patched'));
  t.onEnd(() => t.setup('DELETE', `${MAPS}/patched`));
  const targets = [
    ['a custom resource', `${url}/a`],
    ['its status', `${url}/a/status`],
    ['its scale', `${url}/a/scale`],
    ['a map', `${MAPS}/patched`],
    ['a definition', `${CRDS}/things.patches.compare.example.com`],
    ['a namespace', '/api/v1/namespaces/default'],
  ];
  for (const [what, target] of targets) {
    for (const type of [merge, strategic])
      for (const body of PATCHES)
        await t.ask(`${what} ${type.slice(12, 17)}: ${body}`, 'PATCH', `${target}?dryRun=All`, {
          body,
          type,
          pick: lean,
        });
    for (const body of JSON_PATCHES)
      await t.ask(`${what}: ${body}`, 'PATCH', `${target}?dryRun=All`, { body, type: jsonPatch, pick: lean });
  }
  const SPECS = [
    '{"spec":null}',
    '{"spec":{"ports":null}}',
    '{"spec":{"ports":[{"port":80,"name":"x"}]}}',
    '{"spec":{"ports":[{"name":"x"}]}}',
    '{"spec":{"ports":[{"port":82}]}}',
    '{"spec":{"ports":[{"port":81,"$patch":"delete"}]}}',
    '{"spec":{"ports":[{"$patch":"replace"},{"port":83}]}}',
    '{"spec":{"ports":[{"$patch":"x"}]}}',
    '{"spec":{"ports":[1]}}',
    '{"spec":{"ports":{}}}',
    '{"spec":{"ports":"a"}}',
    '{"spec":{"$setElementOrder/ports":[{"port":81},{"port":80}],"ports":[{"port":80,"name":"z"}]}}',
    '{"spec":{"$setElementOrder/ports":[{"port":81}],"ports":[{"port":80,"name":"z"}]}}',
    '{"spec":{"$retainKeys":["ports"],"ports":[]}}',
    '{"spec":{"$retainKeys":["type"],"ports":[{"port":80}]}}',
    '{"spec":{"$patch":"replace","ports":[{"port":99}]}}',
    '{"spec":{"selector":{"$patch":"replace","a":"b"}}}',
    '{"spec":{"externalIPs":["1.2.3.4"]}}',
    '{"spec":{"$deleteFromPrimitiveList/externalIPs":["1.2.3.4"]}}',
    '{"spec":{"$deleteFromPrimitiveList/none":["1.2.3.4"]}}',
    '{"spec":{"sessionAffinity":1}}',
    '{"spec":{"unknown":{"a":1}}}',
    '{"spec":{"ports":[{"port":80,"port":81}]}}',
    '{"spec":{"ports":[null]}}',
    '{"spec":{"ports":[{"port":null}]}}',
  ];
  for (const body of SPECS)
    await t.ask(`a service: ${body}`, 'PATCH', '/api/v1/namespaces/default/services/patched?dryRun=All', {
      body,
      type: strategic,
      pick: ({ spec }) => ({ ...spec, clusterIP: '', clusterIPs: '' }),
    });
  const pod = (containers) => `{"spec":{"template":{"spec":{"containers":${containers}}}}}`;
  for (const body of [
    pod('[{"name":"c","image":"j"}]'),
    pod('[{"image":"j"}]'),
    pod('[{"name":"d","image":"j"}]'),
    pod('[{"name":"c","$patch":"delete"}]'),
    pod('[{"name":"c","env":[{"name":"A","value":"2"},{"name":"B","value":"1"}]}]'),
    pod('[{"name":"c","env":[{"name":"A","$patch":"delete"}]}]'),
    pod('[{"name":"c","ports":[{"containerPort":81}]}]'),
    pod('[{"name":"c","ports":[{"containerPort":80,"protocol":"UDP"}]}]'),
    pod('[{"name":"c","ports":[{"$patch":"replace"}]}]'),
    pod('null'),
    '{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}',
    '{"spec":{"strategy":{"type":"Recreate"}}}',
    '{"spec":{"template":{"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}}}',
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"x"},{"name":"c"}],"containers":[{"name":"x","image":"y"}]}}}}',
    '{"spec":{"replicas":"1"}}',
    '{"spec":{"replicas":null}}',
    '{"spec":{"selector":null}}',
    '{"status":{"replicas":3}}',
  ])
    await t.ask(
      `a deployment: ${body}`,
      'PATCH',
      '/apis/apps/v1/namespaces/default/deployments/patched?dryRun=All',
      { body, type: strategic, pick: ({ spec }) => spec },
    );
}

export async function selectors(t) {
  const SELECTORS = [
    'metadata.name=a',
    'metadata.name!=a',
    'metadata.name==a',
    'metadata.name=',
    'metadata.namespace=',
    'metadata.namespace=default',
    'metadata.namespace!=default',
    'metadata.namespace!=',
    'metadata.uid=x',
    'metadata.labels.a=b',
    'spec.text=x',
    'spec.text=',
    'spec.text!=x',
    'spec.size=1',
    '.spec.text=x',
    'spec.text=x,metadata.name=b',
    'metadata.name=a,metadata.namespace=',
    'name=a',
    'metadata.name in (a)',
    'metadata.name>a',
    'METADATA.NAME=a',
    ' metadata.name = a',
    'metadata.name=a,',
    'status.phase=Active',
    'status.ready=1',
    'spec.type=ClusterIP',
  ];
  for (const scope of ['Cluster', 'Namespaced']) {
    const { url, make } = await things(t, `${scope.toLowerCase()}.compare.example.com`, { scope });
    for (const name of ['a', 'b'])
      await t.setup('POST', url, { body: make(name, { size: 1, text: name === 'a' ? 'x' : undefined }) });
    const all = resource(`${scope.toLowerCase()}.compare.example.com`, 'v1', 'things');
    for (const selector of SELECTORS)
      for (const [verb, target, method] of [
        ['list', url, 'GET'],
        ['list of all', all, 'GET'],
        ['watch', url, 'GET'],
        ['delete', url, 'DELETE'],
      ])
        await t.ask(
          `${scope} ${verb} ${selector}`,
          method,
          `${target}?fieldSelector=${encodeURIComponent(selector)}${verb === 'watch' ? '&watch=true&timeoutSeconds=1&resourceVersion=0' : ''}${verb === 'delete' ? '&dryRun=All' : ''}`,
          {
            pick: (b) =>
              typeof b === 'string'
                ? b
                    .split('\n')
                    .filter((l) => l)
                    .map((l) => JSON.parse(l))
                    .map(({ type, object: o }) => [type, o.metadata?.name])
                    .sort()
                : b.items?.map(({ metadata }) => metadata.name),
          },
        );
  }
  for (const plural of [
    'namespaces',
    'namespaces/default/configmaps',
    'namespaces/default/secrets',
    'namespaces/default/services',
    'namespaces/default/events',
    'nodes',
    'namespaces/default/pods',
    'persistentvolumes',
  ])
    for (const selector of SELECTORS.concat([
      'type=Opaque',
      'reason=x',
      'involvedObject.name=x',
      'spec.nodeName=x',
      'status.podIP=x',
      'spec.unschedulable=true',
      'status.phase!=Active',
    ]))
      await t.ask(
        `${plural} ${selector}`,
        'GET',
        `/api/v1/${plural}?fieldSelector=${encodeURIComponent(selector)}`,
        { pick: (b) => b.kind },
      );
}

const AS = ['PartialObjectMetadata', 'PartialObjectMetadataList', 'Table', 'Status'];
export async function representations(t) {
  const { url, make } = await things(t, 'shown.compare.example.com');
  await t.setup('POST', url, { body: make('a') });
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'shown' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  };
  await t.setup('POST', '/apis/apps/v1/namespaces/default/deployments', { body: deployment });
  t.onEnd(() => t.setup('DELETE', '/apis/apps/v1/namespaces/default/deployments/shown'));
  const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/shown';
  const noTimes = (b) => ({
    ...b,
    columnDefinitions: b.columnDefinitions?.map(({ name, type, format, priority }) => ({
      name,
      type,
      format,
      priority,
    })),
    rows: b.rows?.map((r) => ({
      ...r,
      cells: r.cells.map((c) => (/^\d+[sm]/.test(c) ? 'age' : c)),
      object: r.object && lean(r.object),
    })),
    ...(b.metadata && lean(b)),
  });
  for (const version of ['v1', 'v1beta1'])
    for (const as of AS) {
      const headers = { accept: `application/json;as=${as};g=meta.k8s.io;v=${version}` };
      for (const target of [
        `${url}/a`,
        `${url}/a/status`,
        `${url}/a/scale`,
        url,
        DEPLOYMENT,
        `${DEPLOYMENT}/status`,
        `${DEPLOYMENT}/scale`,
        `${CRDS}/things.shown.compare.example.com`,
        `${CRDS}/things.shown.compare.example.com/status`,
        '/api/v1/namespaces/default/status',
        '/apis/apiregistration.k8s.io/v1/apiservices/v1.',
        '/api/v1/namespaces/default/services/kubernetes',
      ].slice(0, 10)) {
        await t.ask(`${target} as ${as} ${version}`, 'GET', target, { headers, pick: noTimes });
        await t.ask(`${target} as ${as} ${version}, patched`, 'PATCH', `${target}?dryRun=All`, {
          headers,
          body: '{"metadata":{"annotations":{"x":"y"}}}',
          type: merge,
          pick: noTimes,
        });
      }
      await t.ask(`created as ${as} ${version}`, 'POST', `${url}?dryRun=All`, {
        headers,
        body: make('n'),
        pick: noTimes,
      });
      await t.ask(`deleted as ${as} ${version}`, 'DELETE', `${url}/a?dryRun=All`, { headers, pick: noTimes });
      await t.ask(`all deleted as ${as} ${version}`, 'DELETE', `${url}?dryRun=All`, {
        headers,
        pick: noTimes,
      });
      await t.ask(
        `watched as ${as} ${version}`,
        'GET',
        `${url}?watch=true&timeoutSeconds=2&resourceVersion=0`,
        {
          headers,
          pick: (b) =>
            [b]
              .flat()
              .map(({ type, object: o }) => [type, o.kind, o.apiVersion, o.columnDefinitions?.length]),
        },
      );
      await t.ask(
        `review as ${as} ${version}`,
        'POST',
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        {
          headers,
          body: {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SelfSubjectAccessReview',
            spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
          },
          pick: (b) => b.kind,
        },
      );
      await t.ask(`apply as ${as} ${version}`, 'PATCH', `${url}/a?dryRun=All&fieldManager=m`, {
        headers,
        body: make('a', {}),
        type: apply,
        pick: noTimes,
      });
      await t.ask(`scale put as ${as} ${version}`, 'PUT', `${url}/a/scale?dryRun=All`, {
        headers,
        body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 2 } },
        pick: noTimes,
      });
    }
}

const META = [
  'null',
  '1',
  '"a"',
  '[]',
  '{}',
  '{"name":1}',
  '{"name":null}',
  '{"name":"A B"}',
  '{"name":""}',
  '{"namespace":"A B"}',
  '{"generateName":1}',
  '{"labels":null}',
  '{"labels":{"a":1}}',
  '{"labels":{"a":null}}',
  '{"labels":{"a b":"c"}}',
  '{"labels":{"a":"b c"}}',
  '{"labels":[]}',
  '{"labels":"x"}',
  '{"annotations":{"a":1}}',
  '{"annotations":{"A B":"x"}}',
  '{"annotations":{"a":true,"b":"c"}}',
  '{"finalizers":[1]}',
  '{"finalizers":"x"}',
  '{"finalizers":["a"]}',
  '{"finalizers":["a b"]}',
  '{"finalizers":null}',
  '{"ownerReferences":[{}]}',
  '{"ownerReferences":[{"apiVersion":"v1","kind":"X","name":"n","uid":"u"}]}',
  '{"ownerReferences":[{"apiVersion":"v1","kind":"X","name":"n","uid":"u","controller":true},{"apiVersion":"v1","kind":"Y","name":"m","uid":"v","controller":true}]}',
  '{"ownerReferences":[{"apiVersion":"v1","kind":"Event","name":"n","uid":"u"}]}',
  '{"ownerReferences":{}}',
  '{"ownerReferences":[1]}',
  '{"ownerReferences":[{"apiVersion":1}]}',
  '{"ownerReferences":[{"apiVersion":"v1","kind":"X","name":"n","uid":"u","extra":1}]}',
  '{"creationTimestamp":null}',
  '{"creationTimestamp":"x"}',
  '{"creationTimestamp":1}',
  '{"creationTimestamp":"2020-01-01T00:00:00Z"}',
  '{"creationTimestamp":"2020-01-01T00:00:00+01:00"}',
  '{"deletionTimestamp":"2020-01-01T00:00:00Z"}',
  '{"deletionGracePeriodSeconds":1}',
  '{"deletionGracePeriodSeconds":"1"}',
  '{"generation":5}',
  '{"generation":"5"}',
  '{"generation":1.0}',
  '{"generation":-1}',
  '{"resourceVersion":"1"}',
  '{"resourceVersion":1}',
  '{"resourceVersion":"abc"}',
  '{"uid":"abc"}',
  '{"uid":1}',
  '{"selfLink":"/a"}',
  '{"selfLink":1}',
  '{"clusterName":"x"}',
  '{"initializers":{}}',
  '{"unknown":1}',
  '{"managedFields":null}',
  '{"managedFields":[]}',
  '{"managedFields":{}}',
  '{"managedFields":[{}]}',
  '{"managedFields":[{"manager":"m"}]}',
  '{"managedFields":[{"operation":"X"}]}',
  '{"Name":"x"}',
  '{"labels":{"a":"b"},"Labels":{"c":"d"}}',
];

export async function metadata(t) {
  const group = 'meta.compare.example.com';
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  const { url } = await things(
    t,
    group,
    {},
    {
      pod: embedded,
      pods: { type: 'array', items: embedded },
      tree: { type: 'object', additionalProperties: embedded },
    },
  );
  await t.setup('POST', url, { body: custom(group, 'v1', 'Thing', 'there') });
  await t.setup('POST', MAPS, { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there' } } });
  t.onEnd(() => t.setup('DELETE', `${MAPS}/there`));
  for (const meta of META) {
    const named =
      meta.startsWith('{') && !meta.includes('"name":') && !meta.includes('generateName')
        ? meta.replace('{', meta === '{}' ? '{"name":"n"' : '{"name":"n",')
        : meta;
    for (const validation of ['Strict', 'Warn']) {
      await t.ask(
        `create ${validation}: ${meta}`,
        'POST',
        `${url}?dryRun=All&fieldValidation=${validation}`,
        { body: `{"apiVersion":"${group}/v1","kind":"Thing","metadata":${named}}`, pick: lean },
      );
      await t.ask(
        `embedded ${validation}: ${meta}`,
        'POST',
        `${url}?dryRun=All&fieldValidation=${validation}`,
        {
          body: `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"e"},"spec":{"pod":{"apiVersion":"v1","kind":"Pod","metadata":${meta}}}}`,
          pick: ({ spec }) => spec,
        },
      );
      await t.ask(`map ${validation}: ${meta}`, 'POST', `${MAPS}?dryRun=All&fieldValidation=${validation}`, {
        body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":${named}}`,
        pick: lean,
      });
    }
    const there = named.replace('"name":"n"', '"name":"there"');
    await t.ask(`replace: ${meta}`, 'PUT', `${url}/there?dryRun=All`, {
      body: `{"apiVersion":"${group}/v1","kind":"Thing","metadata":${there}}`,
      pick: lean,
    });
    await t.ask(`replace a map: ${meta}`, 'PUT', `${MAPS}/there?dryRun=All`, {
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":${there}}`,
      pick: lean,
    });
    await t.ask(`apply: ${meta}`, 'PATCH', `${url}/there?dryRun=All&fieldManager=m`, {
      body: `{"apiVersion":"${group}/v1","kind":"Thing","metadata":${there}}`,
      type: apply,
      pick: lean,
    });
    await t.ask(`apply a map: ${meta}`, 'PATCH', `${MAPS}/there?dryRun=All&fieldManager=m`, {
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":${there}}`,
      type: apply,
      pick: lean,
    });
    await t.ask(`merge patch: ${meta}`, 'PATCH', `${url}/there?dryRun=All`, {
      body: `{"metadata":${there}}`,
      type: merge,
      pick: lean,
    });
    await t.ask(`merge patch of a map: ${meta}`, 'PATCH', `${MAPS}/there?dryRun=All`, {
      body: `{"metadata":${there}}`,
      type: merge,
      pick: lean,
    });
  }
  for (const field of ['pods":[POD]', 'tree":{"a":POD}'])
    for (const meta of ['{"generateName":1}', '{"labels":{"a":1}}', '{"name":"A B"}', '1', '{"unknown":1}']) {
      const spec = `{"${field.replace('POD', `{"apiVersion":"v1","kind":"Pod","metadata":${meta}}`)}}`;
      await t.ask(`embedded in ${field}: ${meta}`, 'POST', `${url}?dryRun=All`, {
        body: `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"e"},"spec":${spec}}`,
        pick: (b) => b.spec,
      });
    }
  for (const pod of [
    'null',
    '{}',
    '[]',
    '1',
    '{"apiVersion":"v1"}',
    '{"kind":"X"}',
    '{"apiVersion":1,"kind":"X"}',
    '{"apiVersion":"a/b/c","kind":"X"}',
    '{"apiVersion":"v1","kind":"x y"}',
    '{"apiVersion":"","kind":""}',
    '{"apiVersion":"v1","kind":[]}',
    '{"apiVersion":"/","kind":"X"}',
    '{"apiVersion":"V1","kind":"X"}',
    '{"apiVersion":"a.b/v1","kind":"X","metadata":{"name":"n"},"items":[]}',
    '{"apiVersion":"v1","kind":"X","spec":{"a":null}}',
  ])
    await t.ask(`embedded object ${pod}`, 'POST', `${url}?dryRun=All`, {
      body: `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"e"},"spec":{"pod":${pod}}}`,
      pick: ({ spec }) => spec,
    });
}

export async function managedFields(t) {
  const { url, make } = await things(t, 'owned.compare.example.com');
  const f = (more) =>
    `[{"manager":"m","operation":"Apply","apiVersion":"owned.compare.example.com/v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:size":{}}}${more}}]`;
  const FIELDS = [
    f(''),
    f(',"subresource":"status"'),
    f(',"x":1'),
    '[{"manager":"m"}]',
    '[{"manager":"m","operation":"Update"}]',
    f('').replace('Apply', 'X'),
    f('').replace('Apply', ''),
    f('').replace('FieldsV1"', 'FieldsV2"'),
    f('').replace('"f:spec"', '"spec"'),
    f('').replace('"f:size":{}', '"f:size":1'),
    f('').replace('"f:size":{}', '"f:size":{"f:x":{}}'),
    f('').replace('"f:size":{}', '"k:{}":{}'),
    f('').replace('"f:size":{}', '"k:{\\"a\\":1}":{}'),
    f('').replace('"f:size":{}', '"k:x":{}'),
    f('').replace('"f:size":{}', '"v:x":{}'),
    f('').replace('"f:size":{}', '"v:\\"x\\"":{}'),
    f('').replace('"f:size":{}', '"i:x":{}'),
    f('').replace('"f:size":{}', '"i:0":{}'),
    f('').replace('"f:size":{}', '"i:-1":{}'),
    f('').replace('"f:size":{}', '".":{}'),
    f('').replace('"f:size":{}', '"x:y":{}'),
    f('').replace('"f:size":{}', '"f":{}'),
    f('').replace('"f:size":{}', '"":{}'),
    f('').replace('"f:size":{}', '"f:":{}'),
    f('').replace('owned.compare.example.com/v1', 'v1'),
    f('').replace('owned.compare.example.com/v1', 'owned.compare.example.com/v9'),
    f('').replace('owned.compare.example.com/v1', ''),
    f('').replace('owned.compare.example.com/v1', 'a/b/c'),
    f('').replace('"2020-01-01T00:00:00Z"', '"x"'),
    f('').replace('"2020-01-01T00:00:00Z"', 'null'),
    f('').replace('"m"', '""'),
    f('').replace('"m"', `"${'m'.repeat(200)}"`),
    f('').replace('"m"', '"a\\nb"'),
    f('').replace('{"f:spec":{"f:size":{}}}', 'null'),
    f('').replace('{"f:spec":{"f:size":{}}}', '{}'),
    f('').replace('{"f:spec":{"f:size":{}}}', '"x"'),
    f('').replace('{"f:spec":{"f:size":{}}}', '[]'),
    f('').replace('{"f:spec":{"f:size":{}}}', '1'),
    '[]',
    '[{}]',
    'null',
    '{}',
    '"x"',
    '[null]',
    `${f('').slice(0, -1)},${f('').slice(1)}`,
    `${f('').slice(0, -1)},${f('').slice(1).replace('Apply', 'Update')}`,
  ];
  const pick = ({ metadata, kind, spec }) => ({
    kind,
    spec,
    fields: metadata?.managedFields?.map(({ time, ...rest }) => rest),
  });
  for (const [i, fields] of FIELDS.entries()) {
    const name = `o${i}`;
    const body = (more = '') =>
      `{"apiVersion":"owned.compare.example.com/v1","kind":"Thing","metadata":{"name":"${name}","managedFields":${fields}},"spec":{"size":1}${more}}`;
    await t.ask(`create ${fields}`, 'POST', `${url}?fieldManager=c`, { body: body(), pick });
    await t.ask(`then read ${fields}`, 'GET', `${url}/${name}`, { pick });
    const bare = JSON.stringify(make(name, { size: 2 }));
    await t.ask(`then apply ${fields}`, 'PATCH', `${url}/${name}?fieldManager=a`, {
      body: bare,
      type: apply,
      pick,
    });
    await t.ask(`replace ${fields}`, 'PUT', `${url}/${name}?fieldManager=u`, { body: body(), pick });
    await t.ask(`patch ${fields}`, 'PATCH', `${url}/${name}?fieldManager=p`, {
      body: `{"metadata":{"managedFields":${fields}},"spec":{"size":3}}`,
      type: merge,
      pick,
    });
    await t.ask(`apply with ${fields}`, 'PATCH', `${url}/${name}?fieldManager=a&force=true`, {
      body: body(),
      type: apply,
      pick,
    });
    const mapOf = (m) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"owned${i}","managedFields":${m}},"data":{"size":"1"}}`;
    await t.ask(`create a map ${fields}`, 'POST', `${MAPS}?fieldManager=c`, {
      body: mapOf(fields.replaceAll('owned.compare.example.com/v1', 'v1')),
      pick,
    });
    await t.ask(`patch a map ${fields}`, 'PATCH', `${MAPS}/owned${i}?fieldManager=c`, {
      body: `{"metadata":{"managedFields":${fields}},"data":{"size":"3"}}`,
      type: merge,
      pick,
    });
  }
}

export async function names(t) {
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  // kube-apiserver's order changes with every change.
  const entry = (list) =>
    list.resources
      ?.sort(byName)
      .map(({ name, singularName, kind, shortNames, categories, storageVersionHash, verbs }) => ({
        name,
        singularName,
        kind,
        shortNames,
        categories,
        hash: storageVersionHash !== undefined,
        verbs,
      }));
  const first = crd('names.compare.example.com', 'Foo', {
    names: { plural: 'foos', shortNames: ['fo', 'f'], categories: ['all'] },
  });
  await t.crd(first);
  const V1 = '/apis/names.compare.example.com/v1';
  await t.ask('discovery', 'GET', V1, { pick: entry });
  const hash = (b) => b.resources?.map(({ name, storageVersionHash }) => [name, storageVersionHash]);
  await t.ask('hash', 'GET', V1, { pick: hash });
  const clashes = {
    kind: { plural: 'bars', kind: 'Foo', listKind: 'BarList' },
    listKind: { plural: 'bazs', listKind: 'FooList' },
    singular: { plural: 'quxs', singular: 'foo' },
    shortName: { plural: 'zips', shortNames: ['fo'] },
    shortOfPlural: { plural: 'zaps', shortNames: ['foos'] },
  };
  for (const [what, names] of Object.entries(clashes)) {
    const kind = names.kind ?? names.plural.slice(0, 1).toUpperCase() + names.plural.slice(1, -1);
    await t.setup('POST', CRDS, {
      body: crd('names.compare.example.com', kind, {
        names: { singular: names.plural.slice(0, -1), kind, ...names },
      }),
    });
    const target = `${CRDS}/${names.plural}.names.compare.example.com`;
    await t.until(target, (_, b) => b.status?.conditions?.some(({ type }) => type === 'NamesAccepted'));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await t.ask(`${what}: status`, 'GET', target, {
      pick: ({ status }) => ({
        ...status,
        conditions: status.conditions?.map(({ lastTransitionTime, ...c }) => c),
      }),
    });
    await t.ask(`${what}: discovery`, 'GET', V1, { pick: entry });
    await t.ask(`${what}: list`, 'GET', `${V1}/namespaces/default/${names.plural}`, { pick: (b) => b.kind });
    await t.ask(`${what}: create`, 'POST', `${V1}/namespaces/default/${names.plural}?dryRun=All`, {
      body: custom('names.compare.example.com', 'v1', kind, 'x'),
      pick: (b) => b.kind,
    });
    await t.ask(`${what}: aggregated`, 'GET', '/apis', {
      headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
      pick: ({ items }) =>
        items?.find(({ metadata: { name } }) => name === 'names.compare.example.com')?.versions,
    });
    t.onEnd(() => t.setup('DELETE', target));
  }
  for (const [what, body] of [
    ['short names', '{"spec":{"names":{"shortNames":["foz"]}}}'],
    ['singular', '{"spec":{"names":{"singular":"fooo"}}}'],
    ['kind', '{"spec":{"names":{"kind":"Fooz","listKind":"FoozList"}}}'],
    ['taken kind', '{"spec":{"names":{"kind":"Quxs"}}}'],
    ['categories', '{"spec":{"names":{"categories":["none"]}}}'],
    ['plural', '{"spec":{"names":{"plural":"other"}}}'],
    ['scope', '{"spec":{"scope":"Cluster"}}'],
    ['group', '{"spec":{"group":"x.example.com"}}'],
  ]) {
    await t.ask(`change ${what}`, 'PATCH', `${CRDS}/foos.names.compare.example.com`, {
      body,
      type: merge,
      pick: ({ spec }) => spec.names,
    });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await t.ask(`changed ${what}: status`, 'GET', `${CRDS}/foos.names.compare.example.com`, {
      pick: ({ status }) => ({
        names: status.acceptedNames,
        conditions: status.conditions?.map(({ lastTransitionTime, ...c }) => c),
      }),
    });
    await t.ask(`changed ${what}: discovery`, 'GET', V1, { pick: (b) => [entry(b), hash(b)] });
    await t.ask(`changed ${what}: list`, 'GET', `${V1}/namespaces/default/foos`, { pick: (b) => b.kind });
  }
}

const WEBHOOK_PATCHES = [
  'null',
  '[]',
  '{}',
  '""',
  '1',
  '[null]',
  '[{}]',
  'x',
  '[{"op":"add","path":"","value":null}]',
  '[{"op":"replace","path":"","value":null}]',
  '[{"op":"replace","path":"","value":{}}]',
  '[{"op":"replace","path":"","value":[]}]',
  '[{"op":"replace","path":"","value":"x"}]',
  '[{"op":"replace","path":"","value":WHOLE}]',
  '[{"op":"remove","path":""}]',
  '[{"op":"add","path":"/spec/size","value":null}]',
  '[{"op":"add","path":"/spec/none/deep","value":1}]',
  '[{"op":"add","path":"/metadata/labels/x","value":"y"}]',
  '[{"op":"add","path":"/metadata/labels","value":{"x":"y"}}]',
  '[{"op":"remove","path":"/spec/none"}]',
  '[{"op":"remove","path":"/none/deep"}]',
  '[{"op":"replace","path":"/spec/none","value":1}]',
  '[{"op":"replace","path":"/none","value":1}]',
  '[{"op":"test","path":"/spec/size","value":2}]',
  '[{"op":"test","path":"/spec/size","value":1}]',
  '[{"op":"test","path":"/spec/size","value":1.0}]',
  '[{"op":"test","path":"/spec/none","value":null}]',
  '[{"op":"test","path":"/spec/none","value":1}]',
  '[{"op":"copy","from":"/spec","path":"/metadata/labels"}]',
  '[{"op":"copy","from":"/none","path":"/spec/x"}]',
  '[{"op":"move","from":"/spec/size","path":"/spec/text"}]',
  '[{"op":"move","from":"/none","path":"/spec/text"}]',
  '[{"op":"add","path":"/spec/list/-","value":9}]',
  '[{"op":"add","path":"/spec/list/0","value":9}]',
  '[{"op":"add","path":"/spec/list/5","value":9}]',
  '[{"op":"add","path":"/spec/list/-1","value":9}]',
  '[{"op":"remove","path":"/spec/list/-1"}]',
  '[{"op":"remove","path":"/spec/list/9"}]',
  '[{"op":"add","path":"/spec/list/x","value":9}]',
  '[{"op":"add","path":"/spec/unknown","value":9}]',
  '[{"op":"add","path":"/metadata/name","value":"other"}]',
  '[{"op":"add","path":"/metadata/namespace","value":"other"}]',
  '[{"op":"add","path":"/metadata/uid","value":"other"}]',
  '[{"op":"add","path":"/metadata/resourceVersion","value":"7"}]',
  '[{"op":"add","path":"/metadata/selfLink","value":"/x"}]',
  '[{"op":"add","path":"/metadata/generation","value":9}]',
  '[{"op":"add","path":"/metadata/managedFields","value":[]}]',
  '[{"op":"add","path":"/metadata/finalizers","value":["bad name"]}]',
  '[{"op":"add","path":"/metadata/labels","value":{"a":1}}]',
  '[{"op":"add","path":"/metadata/labels","value":[]}]',
  '[{"op":"add","path":"/metadata","value":null}]',
  '[{"op":"remove","path":"/metadata"}]',
  '[{"op":"replace","path":"/kind","value":"Other"}]',
  '[{"op":"replace","path":"/apiVersion","value":"v9"}]',
  '[{"op":"remove","path":"/kind"}]',
  '[{"op":"add","path":"/status","value":{"ready":1}}]',
  '[{"op":"replace","path":"/spec/size","value":"x"}]',
  '[{"op":"replace","path":"/spec/size","value":2.0}]',
  '[{"op":"replace","path":"/spec","value":null}]',
  '[{"op":"x","path":"/spec"}]',
  '[{"op":"add","path":"spec","value":1}]',
  '[{"op":"add","value":1}]',
  '[{"path":"/spec","value":1}]',
  '[{"op":"add","path":"/spec"}]',
  '[{"op":"add","path":"/spec/size","value":1,"extra":true}]',
];

export async function webhookPatches(t) {
  const group = 'hooked.compare.example.com';
  const { url, make } = await things(t, group);
  let patch = 'null';
  const webhook = await t.webhook((review) => {
    const whole = { ...review.request.object, spec: { ...review.request.object?.spec, size: 42 } };
    return {
      apiVersion: review.apiVersion,
      kind: 'AdmissionReview',
      response: {
        uid: review.request.uid,
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(patch.replace('WHOLE', JSON.stringify(whole))).toString('base64'),
      },
    };
  });
  const configuration = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  await t.setup('POST', configuration, {
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'compare' },
      webhooks: [
        {
          name: 'a.compare.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: webhook.url, caBundle: webhook.caBundle },
          rules: [
            { apiGroups: [group], apiVersions: ['*'], resources: ['*'], operations: ['*'] },
            { apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'], operations: ['CREATE'] },
          ],
        },
      ],
    },
  });
  t.onEnd(() => t.setup('DELETE', `${configuration}/compare`));
  patch = '[{"op":"add","path":"/metadata/annotations","value":{"seen":"yes"}}]';
  for (let tries = 0; tries < 60; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await t.ask('warm-up', 'POST', `${url}?dryRun=All`, { body: make('w'), pick: () => 0 });
  }
  for (const next of WEBHOOK_PATCHES) {
    patch = next;
    await t.ask(`custom resource ${next}`, 'POST', `${url}?dryRun=All`, {
      body: make('n', { size: 1, text: 'x', list: [1, 2] }),
      pick: lean,
    });
    await t.ask(`map ${next}`, 'POST', `${MAPS}?dryRun=All`, {
      body: JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'n' },
        data: { size: '1' },
      }),
      pick: lean,
    });
  }
  void admissionAnswer;
  void open;
}
