// Content types, query parameters, option bodies, paths.
import { CRDS, crd, custom, integer, object, resource } from '../../recordings/lib/fixtures.mjs';

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name, data = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const lean = ({ metadata: { managedFields, ...metadata } = {}, ...rest }) => ({ ...rest, metadata });
const json = 'application/json';

async function things(t, group) {
  const schema = object({
    spec: object({ size: integer, text: { type: 'string' } }),
    status: object({ ready: integer }),
  });
  await t.crd(
    crd(group, 'Thing', {
      versions: [
        {
          name: 'v1',
          schema,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' },
          },
          selectableFields: [{ jsonPath: '.spec.text' }],
        },
      ],
    }),
  );
  const url = resource(group, 'v1', 'things', 'default');
  const make = (name, spec = { size: 1 }) => custom(group, 'v1', 'Thing', name, { spec });
  await t.setup('POST', url, { body: make('a', { size: 1, text: 'x' }) });
  return { url, make };
}

export async function contentTypes(t) {
  const { url, make } = await things(t, 'types.compare.example.com');
  const TYPES = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=latin1',
    'application/json; a=b; c',
    'application/json;',
    'application/json,',
    'application/json, text/plain',
    'text/plain',
    'application/yaml',
    'APPLICATION/YAML',
    'text/yaml',
    'application/x-yaml',
    'application/*',
    '*/*',
    'json',
    'application/',
    '/json',
    ';',
    ' application/json ',
    'application/json; charset="utf-8',
    'application/vnd.kubernetes.protobuf',
    'application/cbor',
    'application/json-patch+json',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'application/json;stream=watch',
    'application/vnd.api+json',
    '"application/json"',
  ];
  for (const type of TYPES) {
    await t.ask(`POST of a custom resource as ${type}`, 'POST', `${url}?dryRun=All`, {
      body: make('b'),
      type,
      pick: lean,
    });
    await t.ask(`POST of a map as ${type}`, 'POST', `${MAPS}?dryRun=All`, {
      body: map('b'),
      type,
      pick: lean,
    });
    await t.ask(`PUT as ${type}`, 'PUT', `${url}/a?dryRun=All`, { body: make('a'), type, pick: lean });
    await t.ask(`DELETE options as ${type}`, 'DELETE', `${url}/a?dryRun=All`, {
      body: '{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}',
      type,
      pick: lean,
    });
  }
  for (const type of [
    'application/merge-patch+json',
    'Application/Merge-Patch+JSON',
    'application/merge-patch+json; charset=utf-8',
    'application/merge-patch+json;a',
    'application/json',
    'text/plain',
    'application/strategic-merge-patch+json',
    'application/json-patch+json;charset=utf-8',
    'application/apply-patch+yaml;x=y',
    'application/apply-patch+json',
    'application/apply-patch',
    'application/apply-patch+cbor',
    '*/*',
    'application/merge-patch',
    '',
    'application/merge-patch+json, application/json',
    'application/merge-patch+yaml',
  ])
    for (const target of [`${url}/a`, '/api/v1/namespaces/default'])
      await t.ask(
        `PATCH of ${target.split('/').at(-1)} as ${type}`,
        'PATCH',
        `${target}?dryRun=All&fieldManager=x`,
        {
          body: '{}',
          type,
          pick: lean,
        },
      );
}

