// DELETE of one object.
import type { KubeObject, Status } from '@instar/machinery';
import { representObject } from '../../kinds/table/representation.ts';
import { encodeForClient } from '../../objects/cached-object.ts';
import { ConversionError } from '../../objects/forms/conversion-error.ts';
import type { ReadOptions } from '../../objects/forms/read-forms.ts';
import { SKIP_UNCONVERTIBLE } from '../../objects/skip-unconvertible.ts';
import { type Deleted, type DeleteOptions, deleteObject } from '../../objects/write/delete.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { respondObject } from '../../wire/respond.ts';
import { deleteReadOptions, ONE_OBJECT } from './answer.ts';
import { readDeleteOptions } from './delete-options.ts';
import { negotiateScope } from './negotiate-scope.ts';
import type { RequestScope } from './request-scope.ts';
import { writeRequest } from './write.ts';

export async function deleteOne(scope: RequestScope): Promise<ApiResponse> {
  const { request, version } = scope;
  const negotiated = negotiateScope(scope, ONE_OBJECT);
  const options = await readDeleteOptions(request);
  const deleted = await deleteOrAdvise(scope, options, deleteReadOptions(negotiated, scope));
  if (deleted.isDeleted && !returnsObject(scope))
    return respondObject(200, successOf(scope, deleted), negotiated);
  return representObject(
    deleted.isDeleted ? 200 : statusOfMarked(options),
    encodeForClient(asDeleted(deleted)),
    version,
    negotiated,
    request,
  );
}

/**
 * An object that cannot be converted can still be deleted by a client that requests metadata only, or that
 * says so in the query.
 */
async function deleteOrAdvise(
  scope: RequestScope,
  options: DeleteOptions,
  read: ReadOptions,
): Promise<Deleted> {
  try {
    return await deleteObject(writeRequest(scope, options), options, read);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw error.withRemedy(
      `it can be deleted all the same with ?${SKIP_UNCONVERTIBLE}=true${orInStoredVersion(scope)}`,
    );
  }
}

/** Another client may have stored the object in the version of the request since. */
function orInStoredVersion(scope: RequestScope): string {
  const stored = storedVersion(scope);
  return stored?.served && stored.apiVersion !== scope.version.apiVersion ? ` or in ${stored.version}` : '';
}

function storedVersion({ resource, namespace, name }: RequestScope) {
  const cached = resource.cache.get(resource.key(namespace, name));
  return cached && resource.version(cached.storedApiVersion);
}

/** With the revision of the deletion, as upstream. */
function asDeleted({ object, revision }: Deleted): KubeObject {
  if (revision === undefined) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

/** Deleting some kinds answers with what was deleted (upstream's ReturnDeletedObject). */
const returnsObject = ({ resource }: RequestScope): boolean =>
  resource.definition.strategy.returnDeletedObject ?? false;

/** 202 says that the object still exists, to a client that wants its dependents deleted first. */
const statusOfMarked = (options: { orphanDependents: boolean | undefined }): number =>
  options.orphanDependents === false ? 202 : 200;

function successOf({ resource, version }: RequestScope, { object }: Deleted): Omit<Status, 'code'> {
  const { resource: kind } = resource.groupResource;
  // Events are deleted in the group in which the client has named them.
  const { group } = version;
  const { name, uid } = object.metadata;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: name!, ...(group !== '' && { group }), kind, uid: uid! },
  };
}
