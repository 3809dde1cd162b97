// Conditions of pods that the API server itself sets.
import type { PodCondition, PodStatus } from '../../validate/pod/pod-types.ts';

/** Adds the condition, or replaces the one of its type; the time changes with the status only. */
export function setCondition(
  status: PodStatus,
  { type, status: value, reason, message }: Omit<PodCondition, 'lastProbeTime' | 'lastTransitionTime'>,
  now: string,
): void {
  const conditions = status.conditions ?? [];
  const old = conditions.find((condition) => condition.type === type);
  const condition: PodCondition = {
    type,
    status: value,
    lastProbeTime: null,
    lastTransitionTime: old?.status === value ? (old.lastTransitionTime ?? null) : now,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
  status.conditions =
    old === undefined
      ? [...conditions, condition]
      : conditions.map((other) => (other === old ? condition : other));
}