export async function accepted(t) {
  const { url } = await things(t, 'accepted.compare.example.com');
  const ACCEPT = [
    '',
    '*/*',
    'application/*',
    'application/json',
    'Application/JSON',
    'application/json;q=0',
    'text/html',
    'text/html, */*;q=0.1',
    'application/yaml',
    'application/json;as=Table;g=meta.k8s.io;v=v1',
    'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
    'application/json;as=Table;g=meta.k8s.io;v=v2',
    'application/json;as=table;g=meta.k8s.io;v=v1',
    'application/json;as=Table;v=v1',
    'application/json;as=Table;g=meta.k8s.io',
    'application/json;as=Table',
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1',
    'application/json;as=Nothing;g=meta.k8s.io;v=v1,application/json',
    'application/json;as=Table;g=meta.k8s.io;v=v9,application/json;as=Table;g=meta.k8s.io;v=v1',
    'application/json;profile=x',
    'application/json;pretty=1',
    'application/json;stream=watch',
    'application/vnd.kubernetes.protobuf',
    'application/vnd.kubernetes.protobuf, application/json',
    'application/cbor',
    'garbage',
    'a/b/c',
    ',',
    'application/json;;;',
    'application/yaml;as=Table;g=meta.k8s.io;v=v1',
    'text/plain',
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  ];
  const targets = {
    object: `${url}/a`,
    list: url,
    status: `${url}/a/status`,
    scale: `${url}/a/scale`,
    core: '/api/v1/namespaces/default',
    missing: `${url}/none`,
    definition: `${CRDS}/things.accepted.compare.example.com`,
  };
  for (const [name, target] of Object.entries(targets))
    for (const accept of ACCEPT)
      await t.ask(`${name} as ${accept}`, 'GET', target, {
        headers: { accept },
        pick: (b) =>
          typeof b === 'string'
            ? b.length > 0
            : b.kind === 'Table'
              ? {
                  ...b,
                  columnDefinitions: b.columnDefinitions?.map(({ name: n }) => n),
                  rows: b.rows?.map(({ cells, object: o }) => ({
                    cells: cells.length,
                    kind: o?.kind,
                    apiVersion: o?.apiVersion,
                  })),
                }
              : {
                  apiVersion: b.apiVersion,
                  kind: b.kind,
                  keys: Object.keys(b).sort(),
                  items: b.items?.map(({ kind, apiVersion }) => ({ kind, apiVersion })),
                },
      });
  for (const accept of ACCEPT)
    for (const target of [
      '/api',
      '/apis',
      '/api/v1',
      '/apis/apps',
      '/apis/apps/v1',
      '/version',
      '/openapi/v2',
      '/openapi/v3',
      '/healthz',
      '/apis/none.example.com',
      '/none',
      '/openapi/v3/api/v1',
      '/metrics',
    ])
      await t.ask(`${target} as ${accept}`, 'GET', target, {
        headers: { accept },
        pick: (b) => (typeof b === 'string' ? typeof b : { kind: b.kind, apiVersion: b.apiVersion }),
      });
  for (const include of ['Object', 'Metadata', 'None', 'none', '', 'X'])
    for (const target of [url, `${url}/a`, '/api/v1/namespaces'])
      await t.ask(`includeObject=${include} of ${target}`, 'GET', `${target}?includeObject=${include}`, {
        headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
        pick: ({ rows, kind }) => ({
          kind,
          objects: rows?.map(({ object: o }) => o?.kind ?? null).slice(0, 2),
        }),
      });
}

