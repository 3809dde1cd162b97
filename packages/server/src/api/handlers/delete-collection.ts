// DELETE of a collection: deletes every selected object, one by one, and answers with the list of them.

import { representList } from '../../kinds/table/representation.ts';
import type { CachedObject } from '../../objects/cached-object.ts';
import { type ReadOptions, readForms } from '../../objects/forms/read-forms.ts';
import { type DeleteOptions, deleteObject } from '../../objects/write/delete.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { COLLECTION, deleteReadOptions } from './answer.ts';
import { readDeleteOptions } from './delete-options.ts';
import { readListing } from './list.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { readListOptions } from './options.ts';
import type { RequestScope } from './request-scope.ts';
import { writeRequest } from './write.ts';

/** So that one request does not starve the others. */
const MAX_CONCURRENT_DELETES = 16;

export async function deleteCollection(scope: RequestScope): Promise<ApiResponse> {
  const { request, resource, version } = scope;
  const negotiated = negotiateScope(scope, COLLECTION);
  const listOptions = readListOptions(request.query, false);
  const options = await readDeleteOptions(request);
  const read = deleteReadOptions(negotiated, scope);
  // Only what was really selected may be deleted: if a webhook is unreachable, the labels in another version
  // are not guessed.
  const listing = await readListing(scope, listOptions, read.asStored ? read : { waited: scope.waited });
  const forms = await readForms(resource.forms, listing.objects, version, read);
  const { warn: _, ...quietly } = read;
  await deleteAll(scope, listing.objects, options, quietly);
  return representList(listing, forms, resource.definition, version, negotiated, request);
}

async function deleteAll(
  scope: RequestScope,
  objects: readonly CachedObject[],
  options: DeleteOptions,
  read: ReadOptions,
): Promise<void> {
  const { signal } = scope.request;
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    try {
      for (let object = objects[next++]; object !== undefined && !hasFailed; object = objects[next++]) {
        signal.throwIfAborted();
        await deleteListed(scope, object, options, read);
      }
    } catch (error) {
      // A client that gets an error must not have further objects deleted afterwards.
      hasFailed = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_DELETES, objects.length) }, worker));
}

async function deleteListed(
  scope: RequestScope,
  { metadata }: CachedObject,
  options: DeleteOptions,
  read: ReadOptions,
): Promise<void> {
  const { name = '', namespace = '' } = metadata;
  // An object that another client has deleted in the meantime is not an error.
  await ignoreNotFound(
    deleteObject({ ...writeRequest(scope, options), name, namespace, ofCollection: true }, options, read),
  );
}
