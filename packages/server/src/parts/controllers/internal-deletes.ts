// Deletions that the server makes itself. What somebody else has deleted in the meantime is gone as wanted.
import type { ObjectMeta } from '@instar/machinery';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { type DeleteOptions, deleteObject } from '../../objects/write/delete.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { internalWrite } from './internal-writes.ts';

const DELETED_AT_ONCE = 64;

const PLAIN: DeleteOptions = {
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
  await ignoreNotFound(deleteObject(internalWrite({ resource, namespace, name }), { ...PLAIN, ...options }));
}

/**
 * Many at once, so that they share commits. Answers why some could not be deleted; one of them keeps no
 * other.
 */
export async function deleteAllInternally(
  resource: Resource,
  objects: readonly CachedObject[],
  options: Partial<DeleteOptions> = {},
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let at = 0; at < objects.length; at += DELETED_AT_ONCE) {
    const batch = objects.slice(at, at + DELETED_AT_ONCE);
    const outcomes = await Promise.allSettled(
      batch.map(({ metadata }) => deleteInternally(resource, metadata, options)),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  return failures;
}
