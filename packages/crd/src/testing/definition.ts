// A valid definition, for tests to break.
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../types.ts';
import { decoded } from './decoded.ts';

export function version(
  name: string,
  more: Partial<CustomResourceDefinitionVersion> = {},
): CustomResourceDefinitionVersion {
  return { name, served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } }, ...more };
}

/** widgets.example.com with one version, which `spec` may change. */
export function definition(spec: Partial<CustomResourceDefinitionSpec> = {}): CustomResourceDefinition {
  const names = { plural: 'widgets', kind: 'Widget', ...spec.names };
  const group = spec.group ?? 'example.com';
  const crd = decoded({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}`, resourceVersion: '1', generation: 1 },
    spec: { group, scope: 'Namespaced', versions: [version('v1', { storage: true })], ...spec, names },
  });
  return crd;
}

/** The same, established. */
export function establishedDefinition(
  spec: Partial<CustomResourceDefinitionSpec> = {},
): CustomResourceDefinition {
  const crd = definition(spec);
  const since = '2024-01-01T00:00:00Z';
  crd.status.acceptedNames = structuredClone(crd.spec.names);
  crd.status.conditions = [
    {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
      lastTransitionTime: since,
    },
    {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
      lastTransitionTime: since,
    },
  ];
  return crd;
}

/** Copies, changes and returns a definition. */
export function changed(
  crd: CustomResourceDefinition,
  change: (crd: CustomResourceDefinition) => void,
): CustomResourceDefinition {
  const copy = structuredClone(crd);
  change(copy);
  return copy;
}
