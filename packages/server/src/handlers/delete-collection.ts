// DELETE of a collection: every object that is selected, one by one; the answer lists what was selected.
import { ApiError } from '@instar/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import { negotiate } from '../http/negotiate.ts';
import type { CachedObject } from '../resource/cached-object.ts';
import { encodeForClient } from '../resource/cached-object.ts';
import { type DeleteOptions, deleteObject } from '../resource/write/delete.ts';
import { shapeList } from '../table/shape.ts';
import { COLLECTION } from './answer.ts';
import { readDeleteOptions } from './delete-options.ts';
import { readListing } from './list.ts';
import { readListOptions } from './options.ts';
import type { Scope } from './scope.ts';
import { writeRequest } from './write.ts';

/** Deletes under way at once, so that one request does not crowd out the others. */
const CONCURRENCY = 16;

export async function deleteCollection(scope: Scope): Promise<ApiResponse> {
  const { request, resource, version } = scope;
  const negotiated = negotiate(request, COLLECTION);
  const listOptions = readListOptions(request.query, false);
  const options = await readDeleteOptions(request, version.apiVersion);
  const listing = await readListing(scope, listOptions);
  const forms = await deleteAll(scope, listing.objects, options);
  return shapeList({ ...listing, objects: listing.objects }, forms, resource.definition, version, negotiated, request);
}

async function deleteAll(scope: Scope, objects: readonly CachedObject[], options: DeleteOptions): Promise<Uint8Array[]> {
  const forms = new Array<Uint8Array>(objects.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < objects.length; i = next++) forms[i] = await deleteListed(scope, objects[i]!, options);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, objects.length) }, worker));
  return forms;
}

async function deleteListed(scope: Scope, cached: CachedObject, options: DeleteOptions): Promise<Uint8Array> {
  const { name = '', namespace = '' } = cached.metadata;
  try {
    const deleted = await deleteObject({ ...writeRequest(scope, options), name, namespace }, options);
    return encodeForClient(deleted.object);
  } catch (error) {
    // Somebody else was faster: what was asked for has happened.
    if (error instanceof ApiError && error.reason === 'NotFound') return scope.resource.form(cached, scope.version);
    throw error;
  }
}