const LIST_PARAMETERS = [
  'limit=',
  'limit=0',
  'limit=-1',
  'limit=a',
  'limit=1.5',
  'limit=9223372036854775808',
  'limit=1&limit=2',
  'limit=a&limit=1',
  'limit=1&limit=a',
  'Limit=1',
  'watch=&timeoutSeconds=1',
  'watch=0',
  'watch=f&timeoutSeconds=1',
  'watch=False',
  'watch=no&timeoutSeconds=1',
  'watch=00&timeoutSeconds=1',
  'watch=false&watch=true',
  'pretty=x',
  'pretty=0',
  'resourceVersion=',
  'resourceVersion=0',
  'resourceVersion=-1',
  'resourceVersion=a',
  'resourceVersion=01',
  'resourceVersion=1.0',
  'resourceVersion=0&resourceVersion=a',
  'resourceVersionMatch=',
  'resourceVersionMatch=Exact',
  'resourceVersionMatch=NotOlderThan',
  'resourceVersionMatch=exact',
  'resourceVersionMatch=Exact&resourceVersion=0',
  'resourceVersionMatch=NotOlderThan&resourceVersion=0',
  'resourceVersionMatch=X&resourceVersion=0',
  'continue=',
  'continue=a',
  'continue=e30',
  'continue=e30&resourceVersion=1',
  'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIvLi4ifQ',
  'labelSelector=',
  'labelSelector=a',
  'labelSelector=a%20b',
  'labelSelector==',
  'labelSelector=a%3D%3Db',
  'labelSelector=a%20in%20(b',
  'labelSelector=!a',
  'labelSelector=a&labelSelector=b',
  'labelSelector=a%3E1',
  'labelSelector=a%3Eb',
  'labelSelector=-a',
  'labelSelector=a%3D-b',
  'labelSelector=a%20in%20()',
  'labelSelector=,',
  'labelSelector=a,,b',
  'labelSelector=a%20notin%20(x,y),!c',
  `labelSelector=${'a'.repeat(64)}`,
  `labelSelector=a%3D${'b'.repeat(64)}`,
  'fieldSelector=',
  'fieldSelector=metadata.name',
  'fieldSelector=metadata.name%3Da',
  'fieldSelector=metadata.name!%3Da',
  'fieldSelector=metadata.namespace%3Ddefault',
  'fieldSelector=metadata.namespace%3Dother',
  'fieldSelector=spec.text%3Dx',
  'fieldSelector=spec.size%3D1',
  'fieldSelector=metadata.labels%3D1',
  'fieldSelector=a%3D%3Db',
  'fieldSelector=%3D',
  'fieldSelector=metadata.name%3Da,metadata.name%3Db',
  'fieldSelector=metadata.name%3Da%5C',
  'fieldSelector=metadata.name%3D%5C%2C',
  'fieldSelector=metadata.name%3Da&fieldSelector=b%3Dc',
  'fieldSelector=,',
  'fieldSelector=metadata.uid%3Da',
  'timeoutSeconds=',
  'timeoutSeconds=a',
  'timeoutSeconds=-1',
  'timeoutSeconds=0',
  'timeoutSeconds=1.5',
  'timeout=',
  'timeout=a',
  'timeout=0',
  'timeout=-1s',
  'timeout=1h',
  'timeout=1',
  'timeout=10000000000000h',
  'allowWatchBookmarks=',
  'allowWatchBookmarks=x',
  'sendInitialEvents=true',
  'sendInitialEvents=false',
  'sendInitialEvents=',
  'sendInitialEvents=x',
  'shardSelector=a',
  'unknown=1',
  '=',
  '&&',
  '%zz=1',
  'limit=%zz',
  'limit=1;watch=false',
  'watch=tr%75e&timeoutSeconds=1',
  'dryRun=All',
  'dryRun=x',
  'fieldManager=a',
];

export async function listParameters(t) {
  const { url } = await things(t, 'listing.compare.example.com');
  const pick = (b) =>
    typeof b === 'string'
      ? b.length > 0
      : {
          kind: b.kind,
          names: b.items?.map(({ metadata }) => metadata.name),
          more: Boolean(b.metadata?.continue),
          left: b.metadata?.remainingItemCount,
        };
  for (const [what, target] of [
    ['custom resources', url],
    ['definitions', CRDS],
    ['services', '/api/v1/namespaces/default/services'],
  ])
    for (const parameter of LIST_PARAMETERS) {
      if (parameter.startsWith('watch=tr') && what !== 'custom resources') continue;
      await t.ask(`${what}: ${parameter}`, 'GET', `${target}?${parameter}`, {
        pick: what === 'custom resources' ? pick : (b) => b.kind,
      });
    }
  for (const parameter of [
    'watch=',
    'watch=1',
    'watch=T',
    'watch=y',
    'watch=on',
    'watch',
    'watch=true&limit=1',
  ].concat(
    [
      'resourceVersionMatch=Exact',
      'resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch=X',
      'sendInitialEvents=true',
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      'sendInitialEvents=false',
      'sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
      'sendInitialEvents=true&resourceVersionMatch=Exact',
      'sendInitialEvents=',
      'resourceVersion=a',
      'resourceVersion=-1',
      'continue=a',
      'labelSelector=a%20b',
      'fieldSelector=x%3Dy',
      'allowWatchBookmarks=x',
      'timeoutSeconds=a',
    ].map((p) => `watch=true&${p}`),
  ))
    await t.ask(`watch: ${parameter}`, 'GET', `${url}?${parameter}&timeoutSeconds=1`, {
      pick: (b) =>
        typeof b === 'string'
          ? b
              .split('\n')
              .filter((l) => l)
              .map((l) => JSON.parse(l).type)
          : b.kind,
    });
  for (const parameter of [
    'resourceVersion=a',
    'resourceVersion=',
    'resourceVersion=-1',
    'resourceVersion=99999999999999999999',
    'limit=a',
    'watch=true&timeoutSeconds=1',
    'watch=x',
    'pretty=x',
    'export=true',
    'exact=true',
    'resourceVersion=1&resourceVersion=a',
  ])
    await t.ask(`get: ${parameter}`, 'GET', `${url}/a?${parameter}`, {
      pick: (b) => (typeof b === 'string' ? b.length > 0 : b.kind),
    });
}

