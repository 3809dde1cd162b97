// Writes objects to the store. All writes of objects end here.
import { STASH_ANNOTATION } from '@instar/lens';
import {
  apiErrors,
  asJson,
  asKubeObject,
  deepCopy,
  deepEqual,
  type JsonObject,
  type KubeObject,
} from '@instar/machinery';
import type { CommitResult, StoredEntry } from '@instar/store';
import { CachedObject, encodeForStore, withRevision } from '../cached-object.ts';
import { complete, prune } from '../forms/completeness.ts';
import { convertObject, convertToStore } from '../forms/convert-object.ts';
import type { Resource } from '../resource.ts';
import type { WriteRequest } from './write-request.ts';

/**
 * etcd refuses requests over 1.5 MiB. The limit holds for every engine, so that data can move between them.
 */
export const MAX_VALUE_BYTES = 1.5 * 1024 * 1024;

/**
 * The object in the storage version: pruned there but, as upstream, not defaulted before it is read again.
 */
async function toStorageVersion(
  { resource, waited, conversions }: WriteRequest,
  object: KubeObject,
  current?: CachedObject,
): Promise<KubeObject> {
  const { storageApiVersion, converter } = resource.definition;
  if (object.apiVersion === storageApiVersion && !converter.usesStash) return object;
  const converted =
    conversions?.take(object, storageApiVersion, resource.forms.generation) ??
    (await convertToStore(resource, object, current, waited));
  prune(converted, resource.version(storageApiVersion)!);
  return converted;
}

/** What a client of the request's version will read of `stored`, which is not changed. */
async function asRead({ resource, version, waited }: WriteRequest, stored: KubeObject): Promise<KubeObject> {
  const copy = asKubeObject(deepCopy(asJson(stored)));
  complete(copy, resource.version(stored.apiVersion)!);
  const converted = await convertObject(resource, copy, version.apiVersion, waited);
  prune(converted, version);
  return converted;
}

/** The result of a dry run: the object as if it had replaced `current` and been read again. */
export async function throughStorage(
  write: WriteRequest,
  object: KubeObject,
  current?: CachedObject,
): Promise<KubeObject> {
  if (object.apiVersion === write.resource.definition.storageApiVersion) return object;
  return asRead(write, await toStorageVersion(write, object, current));
}

/** An object that is ready to be stored. */
interface Prepared {
  readonly stored: KubeObject;
  /** True if the request is not in the storage version. */
  readonly isConverted: boolean;
  /** Undefined if the answer can be made from `stored` without a conversion that may fail. */
  readonly answer: KubeObject | undefined;
  /** The generation of both; undefined if the definition has changed since the request began. */
  readonly generation: object | undefined;
}

/**
 * Makes the conversions of `object` (in the version of the request) that the write and the answer need. All
 * of them are made before anything is stored: if the object cannot be converted back, upstream answers 500
 * and has stored it nevertheless.
 */
export async function prepareToStore(
  write: WriteRequest,
  object: KubeObject,
  current?: CachedObject,
): Promise<Prepared> {
  const { resource, version } = write;
  const { converter, storageApiVersion } = resource.definition;
  const generation = resource.version(version.apiVersion) === version ? resource.forms.generation : undefined;
  const stored = await toStorageVersion(write, object, current);
  const isConverted = object.apiVersion !== storageApiVersion;
  const mayFail = isConverted && (converter.convertNow === undefined || converter.usesStash === true);
  return { stored, isConverted, answer: mayFail ? await asRead(write, stored) : undefined, generation };
}

/**
 * Stores `object` (in the version of the request), on the condition that `current`, or nothing, is stored.
 */
export async function putObject(
  write: WriteRequest,
  key: string,
  object: KubeObject,
  current: CachedObject | undefined,
): Promise<PutResult> {
  return putPrepared(write, key, await prepareToStore(write, object, current), current?.revision ?? 0);
}

const hasStash = ({ metadata: { annotations } }: KubeObject): boolean =>
  annotations != null && Object.hasOwn(annotations, STASH_ANNOTATION);

