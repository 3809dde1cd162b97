// The example that a project starts from: a boolean became an enum, as API reviewers ask for, and a field got
// its usual name.
import type { JsonObject } from '@instar/machinery';

export function exampleDefinition(group: string, kind: string): string {
  const singular = kind.toLowerCase();
  const plural = pluralOf(singular);
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.${group}
spec:
  group: ${group}
  scope: Namespaced
  names:
    plural: ${plural}
    singular: ${singular}
    kind: ${kind}
    listKind: ${kind}List
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [image]
            properties:
              image:
                type: string
                minLength: 1
                maxLength: 255
              size:
                type: integer
                format: int32
                minimum: 0
                maximum: 100
              suspend:
                type: boolean
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [image]
            properties:
              image:
                type: string
                minLength: 1
                maxLength: 255
              replicas:
                type: integer
                format: int32
                minimum: 0
                maximum: 100
              state:
                type: string
                enum: [Running, Suspended]
`;
}

function pluralOf(singular: string): string {
  if (/(s|x|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

export function exampleLens(group: string, kind: string): string {
  const plural = pluralOf(kind.toLowerCase());
  return `apiVersion: instar.dev/v1alpha1
kind: Lens
metadata:
  name: ${plural}.${group}
spec:
  crd: ${plural}.${group}
  lenses:
    # Read in both directions.
    - from: v1
      to: v2
      ops:
        - rename: { from: spec.size, to: spec.replicas }
        - rename: { from: spec.suspend, to: spec.state }
        - map:
            path: spec.state
            values:
              - { from: false, to: Running }
              - { from: true, to: Suspended }
`;
}

export const EXAMPLE_FUNCTIONS = `    'v1→v2': ({ spec: { size, suspend, ...rest }, ...object }) => ({
      ...object,
      spec: {
        ...rest,
        ...(size !== undefined && { replicas: size }),
        ...(suspend !== undefined && { state: suspend ? 'Suspended' : 'Running' }),
      },
    }),
    'v2→v1': ({ spec: { replicas, state, ...rest }, ...object }) => ({
      ...object,
      spec: {
        ...rest,
        ...(replicas !== undefined && { size: replicas }),
        ...(state !== undefined && { suspend: state === 'Suspended' }),
      },
    }),`;

export function exampleSamples(group: string, kind: string): Record<string, JsonObject[]> {
  const sample = (version: string, name: string, spec: JsonObject): JsonObject => ({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name },
    spec,
  });
  return {
    minimal: [
      sample('v1', 'minimal', { image: 'registry.example.com/app:1' }),
      sample('v2', 'minimal', { image: 'registry.example.com/app:1' }),
    ],
    suspended: [
      sample('v1', 'suspended', { image: 'registry.example.com/app:2', size: 3, suspend: true }),
      sample('v2', 'suspended', { image: 'registry.example.com/app:2', replicas: 3, state: 'Suspended' }),
    ],
  };
}
