// The counts in the statuses of workloads: none is negative, and a part is not more than the whole.
import { type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import { validateNonnegative } from '../amounts.ts';
import type { WorkloadStatus } from './workload-types.ts';

export const STATUS = FieldPath.of('status');

type Count = keyof WorkloadStatus;

interface CountRules {
  /** None of these may be negative. */
  readonly counts: readonly Count[];
  /** Each is a part of `replicas`. */
  readonly parts: readonly Count[];
  /** How the message names the ready ones. */
  readonly ready: string;
}

export function validateCounts(status: WorkloadStatus, { counts, parts, ready }: CountRules): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const errors = counts.flatMap((name) => validateNonnegative(status[name], STATUS.child(name)));
  for (const name of parts) {
    const value = status[name] ?? 0;
    if (value > replicas)
      errors.push(fieldErrors.invalid(STATUS.child(name), value, 'cannot be greater than status.replicas'));
  }
  if (availableReplicas > readyReplicas) {
    const at = STATUS.child('availableReplicas');
    errors.push(fieldErrors.invalid(at, availableReplicas, `cannot be greater than ${ready}`));
  }
  return errors;
}

/** The count of collisions only rises. */
export function validateCollisions(
  { collisionCount }: { collisionCount?: number },
  { collisionCount: old }: { collisionCount?: number },
): FieldError[] {
  if (old === undefined || (collisionCount !== undefined && collisionCount >= old)) return [];
  return [fieldErrors.invalid(STATUS.child('collisionCount'), collisionCount ?? 0, 'cannot be decremented')];
}
