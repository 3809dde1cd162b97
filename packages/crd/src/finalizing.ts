// How a definition is deleted: its objects go first, held by a finalizer that the server adds at the first
// DELETE. Here are the condition and its texts; the server deletes the objects.
import { printTime } from '@instar/go';
import { type NewCondition, setCondition } from './conditions.ts';
import type { CustomResourceDefinition } from './types.ts';

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

const terminating = (status: 'True' | 'False', reason: string, message: string): NewCondition => ({
  type: 'Terminating',
  status,
  reason,
  message,
});

/** What the Terminating condition says, step by step. */
export const terminatingConditions = {
  pending: terminating(
    'True',
    'InstanceDeletionPending',
    'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  ),
  inProgress: terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'),
  listFailed: (error: string) =>
    terminating('True', 'InstanceDeletionFailed', `could not list instances: ${error}`),
  deleteFailed: (error: string) =>
    terminating('True', 'InstanceDeletionFailed', `could not issue all deletes: ${error}`),
  notConfirmed: (error: string) =>
    terminating(
      'True',
      'InstanceDeletionCheck',
      `could not confirm zero CustomResources remaining: ${error}`,
    ),
  completed: terminating('False', 'InstanceDeletionCompleted', 'removed all instances'),
  neverEstablished: terminating('False', 'NeverEstablished', 'resource was never established'),
  overlapping: terminating(
    'False',
    'OverlappingBuiltInResource',
    'instances overlap with built-in resources in storage',
  ),
} as const;

/** What a first DELETE does instead of removing the definition. Changes `crd`; `now` is in milliseconds. */
export function markForDeletion(crd: CustomResourceDefinition, now: number): void {
  const { metadata } = crd;
  metadata.deletionTimestamp ??= printTime(now);
  if (!hasCleanupFinalizer(crd)) metadata.finalizers = [...(metadata.finalizers ?? []), CLEANUP_FINALIZER];
  setCondition(crd, terminatingConditions.pending, now);
}

/** Whether the finalizer that deletes the objects of the definition is still set. */
export function hasCleanupFinalizer({ metadata }: CustomResourceDefinition): boolean {
  return metadata.finalizers?.includes(CLEANUP_FINALIZER) ?? false;
}

/** Whether the definition has a deletionTimestamp. */
export function isBeingDeleted({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp !== null;
}

/** Removes the finalizer that deletes the objects of the definition. */
export function removeCleanupFinalizer({ metadata }: CustomResourceDefinition): void {
  const left = (metadata.finalizers ?? []).filter((name) => name !== CLEANUP_FINALIZER);
  if (left.length > 0) metadata.finalizers = left;
  else delete metadata.finalizers;
}
