// Deletes an object: immediately, or by marking it if finalizers or dependents must be removed first.
import { ApiError, apiErrors, asJson, deepEqual, type KubeObject, type ObjectMeta } from '@instar/machinery';
import { parseOwnBytes } from '../../wire/own-json.ts';
import type { CachedObject } from '../cached-object.ts';
import { type ReadOptions, readObject } from '../forms/read-forms.ts';
import {
  currentOf,
  deleteKey,
  type PutResult,
  putAsStored,
  putObject,
  readCurrent,
  readFromStore,
} from './commit.ts';
import { timestamp } from './system-fields.ts';
import { hasFinalizers } from './update.ts';
import type { OperationOptions, WriteRequest } from './write-request.ts';

export interface DeleteOptions extends OperationOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: 'Foreground' | 'Background' | 'Orphan' | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

export interface Deleted {
  /** True: the object is deleted. False: it is marked, and deleted when its finalizers are removed. */
  readonly isDeleted: boolean;
  /** That of the deletion, if it was not marked before. */
  readonly revision?: number;
  /** The last state of the object, in the version of the request unless the client accepts the stored one. */
  readonly object: KubeObject;
}

const MAX_RACES = 100;
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** `read` says whether the client accepts the object in the version in which it is stored. */
export async function deleteObject(
  write: WriteRequest,
  options: DeleteOptions,
  read: ReadOptions = {},
): Promise<Deleted> {
  const { resource } = write;
  const warning = resource.definition.strategy.orphansDependents?.warning;
  if (warning !== undefined && saysNothing(options) && !write.warnings.includes(warning))
    write.warnings.push(warning);
  const key = resource.key(write.namespace, write.name);
  let newest = await readCurrent(resource, key);
  for (let race = 0; race < MAX_RACES; race++) {
    const current = newest;
    if (current === undefined) throw resource.notFound(write.name);
    try {
      const outcome = await deleteOnce(write, options, current, read);
      if (!('lost' in outcome)) return outcome;
      newest = outcome.lost;
    } catch (error) {
      // A precondition that fails on the cached state may hold for the stored one.
      if (!isConflict(error)) throw error;
      newest = await readFromStore(resource, key);
      if (newest?.revision === current.revision) throw error;
    }
  }
  throw apiErrors.conflict(
    resource.groupResource,
    write.name,
    'the object is changing too fast to be deleted',
  );
}

async function deleteOnce(
  request: WriteRequest,
  options: DeleteOptions,
  current: CachedObject,
  read: ReadOptions,
): Promise<Deleted | { lost: CachedObject | undefined }> {
  const { resource } = request;
  const { definition } = resource;
  const { write, live } = await readLive(request, current, read);
  definition.strategy.checkDelete?.(live);
  checkPreconditions(write, options, live);
  await write.admission.mutate({ operation: 'DELETE', object: undefined, old: live, write, options });
  await write.admission.validate({ operation: 'DELETE', object: undefined, old: live, write, options });
  if (resource.definition.strategy.gracePeriod !== undefined)
    return deleteGracefully(write, options, current, live, read);
  const finalizers = finalizersFor(live, options, definition.strategy.orphansDependents !== undefined);
  const marked = mark(write, live, finalizers);
  if (!hasFinalizers(resource, marked)) {
    if (write.dryRun) return { isDeleted: true, object: live };
    const result = await deleteKey(resource, current);
    return result.committed
      ? { isDeleted: true, object: live, revision: result.revision }
      : { lost: currentOf(result.current[0]) };
  }
  if (isMarked(live) && deepEqual(asJson(marked), asJson(live))) return { isDeleted: false, object: live };
  if (write.dryRun) return { isDeleted: false, object: marked };
  const result = staysAsStored(write, current, read)
    ? await putAsStored(write, current.key, mark(write, current.parse(), finalizers), current)
    : await putObject(write, current.key, marked, current);
  if (!result.committed) return { lost: currentOf(result.current[0]) };
  return {
    isDeleted: false,
    object: await markedObject(request, result, read),
  };
}

/**
 * As upstream, the object is first marked with when it has to have ended, and deleted after that if this is
 * now. A deletion that waits already can only be shortened.
 */
async function deleteGracefully(
  write: WriteRequest,
  options: DeleteOptions,
  current: CachedObject,
  live: KubeObject,
  read: ReadOptions,
): Promise<Deleted | { lost: CachedObject | undefined }> {
  const { resource } = write;
  const marked = markGracefully(write, options, live);
  if (marked === undefined) return { isDeleted: false, object: live };
  const isDeleted = marked.metadata.deletionGracePeriodSeconds === 0 && !hasFinalizers(resource, marked);
  if (write.dryRun) return { isDeleted, object: marked };
  const result = await putObject(write, current.key, marked, current);
  if (!result.committed) return { lost: currentOf(result.current[0]) };
  const object = await markedObject(write, result, read);
  if (!isDeleted) return { isDeleted, object };
  const deleted = await deleteKey(resource, result.cached!);
  return deleted.committed ? { isDeleted, object } : { lost: currentOf(deleted.current[0]) };
}

