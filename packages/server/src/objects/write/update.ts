// Changes an object that exists. PUT, PATCH and apply all end here, for the main resource and its
// subresources.
import { quoteGo } from '@instar/go';
import {
  ApiError,
  apiErrors,
  type FieldError,
  fieldErrors,
  type KubeObject,
  validateObjectMetaUpdate,
} from '@instar/machinery';
import type { CachedObject } from '../cached-object.ts';
import { readObject } from '../forms/read-forms.ts';
import type { Resource } from '../resource.ts';
import {
  currentOf,
  deleteKey,
  isStoredAlready,
  isUnchanged,
  prepareToStore,
  putPrepared,
  readCurrent,
  readFromStore,
  throughStorage,
} from './commit.ts';
import { commonErrors, createOwned, invalidObject, validationErrors, type Written } from './create.ts';
import { keepTimesIfUnchanged } from './ownership.ts';
import { matchNamespace, warnOfDuplicateOwners } from './system-fields.ts';
import type { AdmissionOperation, OperationOptions, WriteRequest } from './write-request.ts';

const OPTIMISTIC_LOCK =
  'the object has been modified; please apply your changes to the latest version and try again';

/** As upstream, the retries are limited: a client that loses this often gets the conflict. */
const MAX_RACES = 100;

interface Update {
  /**
   * The object as the client wants it, given the live one (undefined: it does not exist, and may be created),
   * which must not be changed. Called again after a lost race, unless the client named the resourceVersion it
   * wants to change.
   */
  next(live: KubeObject | undefined): Promise<KubeObject>;
  /** The uid that the client expects, if it named one. */
  readonly uid?: string | undefined;
  readonly mayCreate: boolean;
  /**
   * The result of a PATCH has the resourceVersion of the object it was applied to, so that every PATCH is
   * conditional.
   */
  readonly options: OperationOptions;
  /**
   * What admission gets instead of the object itself (a Scale). `next` has then already run mutating
   * admission.
   */
  readonly shown?: (object: KubeObject) => KubeObject;
}

interface Updated extends Written {
  readonly created: boolean;
}

export async function updateObject(write: WriteRequest, update: Update): Promise<Updated> {
  const { resource } = write;
  const key = resource.key(write.namespace, write.name);
  const first = await attemptOnCached(write, update, key);
  if (!('lost' in first)) return first;
  return resource.turns.take(key, async () => {
    for (let race = 1; race < MAX_RACES; race++) {
      // The race may have been lost to another server, whose write the cache may not have yet.
      await resource.cache.waitUntilFresh();
      const outcome = await attempt(write, update, resource.cache.get(key));
      if (!('lost' in outcome)) return outcome;
    }
    throw apiErrors.conflict(resource.groupResource, write.name, OPTIMISTIC_LOCK);
  });
}

/** What is refused because of the cached state may be valid for what another server has written meanwhile. */
async function attemptOnCached(write: WriteRequest, update: Update, key: string): Promise<Attempt> {
  const { resource } = write;
  const current = await readCurrent(resource, key);
  if (resource.store.isShared !== true) return attempt(write, update, current);
  try {
    return await attempt(write, update, current);
  } catch (error) {
    // Not for an error of the store: the write may have happened then, and would be mistaken for another's.
    if (!(error instanceof ApiError)) throw error;
    const newest = await readFromStore(resource, key);
    if (newest?.revision === current?.revision) throw error;
    return { lost: newest };
  }
}

type Attempt = Updated | { lost: CachedObject | undefined };

async function attempt(
  write: WriteRequest,
  update: Update,
  current: CachedObject | undefined,
): Promise<Attempt> {
  if (current === undefined) {
    if (!update.mayCreate) throw write.resource.notFound(write.name);
    return { ...(await createByUpdate(write, update)), created: true };
  }
  const outcome = await updateOnce(write, update, current);
  return 'lost' in outcome ? outcome : { ...outcome, created: false };
}

