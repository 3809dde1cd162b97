// Adds managedFields to an object and removes them. Objects are copied as far as they change, never modified.
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '@instar/machinery';

export function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export function withManagedFields(
  object: KubeObject,
  managedFields: ManagedFieldsEntry[] | undefined,
): KubeObject {
  return managedFields === undefined
    ? withoutManagedFields(object)
    : { ...object, metadata: { ...object.metadata, managedFields } };
}

/** The state of an object before it is created. */
export const blankOf = ({ apiVersion, kind }: KubeObject, blank?: JsonObject): JsonObject => ({
  ...blank,
  apiVersion,
  kind,
});
