// Deletions that the server makes itself. An object that a client has deleted in the meantime is not an
// error.
import type { ObjectMeta } from '@instar/machinery';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { type DeleteOptions, deleteObject } from '../../objects/write/delete.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { internalWrite } from './internal-writes.ts';

const MAX_CONCURRENT_DELETES = 64;

const DEFAULT_OPTIONS: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  uid: undefined,
  resourceVersion: undefined,
};

type Identity = Pick<ObjectMeta, 'name' | 'namespace'>;

export async function deleteInternally(
  resource: Resource,
  { name = '', namespace = '' }: Identity,
  options: Partial<DeleteOptions> = {},
) {
  await ignoreNotFound(
    deleteObject(internalWrite({ resource, namespace, name }), { ...DEFAULT_OPTIONS, ...options }),
  );
}

/**
 * Deletes many objects concurrently, so that they share commits. Returns why some could not be deleted; such
 * a failure does not affect the others.
 */
export async function deleteAllInternally(
  resource: Resource,
  objects: readonly CachedObject[],
  options: Partial<DeleteOptions> = {},
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let at = 0; at < objects.length; at += MAX_CONCURRENT_DELETES) {
    const batch = objects.slice(at, at + MAX_CONCURRENT_DELETES);
    const outcomes = await Promise.allSettled(
      batch.map(({ metadata }) => deleteInternally(resource, metadata, options)),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  return failures;
}
