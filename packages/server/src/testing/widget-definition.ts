// A cluster-scoped custom resource for tests: widgets of example.com, stored in v1.
import { type Converter, RELABEL } from '@instar/convert';
import { compileSchema, type JSONSchemaProps } from '@instar/schema';
import type { ResourceDefinition, VersionDefinition } from '../objects/definition.ts';

/** Everything is preserved, unless properties are given. */
export function widgetVersion(
  version: string,
  properties?: Record<string, JSONSchemaProps>,
  more: Partial<VersionDefinition> = {},
): VersionDefinition {
  return {
    group: 'example.com',
    version,
    apiVersion: `example.com/${version}`,
    served: true,
    deprecated: false,
    schema: compileSchema(
      properties === undefined
        ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
        : { type: 'object', properties },
    ),
    statusSubresource: false,
    columns: [],
    selectableFields: [],
    ...more,
  };
}

/** A spec of integers. */
export const integerSpec = (fields: readonly string[]): Record<string, JSONSchemaProps> => ({
  spec: {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'integer' }])),
  },
});

export function widgetDefinition(
  versions: readonly VersionDefinition[],
  converter: Converter = RELABEL,
  more: Partial<ResourceDefinition> = {},
): ResourceDefinition {
  return {
    names: {
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
      shortNames: [],
      categories: [],
    },
    namespaced: false,
    storagePath: 'example.com/widgets/',
    group: 'example.com',
    versions,
    storageApiVersion: 'example.com/v1',
    converter,
    strategy: { allowUnconditionalUpdate: true },
    typed: false,
    ...more,
  };
}
