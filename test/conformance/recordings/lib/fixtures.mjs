// Small builders that keep scenarios readable.
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * A v1 CRD. `versions` is a list of { name, schema?, served?, storage?, ... }; the first is the storage
 * version unless one says so.
 */
export function crd(
  group,
  kind,
  { versions = [{ name: 'v1' }], scope = 'Namespaced', names = {}, ...spec } = {},
) {
  const plural = names.plural ?? `${kind.toLowerCase()}s`;
  const anyStorage = versions.some((v) => v.storage);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, ...names },
      versions: versions.map(({ schema, ...v }, i) => ({
        served: true,
        storage: anyStorage ? false : i === 0,
        schema: { openAPIV3Schema: schema ?? open },
        ...v,
      })),
      ...spec,
    },
  };
}

export const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
export const object = (properties, rest = {}) => ({ type: 'object', properties, ...rest });
export const string = { type: 'string' };
export const integer = { type: 'integer' };

export const resource = (group, version, plural, ns) =>
  `/apis/${group}/${version}/${ns ? `namespaces/${ns}/` : ''}${plural}`;
export const custom = (group, version, kind, name, rest = {}) => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { name },
  ...rest,
});