const WRITE_PARAMETERS = [
  'dryRun=',
  'dryRun=all',
  'dryRun=All',
  'dryRun=All&dryRun=All',
  'dryRun=All&dryRun=x',
  'dryRun=true',
  'dryRun=All&dryRun=',
  'fieldManager=',
  `fieldManager=${'x'.repeat(128)}`,
  `fieldManager=${'x'.repeat(129)}`,
  'fieldManager=a%00b',
  'fieldManager=%C3%A9',
  'fieldManager=a%0Ab',
  'fieldManager=a&fieldManager=b',
  'fieldValidation=',
  'fieldValidation=strict',
  'fieldValidation=Strict',
  'fieldValidation=Warn',
  'fieldValidation=Ignore',
  'fieldValidation=x',
  'fieldValidation=Ignore&fieldValidation=Strict',
  'force=',
  'force=true',
  'force=x',
  'force=0',
  'pretty=true',
  'unknown=x',
  'timeout=x',
  'timeout=0s',
  'resourceVersion=1',
  'propagationPolicy=Orphan',
  'watch=true',
  'limit=x',
];

export async function writeParameters(t) {
  const { url, make } = await things(t, 'writing.compare.example.com');
  const pick = ({ metadata, ...rest }) => ({
    ...rest,
    managers: metadata?.managedFields?.map(({ manager, operation }) => [manager, operation]),
  });
  const dry = (p) => (p.includes('dryRun') ? p : `${p}&dryRun=All`);
  for (const parameter of WRITE_PARAMETERS.map(dry)) {
    const body = make('new', { size: 1, unknown: 1 });
    await t.ask(`create: ${parameter}`, 'POST', `${url}?${parameter}`, { body, pick });
    await Promise.all([]);
    await t.ask(`replace: ${parameter}`, 'PUT', `${url}/a?${parameter}`, {
      body: make('a', { size: 2, unknown: 1 }),
      pick,
    });
    await t.ask(`merge patch: ${parameter}`, 'PATCH', `${url}/a?${parameter}`, {
      body: { spec: { size: 3, unknown: 1 } },
      type: 'application/merge-patch+json',
      pick,
    });
    await t.ask(`apply: ${parameter}`, 'PATCH', `${url}/a?${parameter}`, {
      body: make('a', { size: 1 }),
      type: 'application/apply-patch+yaml',
      pick,
    });
    await t.ask(`create a map: ${parameter}`, 'POST', `${MAPS}?${parameter}`, {
      body: { ...map(`m${WRITE_PARAMETERS.map(dry).indexOf(parameter)}`), odd: 1 },
      pick: (b) => b.kind,
    });
    for (const client of ['DELETE'])
      await t.ask(
        `delete: ${parameter}`,
        client,
        `${url}/a?${parameter.includes('dryRun=All') ? parameter : `${parameter}&dryRun=All`}`,
        { pick: (b) => b.kind },
      );
  }
}

