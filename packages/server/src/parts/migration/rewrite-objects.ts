// The fast path of a storage migration: objects are written again in the storage version, straight into
// the store. The outcome is that of a write through the API that changes nothing: the same bytes, a new
// resourceVersion, one MODIFIED event each. Admission is not asked, as nothing changes that it could have a
// say on. Every commit is conditional on the revision that was read: whoever writes meanwhile wins, and has
// migrated the object thereby.
import { isFailure } from '@instar/convert';
import type { CachedObject } from '../../objects/cached-object.ts';
import { bytesToStore } from '../../objects/forms/convert-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { MAX_VALUE_BYTES } from '../../objects/write/commit.ts';

/**
 * Read, converted and committed together, some ten milliseconds of work; then others get their turn. Engines
 * put such commits together into one write to disk, but each has a revision of its own, which watches need.
 */
const BATCH = 100;

export interface RewriteProgress {
  /** Stored in another version when the migration began, or when it last looked. */
  readonly candidates: number;
  readonly total: number;
  rewritten: number;
  /**
   * Changed or deleted by others in the meantime, or defined otherwise: nothing was left to do, or another
   * pass does it.
   */
  overtaken: number;
  failed: number;
}

export interface RewriteOptions {
  readonly signal: AbortSignal;
  /** Told of each object that cannot be converted. */
  refused(object: CachedObject, why: string): void;
  /** Told after every batch. */
  progress(progress: RewriteProgress): Promise<void> | void;
}

/**
 * Once over all that is stored in another version than that of storage. The definition may change meanwhile;
 * then it stops early.
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
  for (let at = 0; at < keys.length; at += BATCH) {
    options.signal.throwIfAborted();
    if (resource.definition.storageApiVersion !== storageApiVersion) break;
    await rewriteBatch(resource, keys.slice(at, at + BATCH), progress, options);
    await options.progress(progress);
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
  { refused }: RewriteOptions,
): Promise<void> {
  // The one of now: the definition may have another schema for it than it had when the migration began.
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
    refused(stale[index]!, outcome.message);
  }
  // Converted in a way that does not count any more: the next pass does it in the one that does.
  if (resource.forms.generation !== generation) {
    progress.overtaken += forms.size;
    return;
  }
  const work = async ([object, form]: readonly [CachedObject, Uint8Array]): Promise<void> => {
    const value = bytesToStore(resource, object, form);
    if (value.byteLength > MAX_VALUE_BYTES) {
      progress.failed++;
      refused(
        object,
        `it would have ${value.byteLength} bytes in ${version.apiVersion}: limit is ${MAX_VALUE_BYTES}`,
      );
    } else if (await rewrite(resource, object, value)) progress.rewritten++;
    else progress.overtaken++;
  };
  await Promise.all([...forms].map(work));
}

/** False if somebody was faster. */
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