export type PutResult = CommitResult & {
  readonly cached?: CachedObject;
  /** The answer in the version of the request, if it had to be converted before the commit. */
  readonly form?: Uint8Array | undefined;
};

export async function putPrepared(
  write: WriteRequest,
  key: string,
  prepared: Prepared,
  expectedRevision: number,
): Promise<PutResult> {
  const { resource } = write;
  const { stored, isConverted, answer, generation } = prepared;
  const value = encodeForStore(stored);
  if (value.byteLength > MAX_VALUE_BYTES) throw apiErrors.entityTooLarge(`limit is ${MAX_VALUE_BYTES}`);
  // Storing takes long for a large value too.
  await write.slice?.yieldIfOver();
  const isComplete = (!isConverted || resource.definition.typed) && !hasStash(stored);
  const form = answer && {
    apiVersion: answer.apiVersion,
    bytes: encodeForStore(answer),
    labels: answer.metadata.labels,
  };
  resource.written.add(value, {
    object: stored,
    generation,
    completeIn: isComplete ? resource.version(stored.apiVersion) : undefined,
    form,
  });
  const ttlSeconds = resource.definition.strategy.ttlSeconds?.(stored);
  try {
    const result = await resource.store.commit({
      conditions: [{ key, modRevision: expectedRevision }],
      operations: [{ type: 'put', key, value, ...(ttlSeconds !== undefined && { ttlSeconds }) }],
    });
    if (!result.committed) return result;
    const { revision } = result;
    return {
      ...result,
      cached: committedObject(resource, key, value, revision),
      form: form && withRevision(form.bytes, revision),
    };
  } finally {
    resource.written.delete(value);
  }
}

/** Stores an object that stays in the version in which it is stored. */
export function putAsStored(
  write: WriteRequest,
  key: string,
  stored: KubeObject,
  current: CachedObject,
): Promise<PutResult> {
  return putPrepared(
    write,
    key,
    { stored, isConverted: true, answer: undefined, generation: undefined },
    current.revision,
  );
}

/**
 * True if a write would store what is already stored, apart from the times in managedFields, at which nothing
 * was changed then.
 */
export function isStoredAlready({ stored }: Prepared, current: CachedObject): boolean {
  return deepEqual(comparable(stored), comparable(current.parse()));
}

function comparable(object: KubeObject): JsonObject {
  const { resourceVersion: _, managedFields, ...metadata } = object.metadata;
  return asJson({
    ...object,
    metadata: { ...metadata, managedFields: managedFields?.map(({ time: __, ...entry }) => entry) ?? [] },
  });
}

/** The object from the cache, which has the commit already if it is running. */
function committedObject(resource: Resource, key: string, value: Uint8Array, revision: number): CachedObject {
  const cached = resource.cache.get(key);
  if (cached?.revision === revision) return cached;
  const own = CachedObject.fromEntry({ key, value, createRevision: revision, modRevision: revision });
  resource.written.seed(own, value);
  return own;
}

export async function deleteKey(resource: Resource, current: CachedObject): Promise<CommitResult> {
  return resource.store.commit({
    conditions: [{ key: current.key, modRevision: current.revision }],
    operations: [{ type: 'delete', key: current.key }],
  });
}

/** The state of a key in the cache; in the store if the cache does not have it. */
export async function readCurrent(resource: Resource, key: string): Promise<CachedObject | undefined> {
  await resource.cache.waitUntilStarted();
  return resource.cache.get(key) ?? currentOf(await resource.store.get(key));
}

export async function readFromStore(resource: Resource, key: string): Promise<CachedObject | undefined> {
  return currentOf(await resource.store.get(key));
}

export function currentOf(entry: StoredEntry | undefined): CachedObject | undefined {
  return entry === undefined ? undefined : CachedObject.fromEntry(entry);
}

/**
 * True if a write of `next` over `live` would store what is already stored (apart from the times in
 * managedFields, which follow changes).
 */
export function isUnchanged(next: KubeObject, live: KubeObject): boolean {
  return deepEqual(asJson(next), asJson(live));
}