const OPTIONS = [
  '{}',
  '',
  'null',
  '[]',
  '"a"',
  '{',
  '{"kind":"DeleteOptions"}',
  '{"apiVersion":"v1"}',
  '{"kind":"DeleteOptions","apiVersion":"v1"}',
  '{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1"}',
  '{"kind":"DeleteOptions","apiVersion":"apps/v1"}',
  '{"kind":"DeleteOptions","apiVersion":"none.example.com/v1"}',
  '{"kind":"DeleteOptions","apiVersion":"v2"}',
  '{"kind":"DeleteOptions","apiVersion":"a/b/c"}',
  '{"kind":"ListOptions","apiVersion":"v1"}',
  '{"kind":"ConfigMap","apiVersion":"v1"}',
  '{"kind":"Nothing","apiVersion":"v1"}',
  '{"kind":"Deployment","apiVersion":"apps/v1"}',
  '{"kind":"DeleteOptions","apiVersion":"SELF"}',
  '{"kind":"Thing","apiVersion":"SELF"}',
  '{"kind":1}',
  '{"apiVersion":[]}',
  '{"kind":"deleteoptions","apiVersion":"v1"}',
  '{"gracePeriodSeconds":-1}',
  '{"gracePeriodSeconds":0}',
  '{"gracePeriodSeconds":"0"}',
  '{"gracePeriodSeconds":1.0}',
  '{"gracePeriodSeconds":1.5}',
  '{"propagationPolicy":"X"}',
  '{"propagationPolicy":""}',
  '{"propagationPolicy":null}',
  '{"propagationPolicy":"background"}',
  '{"orphanDependents":true}',
  '{"orphanDependents":"x"}',
  '{"orphanDependents":true,"propagationPolicy":"Orphan"}',
  '{"preconditions":{"uid":"x"}}',
  '{"preconditions":{"resourceVersion":"1"}}',
  '{"preconditions":{"uid":""}}',
  '{"preconditions":{}}',
  '{"preconditions":[]}',
  '{"preconditions":{"uid":1}}',
  '{"dryRun":["All"]}',
  '{"dryRun":["x"]}',
  '{"dryRun":"All"}',
  '{"dryRun":[]}',
  '{"unknown":1}',
  '{"kind":"DeleteOptions","kind":"DeleteOptions"}',
  '{"ignoreStoreReadErrorWithClusterBreakingPotential":true}',
  '{"ignoreStoreReadErrorWithClusterBreakingPotential":"x"}',
  '{"GracePeriodSeconds":0}',
];