async function createByUpdate(write: WriteRequest, update: Update): Promise<Written> {
  const object = await update.next(undefined);
  const { uid } = object.metadata;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw apiErrors.conflict(write.resource.groupResource, write.name, why);
  }
  // The object does not exist, so that it has no resourceVersion yet.
  delete object.metadata.resourceVersion;
  return createOwned(write, object, update.options);
}

type UpdateOutcome = Written | { lost: CachedObject | undefined };

async function updateOnce(
  write: WriteRequest,
  update: Update,
  current: CachedObject,
): Promise<UpdateOutcome> {
  const { resource } = write;
  const live = await readObject(resource.forms, current, write.version, { waited: write.waited });
  checkUid(write, update, live, current.key);
  await write.slice?.yieldIfOver();
  const wanted = await update.next(live);
  await write.slice?.yieldIfOver();
  const conditional = checkResourceVersion(write, wanted, live);
  if (conditional === 'stale') {
    // The cache may be behind another server's writes: only the store can say that the client is stale.
    const newest = await readFromStore(resource, current.key);
    if (newest?.revision !== current.revision) return { lost: newest };
    throw apiErrors.conflict(resource.groupResource, write.name, OPTIMISTIC_LOCK);
  }
  warnOfDuplicateOwners(wanted, write.warnings);
  const admitted = update.shown === undefined ? await mutated(write, update, wanted, live) : wanted;
  await prepareAndValidate(write, admitted, live);
  await write.slice?.yieldIfOver();
  const next = keepTimesIfUnchanged(live, admitted);
  await write.slice?.yieldIfOver();
  await write.admission.validate(operationOn(write, update, next, live));
  return commitUpdate(write, next, live, current);
}

async function mutated(
  write: WriteRequest,
  update: Update,
  wanted: KubeObject,
  live: KubeObject,
): Promise<KubeObject> {
  const changed = await write.admission.mutate(operationOn(write, update, wanted, live));
  if (changed === undefined) return wanted;
  // Its numbers were written anew.
  write.wholeFloats = undefined;
  warnOfDuplicateOwners(changed, write.warnings);
  return changed;
}

function operationOn(
  write: WriteRequest,
  { shown, options }: Update,
  object: KubeObject,
  old: KubeObject,
): AdmissionOperation {
  const seen = shown === undefined ? { object, old } : { object: shown(object), old: shown(old) };
  return { operation: 'UPDATE', ...seen, write, options };
}

/** A write without changes encrypts again what another key has encrypted. */
const isOutdated = ({ store }: Resource, { key }: CachedObject): Promise<boolean> | undefined =>
  store.isOutdated?.(key);

async function commitUpdate(
  write: WriteRequest,
  next: KubeObject,
  live: KubeObject,
  current: CachedObject,
): Promise<UpdateOutcome> {
  const { resource } = write;
  if (isFinished(write, next, live)) {
    if (!write.dryRun) {
      const result = await deleteKey(resource, current);
      if (!result.committed) return { lost: currentOf(result.current[0]) };
    }
    return { cached: undefined, object: next };
  }
  next.metadata.resourceVersion = live.metadata.resourceVersion!;
  const isStale = current.storedApiVersion !== resource.definition.storageApiVersion;
  if (!isStale && isUnchanged(next, live) && !(await isOutdated(resource, current)))
    return unchangedOutcome(resource, current);
  await write.slice?.yieldIfOver();
  if (write.dryRun) return { cached: undefined, object: await throughStorage(write, next, current) };
  const prepared = await prepareToStore(write, next, current);
  // A conversion may have reverted the client's change.
  if (
    !isStale &&
    prepared.isConverted &&
    isStoredAlready(prepared, current) &&
    !(await isOutdated(resource, current))
  )
    return unchangedOutcome(resource, current);
  const result = await putPrepared(write, current.key, prepared, current.revision);
  return result.committed
    ? { cached: result.cached, form: result.form, object: undefined }
    : { lost: currentOf(result.current[0]) };
}

/** Nothing need be written if `current` is still the stored state: another server may have changed it. */
async function unchangedOutcome({ cache }: Resource, current: CachedObject): Promise<UpdateOutcome> {
  await cache.waitUntilFresh();
  const newest = cache.get(current.key);
  return newest?.revision === current.revision ? { cached: current, object: undefined } : { lost: newest };
}

