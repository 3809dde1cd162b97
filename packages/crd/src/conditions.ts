// Finds, sets and removes the conditions of a definition. names.ts, approval.ts and finalizing.ts decide what
// they say.
import { printTime } from '@instar/go';
import type { ConditionType, CustomResourceDefinition, CustomResourceDefinitionCondition } from './types.ts';

/** A condition before it is set: its transition time is known only then. */
export interface NewCondition {
  readonly type: ConditionType;
  readonly status: CustomResourceDefinitionCondition['status'];
  readonly reason: string;
  readonly message: string;
}

/** The condition of this type, if the definition has it. */
export function findCondition(
  crd: CustomResourceDefinition,
  type: ConditionType,
): CustomResourceDefinitionCondition | undefined {
  return crd.status.conditions?.find((condition) => condition.type === type);
}

/** Changes `crd`. The transition time changes with the status only; `now` is in milliseconds. */
export function setCondition(crd: CustomResourceDefinition, condition: NewCondition, now: number): void {
  const existing = findCondition(crd, condition.type);
  const { type, status, reason, message } = condition;
  if (existing === undefined) {
    const added = { lastTransitionTime: printTime(now), message, reason, status, type };
    crd.status.conditions = [...(crd.status.conditions ?? []), added];
    return;
  }
  if (existing.status !== status || !existing.lastTransitionTime)
    existing.lastTransitionTime = printTime(now);
  Object.assign(existing, { status, reason, message });
}

/** Removes the condition of this type from the status. */
export function removeCondition(crd: CustomResourceDefinition, type: ConditionType): void {
  crd.status.conditions = (crd.status.conditions ?? []).filter((condition) => condition.type !== type);
}

/** Equal apart from times. */
export function isSameCondition(a: NewCondition, b: CustomResourceDefinitionCondition | undefined): boolean {
  return (
    b !== undefined &&
    a.type === b.type &&
    a.status === b.status &&
    a.reason === (b.reason ?? '') &&
    a.message === (b.message ?? '')
  );
}