export async function deleteOptions(t) {
  const group = 'deleting.compare.example.com';
  const { url, make } = await things(t, group);
  const again = async () => {
    await t.ensure(MAPS, map('victim'));
    await t.ensure(url, make('a'));
  };
  await again();
  t.onEnd(() => t.setup('DELETE', `${MAPS}/victim`));
  const lists = [
    ['a custom resource', `${url}/a`, `${group}/v1`],
    ['a map', `${MAPS}/victim`, 'v1'],
    ['custom resources', url, `${group}/v1`],
    ['a definition', `${CRDS}/things.${group}`, 'apiextensions.k8s.io/v1'],
  ];
  for (const [what, target, self] of lists)
    for (const options of OPTIONS) {
      if (options.includes('"dryRun":[]')) continue;
      // Where there is a body, the query is not read.
      const dry = options.includes('dryRun')
        ? options
        : options.replace(/^\{(?=.)/, '{"dryRun":["All"],').replace(',}', '}');
      await t.ask(`${what}: ${options}`, 'DELETE', `${target}?dryRun=All`, {
        body: dry.replaceAll('SELF', self),
        type: json,
        pick: (b) => ({
          kind: b.kind,
          status: b.status && typeof b.status === 'string' ? b.status : undefined,
          finalizers: b.metadata?.finalizers,
          grace: b.metadata?.deletionGracePeriodSeconds,
        }),
      });
      await again();
    }
  for (const query of [
    'gracePeriodSeconds=x',
    'gracePeriodSeconds=',
    'gracePeriodSeconds=-1',
    'propagationPolicy=',
    'propagationPolicy=X',
    'orphanDependents=x',
    'orphanDependents=',
    'orphanDependents=true',
    'orphanDependents=true&propagationPolicy=Foreground',
    'dryRun=x',
    'preconditions=x',
    'kind=X',
    'resourceVersion=1',
    'labelSelector=a%20b',
    'gracePeriodSeconds=1&gracePeriodSeconds=x',
    'ignoreStoreReadErrorWithClusterBreakingPotential=true',
    'ignoreStoreReadErrorWithClusterBreakingPotential=x',
  ])
    for (const [what, target] of lists.slice(0, 3))
      await t.ask(`${what}: ?${query}`, 'DELETE', `${target}?dryRun=All&${query}`, { pick: (b) => b.kind });
  await t.ask(
    'both body and query',
    'DELETE',
    `${url}/a?dryRun=All&gracePeriodSeconds=5&propagationPolicy=Orphan`,
    { body: { propagationPolicy: 'X', dryRun: ['All'] }, pick: (b) => b.kind },
  );
  await t.ask('YAML', 'DELETE', `${url}/a?dryRun=All`, {
    body: 'propagationPolicy: Orphan\ndryRun: [All]',
    type: 'application/yaml',
    pick: (b) => b.kind,
  });
}

export async function bodies(t) {
  const group = 'bodies.compare.example.com';
  const { url } = await things(t, group);
  const BODIES = [
    '',
    ' ',
    'null',
    '[]',
    '1',
    '"a"',
    '{}',
    '{',
    '{"a":}',
    '{"kind":"Thing"}',
    '{"apiVersion":"G/v1"}',
    '{"apiVersion":"G/v1","kind":"Thing"}',
    '{"apiVersion":"G/v1","kind":"thing","metadata":{"name":"b"}}',
    '{"apiVersion":"G/v2","kind":"Thing","metadata":{"name":"b"}}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}}',
    '{"apiVersion":"G/v1","kind":"ThingList","metadata":{"name":"b"}}',
    '{"apiVersion":"G/v1","kind":"ThingList","items":[]}',
    '{"apiVersion":"G/v1","kind":"List","items":[]}',
    '{"apiVersion":1,"kind":"Thing"}',
    '{"apiVersion":"G/v1","kind":["Thing"]}',
    '{"apiVersion":"a/b/c","kind":"Thing"}',
    '{"apiVersion":"/v1","kind":"Thing"}',
    '{"apiVersion":"G/","kind":"Thing","metadata":{"name":"b"}}',
    '{"apiVersion":"none.example.com/v1","kind":"X","metadata":{"name":"b"}}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":null}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":[]}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":"x"}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":1}}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":null}}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b","namespace":"other"}}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"B"}}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"},"spec":null}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"},"spec":[]}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"},"items":[]}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"}}{"x":1}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"}} x',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"},"spec":{"size":1,"size":2}}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"},"spec":{"text":"\\ud800"}}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"},"spec":{"text":"a\tb"}}',
    '{"apiVersion":"G/v1","kind":"Thing","Metadata":{"name":"b"}}',
    '\ufeff{}',
    "{'a':1}",
    '---\n',
    'a: 1\n---\nb: 2',
    '{"kind":"Status","apiVersion":"v1"}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"},"status":{"ready":"x"}}',
    '{"apiVersion":"G/v1","kind":"Thing","metadata":{"name":"b"},"spec":{"size":"x","text":1}}',
  ];
  for (const body of BODIES) {
    for (const type of [json, 'application/yaml'])
      await t.ask(`create ${type.slice(12)}: ${body}`, 'POST', `${url}?dryRun=All`, {
        body: body.replaceAll('G', group),
        type,
        pick: lean,
      });
    await t.ask(`replace: ${body}`, 'PUT', `${url}/a?dryRun=All`, {
      body: body.replaceAll('G', group),
      type: json,
      pick: lean,
    });
    await t.ask(`create a map: ${body}`, 'POST', `${MAPS}?dryRun=All`, {
      body: body
        .replaceAll('G/v1', 'v1')
        .replaceAll('Thing', 'ConfigMap')
        .replaceAll('"spec"', '"data"')
        .replaceAll('G', 'x'),
      type: json,
      pick: lean,
    });
    await t.ask(`apply: ${body}`, 'PATCH', `${url}/a?dryRun=All&fieldManager=m`, {
      body: body.replaceAll('G', group),
      type: 'application/apply-patch+yaml',
      pick: lean,
    });
  }
}

