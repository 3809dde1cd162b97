// The conditions of a StorageVersionMigration, with the texts of kube-controller-manager.
import type { StorageVersionMigration } from '../../kinds/builtin/storage-version-migration.ts';
import type { Condition } from '../../kinds/typed/condition.ts';
import { timestamp } from '../../objects/write/system-fields.ts';

export type NewCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** True if anything changed. The transition time changes only with the status. */
export function setCondition(
  { status }: StorageVersionMigration,
  condition: NewCondition,
  now: number,
): boolean {
  const conditions = (status.conditions ??= []);
  const known = conditions.find(({ type }) => type === condition.type);
  if (known === undefined) {
    conditions.push({ ...condition, lastTransitionTime: timestamp(now) });
    return true;
  }
  if (
    known.status === condition.status &&
    known.reason === condition.reason &&
    known.message === condition.message
  )
    return false;
  if (known.status !== condition.status) known.lastTransitionTime = timestamp(now);
  Object.assign(known, condition);
  return true;
}

export function running(left: number, total: number): NewCondition {
  let message = 'The migration is running';
  if (total > 0)
    message +=
      left > 0 ? `, ${left}/${total} objects not yet migrated` : `, ${total} objects verified migrated`;
  return { type: 'Running', status: 'True', reason: 'MigrationRunning', message };
}

export const completed: NewCondition = {
  type: 'Running',
  status: 'False',
  reason: 'MigrationCompleted',
  message: 'Migration completed',
};

export const succeeded: NewCondition = {
  type: 'Succeeded',
  status: 'True',
  reason: 'StorageVersionMigrationSucceeded',
  message: 'Migration completed',
};

export const failed = (why: string): NewCondition => ({
  type: 'Failed',
  status: 'True',
  reason: 'StorageVersionMigrationFailed',
  message: why,
});
