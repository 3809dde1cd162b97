// Removes what an applier no longer applies and no other manager owns.
import type { JsonObject } from '@instar/machinery';
import { EMPTY_SET, type FieldSet, isEmptySet } from '../fieldset/field-set.ts';
import { difference, intersection, isSubset, union } from '../fieldset/operations.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { removeItems, withNamedFields } from '../typed/remove.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { identityOf, type Owner, type Owners } from './entry.ts';
import type { WriteContext } from './update.ts';
import { allInVersion, type Converting, inVersion } from './versions.ts';

/** `owners` contains the applier with what it applies now; `last` is what it was before. */
export function* prune(
  merged: JsonObject,
  owners: Owners,
  last: Owner | undefined,
  context: WriteContext,
): Converting<JsonObject> {
  const type = last === undefined ? undefined : context.versions.typeOf(last.apiVersion);
  if (last === undefined || type === undefined || droppedNothing(last, owners, context)) return merged;
  const before = yield* inVersion(merged, last.apiVersion);
  const lastSet = withNamedFields(last.set, type);
  const pruned = yield* addBackOwned(
    before,
    removeItems(before, lastSet, type),
    last.apiVersion,
    owners,
    context,
  );
  const left = addBackUnowned(before, yield* inVersion(pruned, last.apiVersion), lastSet, type);
  return yield* inVersion(left, context.apiVersion);
}

/** An applier that applies all that it applied before removes nothing. */
function droppedNothing(last: Owner, owners: Owners, { apiVersion }: WriteContext): boolean {
  const now = owners.get(identityOf(last));
  return now !== undefined && last.apiVersion === apiVersion && isSubset(last.set, now.set);
}

/** In each version that has an owner, starting with the current one: a conversion may need what is owned. */
function* addBackOwned(
  merged: JsonObject,
  pruned: JsonObject,
  version: string,
  owners: Owners,
  { versions }: WriteContext,
): Converting<JsonObject> {
  for (const [apiVersion, owned] of ownedByVersion(owners, version)) {
    const type = versions.typeOf(apiVersion);
    if (type === undefined || isEmptySet(owned)) continue;
    const [whole, rest] = yield* allInVersion([merged, pruned], apiVersion);
    const kept = union(fieldsOf(rest!, type), withNamedFields(owned, type));
    merged = whole!;
    pruned = removeItems(merged, difference(fieldsOf(merged, type), kept), type);
  }
  return pruned;
}

function ownedByVersion(owners: Owners, first: string): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>([[first, EMPTY_SET]]);
  for (const { apiVersion, set } of owners.values())
    owned.set(apiVersion, union(owned.get(apiVersion) ?? EMPTY_SET, set));
  return owned;
}

/** Only what the applier itself owned may be removed; what was removed with it is restored. */
function addBackUnowned(merged: JsonObject, pruned: JsonObject, last: FieldSet, type: MergeType): JsonObject {
  const gone = difference(fieldsOf(merged, type), fieldsOf(pruned, type));
  return removeItems(merged, intersection(gone, last), type);
}

const fieldsOf = (object: JsonObject, type: MergeType): FieldSet =>
  withNamedFields(toFieldSet(object, type), type);
