// The schemas of a definition's versions, by which lenses are analyzed.
import type { CustomResourceDefinition } from '@instar/crd';
import type { JSONSchemaProps } from '@instar/schema';

export function lensSchemas({ spec }: CustomResourceDefinition): Map<string, JSONSchemaProps> {
  return new Map(
    spec.versions.flatMap(({ name, schema }) =>
      schema?.openAPIV3Schema === undefined ? [] : [[name, schema.openAPIV3Schema] as const],
    ),
  );
}
