// Server-side apply: merges a configuration into the live object and makes its manager own exactly what the
// configuration contains.
import { ApiError, asJson, asKubeObject, type JsonObject, type KubeObject } from '@instar/machinery';
import { EMPTY_SET, type FieldSet, hasPath, isEmptySet } from '../fieldset/field-set.ts';
import { intersection, recursiveDifference } from '../fieldset/operations.ts';
import { changedFields } from '../typed/compare.ts';
import { jsonClone } from '../typed/json-clone.ts';
import { jsonEqual } from '../typed/json-equal.ts';
import { mergeObjects } from '../typed/merge.ts';
import { reconcileWithType } from '../typed/reconcile.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { checkApplied } from './check-applied.ts';
import { ComparisonsByVersion, ConversionFailure } from './compare-in-versions.ts';
import { type Conflict, conflictsOf } from './conflict.ts';
import {
  entriesOf,
  identityOf,
  ManagedFieldsFault,
  newOwner,
  type Owner,
  type OwnerName,
  type Owners,
  ownersOfStored,
  withSet,
} from './entry.ts';
import { fieldsLastApplied, KUBECTL, withLastApplied } from './last-applied.ts';
import { blankOf, withManagedFields, withoutManagedFields } from './object.ts';
import { prune } from './prune.ts';
import { stripNeverOwned } from './strip.ts';
import { lost, recordUpdate, typeIn, type WriteContext } from './update.ts';
import {
  type ConvertAsync,
  type Converting,
  type ConvertSync,
  type Pauses,
  pause,
  relabel,
  runAsync,
  runPausing,
  runSync,
} from './versions.ts';

export interface ApplyInput extends WriteContext {
  readonly kind: string;
  /** Undefined if the apply creates the object. */
  readonly live: KubeObject | undefined;
  /** The configuration as it was sent: not defaulted, not pruned. */
  readonly applied: KubeObject;
  readonly force: boolean;
}

/**
 * `changed` is false if neither the object nor its ownership changed. The object shares nothing with the
 * input.
 */
export type ApplyResult =
  | { readonly object: KubeObject; readonly changed: boolean }
  | { readonly conflicts: readonly Conflict[] };

/** Throws an ApiError for a configuration that cannot be applied at all. */
export function applyManaged(input: ApplyInput, convert: ConvertSync = relabel): ApplyResult {
  return runSync(apply(input), convert);
}

/** The same with asynchronous conversion. If a conversion fails, the apply fails. */
export function applyManagedAsync(
  input: ApplyInput,
  convert: ConvertAsync,
  pauses?: Pauses,
): Promise<ApplyResult> {
  return runAsync(apply(input), convert, pauses);
}

/** The same as applyManaged, with pauses where the object is large. */
export function applyManagedPausing(
  input: ApplyInput,
  convert: ConvertSync,
  pauses: Pauses,
): ApplyResult | Promise<ApplyResult> {
  return runPausing(apply(input), convert, pauses);
}

function* apply(input: ApplyInput): Converting<ApplyResult> {
  const { applied, live, apiVersion, kind } = input;
  checkApplied(applied, apiVersion, kind, typeIn(input, apiVersion));
  yield* pause();
  const before = live === undefined ? blankOf(applied) : asJson(withoutManagedFields(live));
  const owners = yield* ownersToStartFrom(input, before);
  yield* pause();
  const first = yield* attempt(new Map(owners), before, input);
  if (!('conflicts' in first) || input.manager !== KUBECTL || live === undefined) return first;
  const takable = fieldsLastApplied(live, apiVersion, typeIn(input, apiVersion));
  const conflicts = first.conflicts.filter(({ path }) => !hasPath(takable, path));
  return conflicts.length > 0 ? { conflicts } : yield* attempt(owners, before, { ...input, force: true });
}

