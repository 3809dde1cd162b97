// A write that changed nothing in the end must not even change a time, or it would be stored and watched
// needlessly.
import { asJson, type JsonObject, type KubeObject, type ManagedFieldsEntry } from '@instar/machinery';
import { jsonEqual } from '../typed/json-equal.ts';
import { withManagedFields, withoutManagedFields } from './object.ts';

/** `next`; if it differs from `live` only in the times of its managedFields, with the times of `live`. */
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