/** Undefined: the deletion that was requested before stays as it is. */
function markGracefully(
  write: WriteRequest,
  options: DeleteOptions,
  live: KubeObject,
): KubeObject | undefined {
  const { gracePeriod } = write.resource.definition.strategy;
  const metadata = { ...live.metadata };
  const { deletionTimestamp: since, deletionGracePeriodSeconds: before } = live.metadata;
  if (since != null) {
    const asked = options.gracePeriodSeconds;
    if (asked === undefined || asked >= (before ?? 0)) return undefined;
    metadata.deletionTimestamp = timestamp(Date.parse(since) + (asked - (before ?? 0)) * 1000);
    metadata.deletionGracePeriodSeconds = asked;
  } else {
    const seconds = gracePeriod!(live, options.gracePeriodSeconds);
    metadata.deletionTimestamp = timestamp(write.now + seconds * 1000);
    metadata.deletionGracePeriodSeconds = seconds;
    if ((metadata.generation ?? 0) > 0) metadata.generation = metadata.generation! + 1;
  }
  const finalizers = finalizersFor(live, options, false);
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  return { ...live, metadata };
}

function markedObject(
  { asStored, resource, version }: WriteRequest,
  { cached, form }: PutResult,
  read: ReadOptions,
): KubeObject | Promise<KubeObject> {
  if (asStored) return cached!.parse();
  if (form !== undefined) return parseOwnBytes(form) as unknown as KubeObject;
  return readObject(resource.forms, cached!, version, read);
}

/** The object as admission gets it, and the request in the version of that object. */
async function readLive(
  write: WriteRequest,
  current: CachedObject,
  read: ReadOptions,
): Promise<{ write: WriteRequest; live: KubeObject }> {
  const { resource, version } = write;
  if (write.asStored) return { write, live: current.parse() };
  const { warn: _, ...quietly } = read;
  const live = await readObject(resource.forms, current, version, { waited: write.waited, ...quietly });
  if (live.apiVersion === version.apiVersion) return { write, live };
  const stored = resource.version(live.apiVersion);
  // If the definition no longer has the version, only the stored object is known.
  return stored === undefined
    ? { write, live }
    : { write: { ...write, version: stored }, live: await readObject(resource.forms, current, stored) };
}

/**
 * Marking changes metadata only: an object in an old version need not be converted for it, nor one whose
 * client accepts the stored version.
 */
function staysAsStored(
  { asStored, resource, version }: WriteRequest,
  { storedApiVersion }: CachedObject,
  read: ReadOptions,
): boolean {
  if (asStored || read.asStored || read.orStored) return true;
  return (
    storedApiVersion === version.apiVersion && storedApiVersion !== resource.definition.storageApiVersion
  );
}

const isMarked = (object: KubeObject): boolean => object.metadata.deletionTimestamp != null;

function checkPreconditions(write: WriteRequest, options: DeleteOptions, { metadata }: KubeObject): void {
  const { strategy, names } = write.resource.definition;
  if (strategy.markForDeletion !== undefined) {
    checkOwnPreconditions(write, options, metadata);
    return;
  }
  const subject = { group: write.version.group, resource: names.kind };
  if (options.uid !== undefined && options.uid !== metadata.uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw apiErrors.conflict(subject, write.name, why);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw apiErrors.conflict(subject, write.name, why);
  }
}

/** Upstream has other messages for the kinds that mark themselves. */
function checkOwnPreconditions(
  { resource, name }: WriteRequest,
  options: DeleteOptions,
  { uid, resourceVersion }: ObjectMeta,
): void {
  const failed = (what: string, asked: string, found: string | undefined) =>
    apiErrors.conflict(
      resource.groupResource,
      name,
      `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${found}`,
    );
  if (options.uid !== undefined && options.uid !== uid) throw failed('UID', options.uid, uid);
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    throw failed('ResourceVersion', options.resourceVersion, resourceVersion);
  }
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.reason === 'Conflict';

/** The finalizers that make the garbage collector treat the dependents as requested. */
function finalizersFor({ metadata }: KubeObject, options: DeleteOptions, orphans: boolean): string[] {
  const present = metadata.finalizers ?? [];
  const others = present.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  const chosen = dependentsFinalizer(present, options);
  const isUndecided = saysNothing(options) && chosen.length === 0;
  return [...others, ...(isUndecided && orphans ? [ORPHAN] : chosen)];
}

const saysNothing = ({ orphanDependents, propagationPolicy }: DeleteOptions): boolean =>
  orphanDependents === undefined && propagationPolicy === undefined;

function dependentsFinalizer(present: readonly string[], options: DeleteOptions): string[] {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? [ORPHAN] : [];
  switch (options.propagationPolicy) {
    case 'Orphan':
      return [ORPHAN];
    case 'Foreground':
      return [FOREGROUND];
    case 'Background':
      return [];
    case undefined:
      return present.filter((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND).slice(0, 1);
  }
}

function mark(write: WriteRequest, live: KubeObject, finalizers: string[]): KubeObject {
  const { markForDeletion } = write.resource.definition.strategy;
  if (markForDeletion !== undefined && !isMarked(live)) {
    const now = timestamp(write.now);
    const marked = structuredClone(live);
    marked.metadata.deletionTimestamp = now;
    markForDeletion(marked, now);
    return marked;
  }
  const metadata = { ...live.metadata };
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  if (metadata.deletionTimestamp == null) {
    if ((metadata.generation ?? 0) > 0) metadata.generation = metadata.generation! + 1;
    metadata.deletionTimestamp = timestamp(write.now);
  }
  if (!write.resource.definition.strategy.finalizersUnderSpec) metadata.deletionGracePeriodSeconds = 0;
  return { ...live, metadata };
}
