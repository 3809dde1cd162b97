// The compiled schema of a version, to generate and validate objects.
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import { deepCopy, type JsonObject } from '@instar/machinery';
import { type CompiledSchema, compileSchema } from '@instar/schema';

export interface VersionSchema {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly schema: CompiledSchema;
}

export function versionSchema(
  crd: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): VersionSchema | undefined {
  const source = version.schema?.openAPIV3Schema;
  if (source === undefined) return undefined;
  const { group, names, scope, preserveUnknownFields } = crd.spec;
  const schema = compileSchema(
    preserveUnknownFields === true ? { ...source, 'x-kubernetes-preserve-unknown-fields': true } : source,
  );
  return {
    name: version.name,
    apiVersion: `${group}/${version.name}`,
    kind: names.kind,
    namespaced: scope !== 'Cluster',
    schema,
  };
}

/** A copy of the object as a server stores it: pruned and defaulted. */
export function prunedAndDefaulted(object: JsonObject, { schema }: VersionSchema): JsonObject {
  const copy = deepCopy(object) as JsonObject;
  schema.prune(copy);
  schema.applyDefaults(copy);
  return copy;
}