/** True if the write removes the last finalizer of an object that is being deleted. */
function isFinished(write: WriteRequest, next: KubeObject, live: KubeObject): boolean {
  if (live.metadata.deletionTimestamp == null || (live.metadata.deletionGracePeriodSeconds ?? 0) !== 0)
    return false;
  return !hasFinalizers(write.resource, next);
}

/** Finalizers defer the deletion: those in metadata and, for namespaces, those under spec. */
export function hasFinalizers({ definition }: Resource, object: KubeObject): boolean {
  if ((object.metadata.finalizers?.length ?? 0) > 0) return true;
  const spec = definition.strategy.finalizersUnderSpec
    ? (object['spec'] as { finalizers?: string[] } | undefined)
    : undefined;
  return (spec?.finalizers?.length ?? 0) > 0;
}

function checkUid(write: WriteRequest, update: Update, live: KubeObject, key: string): void {
  if (!update.uid || update.uid === live.metadata.uid) return;
  const why = `Precondition failed: UID in precondition: ${update.uid}, UID in object meta: ${live.metadata.uid}`;
  const text = `StorageError: invalid object, Code: 4, Key: ${write.resource.shownKey(key)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  throw apiErrors.conflict(write.resource.groupResource, write.name, text);
}

function checkResourceVersion(
  write: WriteRequest,
  wanted: KubeObject,
  live: KubeObject,
): 'current' | 'stale' {
  const asked = wanted.metadata.resourceVersion ?? '';
  if (asked === '' || asked === '0') {
    if (write.resource.definition.strategy.allowUnconditionalUpdate) {
      wanted.metadata.resourceVersion = live.metadata.resourceVersion!;
      return 'current';
    }
    const error = fieldErrors.invalid('metadata.resourceVersion', 0, 'must be specified for an update');
    const { group, resource } = write.resource.groupResource;
    throw apiErrors.invalid({ group, kind: resource }, write.name, [error]);
  }
  if (!/^\d+$/.test(asked))
    throw apiErrors.raw({
      code: 500,
      message: `strconv.ParseUint: parsing ${quoteGo(asked)}: invalid syntax`,
    });
  return asked === live.metadata.resourceVersion ? 'current' : 'stale';
}

async function prepareAndValidate(write: WriteRequest, next: KubeObject, live: KubeObject): Promise<void> {
  const { definition } = write.resource;
  matchNamespace(next, write.namespace, definition.namespaced);
  keep(next, live, 'generation');
  definition.strategy.prepareForUpdate?.(next, live, write);
  // What a client sends is not stored; the answer to a dry run has it.
  if (!write.dryRun) delete next.metadata.selfLink;
  inheritSystemFields(next, live);
  await write.slice?.yieldIfOver();
  const errors: FieldError[] = [
    ...commonErrors(write, next),
    ...validateObjectMetaUpdate(next.metadata, live.metadata),
  ];
  errors.push(...(await validationErrors(write, next, live)));
  if (errors.length > 0) throw invalidObject(write, next, errors);
  write.warnings.push(...(definition.strategy.warnings?.(next, live, write) ?? []));
}

function inheritSystemFields(next: KubeObject, live: KubeObject): void {
  if (!next.metadata.uid) keep(next, live, 'uid');
  if (live.metadata.creationTimestamp) keep(next, live, 'creationTimestamp');
  if (live.metadata.deletionTimestamp) keep(next, live, 'deletionTimestamp');
  if (live.metadata.deletionGracePeriodSeconds != null && next.metadata.deletionGracePeriodSeconds == null)
    keep(next, live, 'deletionGracePeriodSeconds');
}

function keep(
  next: KubeObject,
  live: KubeObject,
  field: 'generation' | 'uid' | 'creationTimestamp' | 'deletionTimestamp' | 'deletionGracePeriodSeconds',
): void {
  const value = live.metadata[field];
  if (value === undefined) delete next.metadata[field];
  else (next.metadata as Record<typeof field, typeof value>)[field] = value;
}
