// The fast path of a storage migration: objects are written again in the storage version, directly to the
// store. The result is that of a write through the API without changes: the same bytes, a new
// resourceVersion, one MODIFIED event each. There is no admission, since nothing changes that it could decide
// on. Every commit is conditional on the revision that was read: a client that writes meanwhile wins, and has
// thereby migrated the object.
import { isFailure } from '@instar/convert';
import type { CachedObject } from '../../objects/cached-object.ts';
import { bytesToStore } from '../../objects/forms/convert-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { MAX_VALUE_BYTES } from '../../objects/write/commit.ts';

/**
 * Read, converted and committed together, some ten milliseconds of work; then the event loop gets a turn.
 * Engines combine such commits into one write to disk, but each has its own revision, which watches need.
 */
const BATCH_OBJECTS = 100;

export interface RewriteProgress {
  /** Stored in another version when the migration began, or when it last looked. */
  readonly candidates: number;
  readonly total: number;
  rewritten: number;
  /**
   * Changed or deleted by clients in the meantime, or converted under an earlier definition: nothing is left
   * to do, or another pass does it.
   */
  overtaken: number;
  failed: number;
}

interface RewriteOptions {
  readonly signal: AbortSignal;
  /** Called for each object that cannot be migrated. */
  onFailure(object: CachedObject, why: string): void;
  /** Called after every batch. */
  onProgress(progress: RewriteProgress): Promise<void> | void;
}

/**
 * One pass over all objects that are not stored in the storage version. It stops early if the storage version
 * changes meanwhile.
 */
export async function rewriteObjects(resource: Resource, options: RewriteOptions): Promise<RewriteProgress> {
  await resource.cache.waitUntilFresh();
  const { storageApiVersion } = resource.definition;
  const keys = [...resource.cache.values()]
    .filter((object) => isStale(object, storageApiVersion))
    .map(({ key }) => key);
  const progress: RewriteProgress = {
    candidates: keys.length,
    total: resource.cache.size,
    rewritten: 0,
    overtaken: 0,
    failed: 0,
  };
  for (let at = 0; at < keys.length; at += BATCH_OBJECTS) {
    options.signal.throwIfAborted();
    if (resource.definition.storageApiVersion !== storageApiVersion) break;
    await rewriteBatch(resource, keys.slice(at, at + BATCH_OBJECTS), progress, options);
    await options.onProgress(progress);
    await new Promise((resume) => setImmediate(resume));
  }
  return progress;
}

const isStale = (object: CachedObject, storageApiVersion: string): boolean =>
  object.storedApiVersion !== storageApiVersion;

async function rewriteBatch(
  resource: Resource,
  keys: readonly string[],
  progress: RewriteProgress,
  { onFailure }: RewriteOptions,
): Promise<void> {
  // Looked up for every batch: its schema may have changed since the migration began.
  const version = resource.version(resource.definition.storageApiVersion)!;
  const present = keys.map((key) => resource.cache.get(key)).filter((object) => object !== undefined);
  const stale = present.filter((object) => isStale(object, version.apiVersion));
  progress.overtaken += keys.length - stale.length;
  const generation = resource.forms.generation;
  const forms = new Map<CachedObject, Uint8Array>();
  for (const [index, outcome] of (await resource.forms.outcomes(stale, version)).entries()) {
    if (!isFailure(outcome!)) {
      forms.set(stale[index]!, outcome!);
      continue;
    }
    progress.failed++;
    onFailure(stale[index]!, outcome.message);
  }
  // Converted under an earlier definition: the next pass converts them again.
  if (resource.forms.generation !== generation) {
    progress.overtaken += forms.size;
    return;
  }
  const work = async ([object, form]: readonly [CachedObject, Uint8Array]): Promise<void> => {
    const value = bytesToStore(resource, object, form);
    if (value.byteLength > MAX_VALUE_BYTES) {
      progress.failed++;
      onFailure(
        object,
        `it would have ${value.byteLength} bytes in ${version.apiVersion}: limit is ${MAX_VALUE_BYTES}`,
      );
    } else if (await rewrite(resource, object, value)) progress.rewritten++;
    else progress.overtaken++;
  };
  await Promise.all([...forms].map(work));
}

/** False if another write came first. */
async function rewrite(
  resource: Resource,
  { key, revision }: CachedObject,
  value: Uint8Array,
): Promise<boolean> {
  const { committed } = await resource.store.commit({
    conditions: [{ key, modRevision: revision }],
    operations: [{ type: 'put', key, value }],
  });
  return committed;
}
