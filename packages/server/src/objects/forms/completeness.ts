// Pruning and defaulting of objects by the schema of their version.
import { asJson, type KubeObject, repairStoredMetadata } from '@instar/machinery';
import type { VersionDefinition } from '../definition.ts';

/**
 * Prunes and defaults an object by the schema of its version, in place; true if anything changed. Typed kinds
 * are complete as they are decoded: upstream's storage holds their Go values.
 */
export function complete(object: KubeObject, version: VersionDefinition, dropMalformed = false): boolean {
  if (version.decode !== undefined) return false;
  let isPruned = false;
  const onChange = (): void => {
    isPruned = true;
  };
  const hadUnknown = version.schema.prune(asJson(object), { onChange, dropMalformed }).length > 0;
  return version.schema.applyDefaults(asJson(object)) || isPruned || hadUnknown;
}

/** The same for an object as it is stored, whose metadata may be from before anything checked it. */
export function completeStored(object: KubeObject, version: VersionDefinition): boolean {
  if (version.decode !== undefined) return false;
  const isRepaired = repairStoredMetadata(object);
  return complete(object, version, true) || isRepaired;
}

/** `keepsNulls`: those that admission has set are seen by validation, as upstream. */
export function prune(object: KubeObject, version: VersionDefinition, keepsNulls = false): void {
  if (version.decode === undefined) version.schema.prune(asJson(object), { keepsNulls });
}