/** If an object has no owners, everything belongs to "before-first-apply". */
function* ownersToStartFrom(input: ApplyInput, before: JsonObject): Converting<Owners> {
  const owners = ownersOfStored(input.live?.metadata.managedFields);
  if (owners instanceof ManagedFieldsFault)
    throw new ApiError({ code: 500, message: `failed to decode managed fields: ${owners.message}` });
  if (owners.size === 0 && input.live !== undefined) {
    yield* recordUpdate(owners, blankOf(input.live, input.blank), before, {
      ...input,
      manager: 'before-first-apply',
    });
  }
  for (const [id, owner] of owners) {
    const type = input.versions.typeOf(owner.apiVersion);
    if (type === undefined && input.versions.refuseRemoved)
      throw input.versions.refuseRemoved(owner.apiVersion);
    if (type === undefined) owners.delete(id);
    else owners.set(id, withSet(owner, reconcileWithType(owner.set, type)));
  }
  return owners;
}

function* attempt(owners: Owners, before: JsonObject, input: ApplyInput): Converting<ApplyResult> {
  const { apiVersion, subresource, ignored = EMPTY_SET } = input;
  const type = typeIn(input, apiVersion);
  const applied = asJson(input.applied);
  const me = {
    manager: input.manager === '' ? 'unknown' : input.manager,
    operation: 'Apply' as const,
    apiVersion,
    subresource,
  };
  const id = identityOf(me);
  const last = owners.get(id);
  const set = recursiveDifference(toFieldSet(applied, type), ignored);
  owners.set(id, newOwner(me, last?.time, set));
  yield* pause();
  const all = mergeObjects(before, applied, type);
  yield* pause();
  const merged = yield* prune(all, owners, last, input);
  yield* pause();
  const conflicts = yield* takeFromOthers(owners, id, before, merged, input);
  if (conflicts.length > 0 && !input.force) return { conflicts };
  yield* pause();
  const moved = !jsonEqual(before, merged);
  keepOwn(owners, id, me, stripNeverOwned(set), moved ? input.now : last?.time, last);
  yield* pause();
  return finish(owners, merged, moved, input);
}

/** Takes from all others what the apply changes or removes; returns the conflicts. */
function* takeFromOthers(
  owners: Owners,
  applier: string,
  before: JsonObject,
  merged: JsonObject,
  input: ApplyInput,
): Converting<Conflict[]> {
  const comparisons = new ComparisonsByVersion(before, merged, input.versions, input.ignored ?? EMPTY_SET);
  comparisons.own(input.apiVersion, typeIn(input, input.apiVersion));
  const conflicts: { owner: Owner; set: FieldSet }[] = [];
  for (const [id, owner] of owners) {
    yield* pause();
    if (id === applier) continue;
    const comparison = yield* comparisons.of(owner.apiVersion);
    if (comparison instanceof ConversionFailure) throw comparison.cause;
    if (comparison === 'gone') {
      owners.delete(id);
      continue;
    }
    const disputed = intersection(owner.set, changedFields(comparison));
    if (!isEmptySet(disputed)) conflicts.push({ owner, set: disputed });
    const left = lost(owner.set, comparison, typeIn(input, owner.apiVersion));
    if (isEmptySet(left)) owners.delete(id);
    else owners.set(id, withSet(owner, left));
  }
  return conflictsOf(conflicts);
}

function keepOwn(
  owners: Owners,
  id: string,
  me: OwnerName,
  set: FieldSet,
  time: string | undefined,
  last: Owner | undefined,
): void {
  if (isEmptySet(set)) owners.delete(id);
  else if (
    last?.source !== undefined &&
    last.time === time &&
    last.apiVersion === me.apiVersion &&
    jsonEqual(last.set, set)
  )
    owners.set(id, last);
  else owners.set(id, newOwner(me, time, set));
}

function finish(
  owners: Owners,
  merged: JsonObject,
  moved: boolean,
  { live, applied, manager }: ApplyInput,
): ApplyResult {
  const managedFields = entriesOf(owners);
  const changed =
    moved ||
    !jsonEqual(
      (managedFields ?? []) as unknown as JsonObject[],
      (live?.metadata.managedFields ?? []) as unknown as JsonObject[],
    );
  let object = asKubeObject(jsonClone(merged));
  if (manager === KUBECTL) object = withLastApplied(object, applied);
  return { object: withManagedFields(object, managedFields), changed };
}
