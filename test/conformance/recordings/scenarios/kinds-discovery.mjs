// Discovery of the built-in groups: names, scopes, short names, categories, verbs and subresources.
import { harden } from './helpers/kinds.mjs';

const resources = (b) => ({
  kind: b.kind,
  groupVersion: b.groupVersion,
  resources: b.resources
    .map(({ name, singularName, namespaced, group, version, kind, verbs, shortNames, categories }) => ({
      name,
      singularName,
      namespaced,
      group,
      version,
      kind,
      verbs: verbs.toSorted(),
      shortNames: shortNames?.toSorted(),
      categories: categories?.toSorted(),
    }))
    .sort((a, b2) => (a.name < b2.name ? -1 : 1)),
});
const versions = [
  'apps/v1',
  'batch/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'networking.k8s.io/v1',
  'policy/v1',
  'storage.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'node.k8s.io/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
  'events.k8s.io/v1',
  'certificates.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1',
  'resource.k8s.io/v1',
  'rbac.authorization.k8s.io/v1',
];

export async function groupVersions(t) {
  harden(t);
  await t.step('/api', 'GET', '/api', { pick: (b) => ({ kind: b.kind, versions: b.versions }) });
  await t.step('/api/v1', 'GET', '/api/v1', { pick: resources });
  for (const v of versions) await t.step(`/apis/${v}`, 'GET', `/apis/${v}`, { pick: resources });
  for (const g of [...new Set(versions.map((v) => v.split('/')[0]))])
    await t.step(`the group ${g}`, 'GET', `/apis/${g}`);
  await t.step('the list of groups holds them', 'GET', '/apis', {
    pick: (b) =>
      b.groups
        .filter((g) => versions.some((v) => v.startsWith(`${g.name}/`)))
        .map((g) => [g.name, g.versions.map((v) => v.version), g.preferredVersion.version])
        .sort(),
  });
  for (const gone of [
    'apps/v1beta1',
    'apps/v1beta2',
    'batch/v1beta1',
    'policy/v1beta1',
    'autoscaling/v2beta2',
    'networking.k8s.io/v1beta1',
    'storage.k8s.io/v1beta1',
    'extensions/v1beta1',
  ])
    await t.step(`${gone} is gone`, 'GET', `/apis/${gone}`);
}

export async function aggregated(t) {
  harden(t);
  const accept = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
  const one = (r) => ({
    resource: r.resource,
    kind: r.responseKind?.kind,
    scope: r.scope,
    singular: r.singularResource,
    verbs: r.verbs?.toSorted(),
    shortNames: r.shortNames,
    categories: r.categories,
    subresources: r.subresources
      ?.map((s) => [s.subresource, s.responseKind?.kind, s.verbs?.toSorted()])
      .sort(),
  });
  const group = (names) => (b) =>
    b.items
      .filter((g) => names.includes(g.metadata?.name ?? ''))
      .map((g) => [
        g.metadata?.name ?? '',
        g.versions.map((v) => [
          v.version,
          v.freshness,
          v.resources.map(one).sort((x, y) => (x.resource < y.resource ? -1 : 1)),
        ]),
      ]);
  await t.step('core', 'GET', '/api', { headers: accept, pick: group(['']) });
  for (const g of [
    'apps',
    'batch',
    'autoscaling',
    'networking.k8s.io',
    'policy',
    'storage.k8s.io',
    'resource.k8s.io',
    'certificates.k8s.io',
  ])
    await t.step(g, 'GET', '/apis', { headers: accept, pick: group([g]) });
}

export async function mergeKeys(t) {
  harden(t);
  // The documents differ in length and text from version to version: only that the kinds are there, with
  // their keys for merging.
  const kind = (b, name) => b.components.schemas[name];
  const keys = (s) =>
    Object.entries(s?.properties ?? {})
      .flatMap(([k, v]) =>
        v['x-kubernetes-patch-merge-key'] || v['x-kubernetes-list-type']
          ? [
              [
                k,
                v['x-kubernetes-patch-strategy'],
                v['x-kubernetes-patch-merge-key'],
                v['x-kubernetes-list-type'],
                v['x-kubernetes-list-map-keys'],
              ],
            ]
          : [],
      )
      .sort();
  const show =
    (...names2) =>
    (b) =>
      names2.map((n) => [
        n,
        kind(b, n)?.['x-kubernetes-group-version-kind'],
        kind(b, n)?.required,
        keys(kind(b, n)),
      ]);
  await t.step('OpenAPI v3 of core', 'GET', '/openapi/v3/api/v1', {
    pick: show(
      ...[
        'Pod',
        'PodSpec',
        'PodStatus',
        'Container',
        'Service',
        'ServiceSpec',
        'NodeSpec',
        'NodeStatus',
        'ServiceAccount',
        'Endpoints',
        'PersistentVolumeClaimSpec',
      ].map((k) => `io.k8s.api.core.v1.${k}`),
    ),
  });
  await t.step('OpenAPI v3 of apps', 'GET', '/openapi/v3/apis/apps/v1', {
    pick: show(
      ...[
        'Deployment',
        'DeploymentSpec',
        'DeploymentStatus',
        'StatefulSetSpec',
        'DaemonSetStatus',
        'ReplicaSetSpec',
      ].map((k) => `io.k8s.api.apps.v1.${k}`),
    ),
  });
  await t.step('OpenAPI v3 of batch', 'GET', '/openapi/v3/apis/batch/v1', {
    pick: show(
      ...['Job', 'JobSpec', 'JobStatus', 'CronJobSpec', 'CronJobStatus'].map(
        (k) => `io.k8s.api.batch.v1.${k}`,
      ),
    ),
  });
  await t.step('OpenAPI v3 of networking', 'GET', '/openapi/v3/apis/networking.k8s.io/v1', {
    pick: show(
      ...['Ingress', 'IngressSpec', 'IngressClassSpec', 'NetworkPolicySpec'].map(
        (k) => `io.k8s.api.networking.v1.${k}`,
      ),
    ),
  });
  await t.step('the documents that are offered', 'GET', '/openapi/v3', {
    pick: (b) =>
      versions.map((v) => [v, Boolean((typeof b === 'string' ? JSON.parse(b) : b).paths[`apis/${v}`])]),
  });
}
