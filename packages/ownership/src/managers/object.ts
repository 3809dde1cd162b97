// managedFields on and off an object. Objects are copied as far as they change, never changed.
import { asJson, type JsonObject, type KubeObject, type ManagedFieldsEntry } from '@instar/machinery';

export function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** `object` must hold none. */
export function withManagedFields(object: KubeObject, managedFields: ManagedFieldsEntry[] | undefined): KubeObject {
  return managedFields === undefined ? object : { ...object, metadata: { ...object.metadata, managedFields } };
}

/** The state of an object before it is created. */
export const blankOf = ({ apiVersion, kind }: KubeObject, blank?: JsonObject): JsonObject => ({ ...blank, apiVersion, kind });

export const stateOf = (object: KubeObject): JsonObject => asJson(withoutManagedFields(object));
