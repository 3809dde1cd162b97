// A write that in the end changed nothing must not even change a time, or it would be stored and watched for
// nothing.
import { asJson, type JsonObject, type KubeObject, type ManagedFieldsEntry } from '@instar/machinery';
import { jsonEqual } from '../typed/json-equal.ts';
import { withManagedFields, withoutManagedFields } from './object.ts';

/**
 * `next`, or, if it differs from `live` in nothing but the times of its managedFields, `next` with the times
 * of `live`.
 */
export function keepTimesIfUnchanged(live: KubeObject, next: KubeObject): KubeObject {
  const [before, after] = [live.metadata.managedFields, next.metadata.managedFields];
  if (before === undefined || after === undefined || before.length !== after.length) return next;
  if (!after.some((entry, i) => entry.time !== before[i]!.time)) return next;
  if (!after.every((entry, i) => sameButTime(entry, before[i]!))) return next;
  const [oldState, newState] = [withoutManagedFields(live), withoutManagedFields(next)];
  return jsonEqual(asJson(oldState), asJson(newState)) ? withManagedFields(newState, before) : next;
}

function sameButTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  return jsonEqual(withoutTime(a), withoutTime(b));
}

const withoutTime = (entry: ManagedFieldsEntry): JsonObject =>
  ({ ...entry, time: null }) as unknown as JsonObject;
