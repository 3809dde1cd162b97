// Creates an object from the decoded body of a request.
import { nameIsPathSegment } from '@instar/go';
import {
  ApiError,
  apiErrors,
  asJson,
  asKubeObject,
  deepCopy,
  type FieldError,
  generateName,
  type KubeObject,
  parseApiVersion,
  validateObjectMeta,
} from '@instar/machinery';
import type { CachedObject } from '../cached-object.ts';
import { finishInSlices } from '../time-slice.ts';
import { putObject, readFromStore, throughStorage } from './commit.ts';
import { recordOwnership } from './ownership.ts';
import {
  fillSystemFields,
  matchNamespace,
  warnOfDuplicateOwners,
  wipeSystemFields,
} from './system-fields.ts';
import type { OperationOptions, WriteRequest } from './write-request.ts';

/** How many generated names are tried if they exist already, as upstream. */
const MAX_NAME_ATTEMPTS = 8;

export interface Written {
  readonly cached: CachedObject | undefined;
  /** The answer in the version of the request, if it had to be converted before the commit. */
  readonly form?: Uint8Array | undefined;
  /** The result of a dry run, which is not in the store. */
  readonly object: KubeObject | undefined;
}

export async function createObject(
  write: WriteRequest,
  decoded: KubeObject,
  options: OperationOptions,
): Promise<Written> {
  wipeSystemFields(decoded);
  matchNamespace(decoded, write.namespace, write.resource.definition.namespaced);
  await write.slice?.yieldIfOver();
  return createOwned(write, await recordOwnership(write, undefined, decoded), options);
}

/** The same for an object whose managedFields are decided already (a PUT or an apply that creates). */
export async function createOwned(
  write: WriteRequest,
  owned: KubeObject,
  options: OperationOptions,
): Promise<Written> {
  wipeSystemFields(owned);
  matchNamespace(owned, write.namespace, write.resource.definition.namespaced);
  warnOfDuplicateOwners(owned, write.warnings);
  const mutated = await write.admission.mutate({
    operation: 'CREATE',
    object: owned,
    old: undefined,
    write,
    options,
  });
  const admitted = mutated === undefined ? owned : checkMutated(write, mutated);
  if (admitted.metadata.name || !admitted.metadata.generateName) return createOnce(write, admitted, options);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(write, asKubeObject(deepCopy(asJson(admitted))), options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
      if (attempt >= MAX_NAME_ATTEMPTS)
        throw apiErrors.generateNameConflict(write.resource.groupResource, error.status.details?.name ?? '');
    }
  }
}

/** Webhooks must not change what clients must not change. */
function checkMutated(write: WriteRequest, mutated: KubeObject): KubeObject {
  // Its numbers were written anew.
  write.wholeFloats = undefined;
  wipeSystemFields(mutated);
  matchNamespace(mutated, write.namespace, write.resource.definition.namespaced);
  warnOfDuplicateOwners(mutated, write.warnings);
  return mutated;
}

async function createOnce(
  write: WriteRequest,
  object: KubeObject,
  options: OperationOptions,
): Promise<Written> {
  const { resource } = write;
  const { metadata } = object;
  await write.slice?.yieldIfOver();
  fillSystemFields(object, write.now);
  if (!metadata.name && metadata.generateName)
    metadata.name = generateName(metadata.generateName, Math.random);
  if (
    metadata.resourceVersion !== undefined &&
    metadata.resourceVersion !== '' &&
    metadata.resourceVersion !== '0' &&
    !write.dryRun
  ) {
    await prepareAndValidate(write, object);
    throw apiErrors.raw({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
  }
  // The answer to a dry run has what the client sent.
  if (!write.dryRun || metadata.resourceVersion === '') delete metadata.resourceVersion;
  if (resource.definition.terminating) {
    throw apiErrors.forbidden(
      resource.groupResource,
      metadata.name ?? '',
      'create not allowed while custom resource definition is terminating',
    );
  }
  if (resource.definition.strategy.readsSiblings) await resource.cache.waitUntilFresh();
  await prepareAndValidate(write, object);
  await write.slice?.yieldIfOver();
  await write.admission.validate({ operation: 'CREATE', object, old: undefined, write, options });
  const key = resource.key(metadata.namespace ?? '', metadata.name!);
  if (write.dryRun) {
    const existing = await readFromStore(resource, key);
    if (existing !== undefined) throw alreadyExists(write, existing);
    return { cached: undefined, object: await throughStorage(write, object) };
  }
  const result = await putObject(write, key, object, undefined);
  if (!result.committed) throw alreadyExists(write, await readFromStore(resource, key), metadata.name);
  return { cached: result.cached, form: result.form, object: undefined };
}

async function prepareAndValidate(write: WriteRequest, object: KubeObject): Promise<void> {
  const { strategy } = write.resource.definition;
  strategy.prepareForCreate?.(object, write);
  await write.slice?.yieldIfOver();
  const errors = await validationErrors(write, object, undefined);
  if (errors.length > 0) throw invalidObject(write, object, errors);
  write.warnings.push(...(strategy.warnings?.(object, undefined, write) ?? []));
}

/** What the strategy objects to; `old` is undefined for a create. */
export async function validationErrors(
  write: WriteRequest,
  object: KubeObject,
  old: KubeObject | undefined,
): Promise<FieldError[]> {
  const { strategy } = write.resource.definition;
  if (strategy.validateInSteps !== undefined)
    return finishInSlices(strategy.validateInSteps(object, old, write), write.slice);
  const errors =
    old === undefined
      ? strategy.validateCreate?.(object, write)
      : strategy.validateUpdate?.(object, old, write);
  return errors ?? [];
}

/** The rules for the metadata of every object, independent of its kind. */
export function commonErrors(write: WriteRequest, object: KubeObject): FieldError[] {
  return validateObjectMeta(object.metadata, write.resource.definition.namespaced, nameIsPathSegment);
}

export function invalidObject(
  write: WriteRequest,
  object: KubeObject,
  errors: readonly FieldError[],
): ApiError {
  // Errors name typed kinds by the group they are stored in, whatever the version of the request (events have
  // two groups).
  const { typed, group } = write.resource.definition;
  const named = typed ? group : (parseApiVersion(object.apiVersion)?.group ?? '');
  return apiErrors.invalid({ group: named, kind: object.kind }, object.metadata.name ?? '', errors);
}

function alreadyExists(write: WriteRequest, existing: CachedObject | undefined, name?: string): ApiError {
  const error = apiErrors.alreadyExists(write.resource.groupResource, name ?? existing?.metadata.name ?? '');
  if (existing?.metadata.deletionTimestamp == null) return error;
  return apiErrors.raw({ ...error.status, message: `object is being deleted: ${error.status.message}` });
}
