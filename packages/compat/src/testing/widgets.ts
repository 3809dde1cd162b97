// The talk's example: Widget of foomake.io, with as many versions as a test needs.
import type { JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';

interface WidgetVersion {
  readonly spec: JSONSchemaProps;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly more?: object;
}

/** The last version is the storage version, unless another has `storage: true`. */
export function widgets(versions: Record<string, WidgetVersion>, more: object = {}): JsonObject {
  const names = Object.keys(versions);
  const stored = names.find((name) => versions[name]!.storage) ?? names.at(-1);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.foomake.io' },
    spec: {
      group: 'foomake.io',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: names.map((name) => ({
        name,
        served: versions[name]!.served ?? true,
        storage: name === stored,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: versions[name]!.spec as JsonObject } },
        },
        ...versions[name]!.more,
      })),
      ...more,
    },
  };
}

export const object = (
  properties: Record<string, JSONSchemaProps>,
  more: JSONSchemaProps = {},
): JSONSchemaProps => ({
  type: 'object',
  properties,
  ...more,
});
