// The one place where objects become bytes in the store.
import { apiErrors, asJson, deepEqual, type KubeObject } from '@instar/machinery';
import type { CommitResult, StoredEntry } from '@instar/store';
import { CachedObject, encodeForStore } from '../cached-object.ts';
import { complete, type Resource } from '../resource.ts';
import type { WriteRequest } from './write-request.ts';

/** etcd refuses requests over 1.5 MiB; every engine keeps to it, so that data can move between them. */
const MAX_VALUE_BYTES = 1.5 * 1024 * 1024;

/** The object in the storage version, complete as a read would show it. */
export async function toStorageVersion(write: WriteRequest, object: KubeObject): Promise<KubeObject> {
  const { definition } = write.resource;
  if (object.apiVersion === definition.storageApiVersion) return object;
  const [converted] = await definition.converter.convert([object], definition.storageApiVersion);
  complete(converted!, write.resource.version(definition.storageApiVersion)!);
  return converted!;
}

/** Puts `object` (in the version of the request) at its key if the key is as expected. */
export async function putObject(
  write: WriteRequest,
  key: string,
  object: KubeObject,
  expectedRevision: number,
): Promise<CommitResult & { cached?: CachedObject }> {
  const { resource } = write;
  const stored = await toStorageVersion(write, object);
  const value = encodeForStore(stored);
  if (value.byteLength > MAX_VALUE_BYTES) throw apiErrors.entityTooLarge(`limit is ${MAX_VALUE_BYTES}`);
  resource.remember(value, stored);
  const ttlSeconds = resource.definition.strategy.ttlSeconds?.(object);
  const result = await resource.store.commit({
    conditions: [{ key, modRevision: expectedRevision }],
    operations: [{ type: 'put', key, value, ...(ttlSeconds !== undefined && { ttlSeconds }) }],
  });
  if (!result.committed) return result;
  return { ...result, cached: written(resource, key, value, result.revision) };
}

/** The object as it now stands in the cache, which has seen the commit already if it runs. */
function written(resource: Resource, key: string, value: Uint8Array, revision: number): CachedObject {
  const cached = resource.cache.get(key);
  if (cached?.revision === revision) return cached;
  return CachedObject.fromEntry({ key, value, createRevision: revision, modRevision: revision });
}

export async function deleteKey(resource: Resource, current: CachedObject): Promise<CommitResult> {
  return resource.store.commit({
    conditions: [{ key: current.key, modRevision: current.revision }],
    operations: [{ type: 'delete', key: current.key }],
  });
}

/** The newest state of a key: from the cache if it runs and is in step with the store, otherwise from the store. */
export async function readCurrent(resource: Resource, key: string): Promise<CachedObject | undefined> {
  await resource.cache.started();
  return resource.cache.get(key) ?? currentOf(await resource.store.get(key));
}

export async function readFromStore(resource: Resource, key: string): Promise<CachedObject | undefined> {
  return currentOf(await resource.store.get(key));
}

export function currentOf(entry: StoredEntry | undefined): CachedObject | undefined {
  return entry === undefined ? undefined : CachedObject.fromEntry(entry);
}

/** True if a write of `next` over `live` would store what is there already (apart from the times in managedFields, which follow changes). */
export function changesNothing(next: KubeObject, live: KubeObject): boolean {
  return deepEqual(asJson(next), asJson(live));
}
