// DELETE of one object.
import type { Status } from '@instar/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import type { Negotiated } from '../http/negotiate.ts';
import { respondObject } from '../http/respond.ts';
import { encodeForClient } from '../resource/cached-object.ts';
import { ConversionError } from '../resource/conversion-error.ts';
import { type Deleted, type DeleteOptions, deleteObject } from '../resource/write/delete.ts';
import { shapeObject } from '../table/shape.ts';
import { ONE_OBJECT, readOptions } from './answer.ts';
import { readDeleteOptions } from './delete-options.ts';
import { negotiateScope } from './negotiate-scope.ts';
import type { Scope } from './scope.ts';
import { SKIP_UNCONVERTIBLE, skipsUnconvertible } from './skipped-objects.ts';
import { writeRequest } from './write.ts';

export async function deleteOne(scope: Scope): Promise<ApiResponse> {
  const { request, version } = scope;
  const negotiated = negotiateScope(scope, ONE_OBJECT);
  const options = await readDeleteOptions(request, version.apiVersion);
  const deleted = await deleteInAnyVersion(scope, negotiated, options);
  if (deleted.gone && !returnsObject(scope)) return respondObject(200, successOf(scope, deleted), negotiated);
  return shapeObject(deleted.gone ? 200 : statusOfMarked(options), encodeForClient(deleted.object), version, negotiated, request);
}

/** An object that cannot be converted can still be deleted by whoever wants to see no more of it than its metadata, or says so. */
async function deleteInAnyVersion(scope: Scope, negotiated: Negotiated, options: DeleteOptions): Promise<Deleted> {
  const write = writeRequest(scope, options);
  try {
    return await deleteObject(write, options);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    const stored = storedVersion(scope);
    if (readOptions(negotiated, scope).orStored || skipsUnconvertible(scope)) {
      // Of a version that the definition no longer has nothing more is known than what is stored.
      return deleteObject(stored === undefined ? { ...write, asStored: true } : { ...write, version: stored }, options);
    }
    throw error.withRemedy(
      `it can be deleted all the same with ?${SKIP_UNCONVERTIBLE}=true${stored?.served ? ` or in ${stored.version}` : ''}`,
    );
  }
}

function storedVersion({ resource, namespace, name }: Scope) {
  const cached = resource.cache.get(resource.key(namespace, name));
  return cached && resource.version(cached.storedApiVersion);
}

/** Deleting some kinds answers with what was deleted (upstream's ReturnDeletedObject). */
const returnsObject = ({ resource }: Scope): boolean => resource.definition.strategy.returnDeletedObject ?? false;

/** 202 tells a client that asked for dependents to go first that the object is still there. */
const statusOfMarked = (options: { orphanDependents: boolean | undefined }): number => (options.orphanDependents === false ? 202 : 200);

function successOf({ resource }: Scope, { object }: Deleted): Omit<Status, 'code'> {
  const { group, resource: kind } = resource.groupResource;
  const { name, uid } = object.metadata;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: name!, ...(group !== '' && { group }), kind, uid: uid! },
  };
}