export async function paths(t) {
  const group = 'paths.compare.example.com';
  const { url } = await things(t, group);
  const PATHS = [
    '/status',
    '/status/',
    '/status/status',
    '/scale',
    '/scale/scale',
    '/scale/status',
    '/status/scale',
    '/none',
    '/none/more',
    '/log',
    '/',
    '//',
    '/status/x/y',
    '/finalize',
    '/exec',
    '/%2e%2e',
    '/..',
  ];
  const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'FOO'];
  for (const method of methods)
    for (const path of PATHS)
      await t.ask(`${method} ${path}`, method, `${url}/a${path}`, {
        ...(['PUT', 'POST', 'PATCH'].includes(method) && {
          body: {},
          type: method === 'PATCH' ? 'application/merge-patch+json' : json,
        }),
        pick: (b) => b.kind,
      });
  for (const path of [
    '/apis/G',
    '/apis/G/',
    '/apis/G/v1',
    '/apis/G/v1/',
    '/apis/G/v2',
    '/apis/G/v1/none',
    '/apis/G/v1/things',
    '/apis/G/v1/Things',
    '/apis/G/v1/thing',
    '/apis/G/v1/namespaces/default',
    '/apis/G/v1/namespaces',
    '/apis/G/v1/namespaces//things',
    '/apis/G/v1/namespaces/none/things',
    '/apis/G/v1/namespaces/none/things/a',
    '/apis/G/v1/namespaces/NONE/things',
    '/apis/G/v1/things/a',
    '/apis/G/v1/watch/things',
    '/apis/G/v1/watch/namespaces/default/things/a',
    '/apis',
    '/apis/',
    '/api',
    '/api/',
    '/api/v1/',
    '/api/v2',
    '/apis//v1',
    '/api/v1/namespaces/default/status',
    '/api/v1/namespaces/default/finalize',
    '/api/v1/namespaces/default/none',
    '/api/v1/namespaces/default/configmaps/a/status',
    '/api/v1/namespaces/default/configmaps/kube-root-ca.crt/none',
    '/api/v1/nodes/x/proxy/a',
    '/',
    '/index.html',
    '/none',
    '/healthz/none',
    '/livez/ping',
    '/readyz/ping',
    '/readyz?verbose',
    '/livez?exclude=etcd',
    '/livez?exclude=none',
    '/healthz?verbose=1',
    '/version/',
    '/version/x',
    '/openapi',
    '/openapi/v2/',
    '/openapi/v3/apis/G/v1',
    '/openapi/v3/apis/none',
    '/openapi/v3/',
    '/metrics/',
    '/metrics/slis',
    '/metrics/none',
    '/debug/pprof',
    '/logs',
    '/.well-known/openid-configuration',
    '/openid/v1/jwks',
    '/api/v1/watch/namespaces?timeoutSeconds=1',
    '/api/v1/namespaces/default/pods/x/exec',
    '/api/v1/componentstatuses',
    '/flagz',
    '/statusz',
    '/swagger.json',
    '/ui',
    '/apis/G/v1/things?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dz',
  ])
    await t.ask(`GET ${path}`, 'GET', path.replace('G', group), {
      pick: (b) =>
        typeof b === 'string'
          ? typeof b
          : { kind: b.kind, apiVersion: b.apiVersion, groupVersion: b.groupVersion },
    });
  for (const method of methods.slice(1))
    for (const path of [
      '/apis/G/v1',
      '/apis/G',
      '/apis',
      '/api',
      '/version',
      '/healthz',
      '/openapi/v2',
      '/openapi/v3',
      '/none',
      '/apis/G/v1/things',
      '/apis/G/v1/namespaces/default/things',
      '/api/v1/namespaces',
      '/api/v1/namespaces/default',
      '/metrics',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      '/apis/authentication.k8s.io/v1/tokenreviews',
    ])
      if (!(method === 'DELETE' && path.includes('namespaces')))
        await t.ask(`${method} ${path}`, method, path.replace('G', group), {
          ...(['PUT', 'POST', 'PATCH'].includes(method) && {
            body: {},
            type: method === 'PATCH' ? 'application/merge-patch+json' : json,
          }),
          pick: (b) => (typeof b === 'string' ? typeof b : b.kind),
        });
}
