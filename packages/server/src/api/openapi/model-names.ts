// The names of models: those of Go types begin with upstream's package, those of custom kinds with the
// reversed group.

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const CORE = 'io.k8s.api.core.v1';

/** Types that kinds of every group use. */
const SHARED: ReadonlyMap<string, string> = new Map([
  ...[
    'Condition',
    'DeleteOptions',
    'FieldsV1',
    'GroupResource',
    'LabelSelector',
    'LabelSelectorRequirement',
    'ListMeta',
    'ManagedFieldsEntry',
    'MicroTime',
    'ObjectMeta',
    'OwnerReference',
    'Patch',
    'Preconditions',
    'Status',
    'StatusCause',
    'StatusDetails',
    'Time',
  ].map((name) => [`v1.${name}`, `${META}.${name}`] as const),
  ...['EventSource', 'LocalObjectReference', 'ObjectReference'].map(
    (name) => [`v1.${name}`, `${CORE}.${name}`] as const,
  ),
  ['resource.Quantity', 'io.k8s.apimachinery.pkg.api.resource.Quantity'],
  ['runtime.RawExtension', 'io.k8s.apimachinery.pkg.runtime.RawExtension'],
  ['intstr.IntOrString', 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'],
]);

/** The model of a Go type ("v1.ServiceSpec") that a kind of the group uses. */
export function goModelName(group: string, goName: string): string {
  return SHARED.get(goName) ?? `${goPackage(group)}.${goName}`;
}

function goPackage(group: string): string {
  if (group === '') return 'io.k8s.api.core';
  if (group === 'apiextensions.k8s.io') return 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions';
  return `io.k8s.api.${group.split('.', 1)[0]!}`;
}

export function customModelName(group: string, version: string, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

export const metaModelName = (name: string): string => `${META}.${name}`;
export const SCALE_MODEL = 'io.k8s.api.autoscaling.v1.Scale';
