// DELETE of a collection: every object that is selected, one by one; the answer lists what was selected.

import { shapeList } from '../../kinds/table/shape.ts';
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

/** Deletes under way at once, so that one request does not crowd out the others. */
const CONCURRENCY = 16;

export async function deleteCollection(scope: RequestScope): Promise<ApiResponse> {
  const { request, resource, version } = scope;
  const negotiated = negotiateScope(scope, COLLECTION);
  const listOptions = readListOptions(request.query, false);
  const options = await readDeleteOptions(request, version.apiVersion);
  const read = deleteReadOptions(negotiated, scope);
  // What is deleted must be what was selected: in an outage the labels in another version are not guessed.
  const listing = await readListing(scope, listOptions, read.asStored ? read : { waited: scope.waited });
  const forms = await readForms(resource.forms, listing.objects, version, read);
  const { warn: _, ...quietly } = read;
  await deleteAll(scope, listing.objects, options, quietly);
  return shapeList(listing, forms, resource.definition, version, negotiated, request);
}

async function deleteAll(
  scope: RequestScope,
  objects: readonly CachedObject[],
  options: DeleteOptions,
  read: ReadOptions,
): Promise<void> {
  const { signal } = scope.request;
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    try {
      for (let object = objects[next++]; object !== undefined && !failed; object = objects[next++]) {
        signal.throwIfAborted();
        await deleteListed(scope, object, options, read);
      }
    } catch (error) {
      // Nothing more is deleted behind the back of a client that has been told of an error.
      failed = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, objects.length) }, worker));
}

async function deleteListed(
  scope: RequestScope,
  { metadata }: CachedObject,
  options: DeleteOptions,
  read: ReadOptions,
): Promise<void> {
  const { name = '', namespace = '' } = metadata;
  // One that somebody else has deleted in the meantime is gone as asked.
  await ignoreNotFound(
    deleteObject({ ...writeRequest(scope, options), name, namespace, ofCollection: true }, options, read),
  );
}
