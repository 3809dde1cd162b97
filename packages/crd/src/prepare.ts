// What the server does to a definition before it validates a write: clients do not control status and
// generation.
import { deepCopy, deepEqual, type JsonValue, type KubeObject } from '@instar/machinery';
import { type CustomResourceDefinition, storageVersionOf } from './types.ts';

/** Changes `crd`: resets the status, with the storage version as the only stored version. */
export function prepareCrdForCreate(crd: CustomResourceDefinition): void {
  crd.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
  crd.metadata.generation = 1;
  recordStorageVersion(crd);
}

/**
 * Changes `crd`, never `old`. A new storage version is added to storedVersions; none is ever removed here.
 */
export function prepareCrdForUpdate(crd: CustomResourceDefinition, old: CustomResourceDefinition): void {
  crd.status = copyOf(old.status);
  const specChanged = !deepEqual(crd.spec as unknown as JsonValue, old.spec as unknown as JsonValue);
  keepGeneration(crd, old);
  if (specChanged) crd.metadata.generation = (old.metadata.generation ?? 0) + 1;
  recordStorageVersion(crd);
}

/**
 * Changes `crd`, never `old`: a write to /status does not change the spec. Upstream leaves metadata to the
 * client here, by mistake or not.
 */
export function prepareCrdForStatusUpdate(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
): void {
  crd.spec = copyOf(old.spec);
  keepGeneration(crd, old);
}

function keepGeneration(crd: CustomResourceDefinition, old: CustomResourceDefinition): void {
  const { generation } = old.metadata;
  if (generation === undefined) delete crd.metadata.generation;
  else crd.metadata.generation = generation;
}

function recordStorageVersion(crd: CustomResourceDefinition): void {
  const version = storageVersionOf(crd)?.name;
  const stored = crd.status.storedVersions ?? [];
  if (version !== undefined && !stored.includes(version)) crd.status.storedVersions = [...stored, version];
}

function copyOf<T extends KubeObject[string]>(part: T): T {
  return deepCopy(part as JsonValue) as T;
}
