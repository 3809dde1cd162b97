// Ownership after a create, an update or a patch: what the write changed belongs to its manager and to no
// other.
import { asJson, type JsonObject, type KubeObject, type ManagedFieldsEntry } from '@instar/machinery';
import { EMPTY_SET, type FieldSet, isEmptySet } from '../fieldset/field-set.ts';
import { difference, union } from '../fieldset/operations.ts';
import { changedFields, type FieldChanges } from '../typed/compare.ts';
import { jsonEqual } from '../typed/json-equal.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { reconcileWithType } from '../typed/reconcile.ts';
import { capUpdaters } from './cap.ts';
import { ComparisonsByVersion, ConversionFailure } from './compare-in-versions.ts';
import {
  entriesOf,
  identityOf,
  ManagedFieldsFault,
  newOwner,
  type Owners,
  ownersOfSent,
  ownersOfStored,
  withSet,
} from './entry.ts';
import { blankOf, withManagedFields, withoutManagedFields } from './object.ts';
import { stripNeverOwned } from './strip.ts';
import {
  type ConvertAsync,
  type Converting,
  type ConvertSync,
  type OwnerVersions,
  type Pauses,
  pause,
  relabel,
  runAsync,
  runPausing,
  runSync,
} from './versions.ts';

/** What a write says about ownership: its manager, version, subresource and time. */
export interface WriteContext {
  /** The version of the request, in which all objects are given. */
  readonly apiVersion: string;
  readonly manager: string;
  readonly subresource?: string | undefined;
  /** RFC 3339, in whole seconds. */
  readonly now: string;
  /** Fields that the write resets and therefore cannot own, with everything below them; see resetFieldsOf. */
  readonly ignored?: FieldSet | undefined;
  readonly versions: OwnerVersions;
  /**
   * What an object of the kind contains before anything is set, if anything. Built-in kinds have parts that
   * always exist, such as { spec: { names: {} } } of a CustomResourceDefinition; creating the object does not
   * make them owned.
   */
  readonly blank?: JsonObject | undefined;
}

export interface UpdateInput extends WriteContext {
  /** Undefined on create. */
  readonly live: KubeObject | undefined;
  /** What is to be stored. Its managedFields are what the client sent; undefined if it sent none. */
  readonly next: KubeObject;
  /** For built-in kinds, an empty list clears all owners too. For custom kinds it is as good as none. */
  readonly emptyListResets?: boolean | undefined;
}

/** `next` with its new managedFields. Neither object is changed; the result shares their parts. */
export function updateManagedFields(input: UpdateInput, convert: ConvertSync = relabel): KubeObject {
  return runSync(update(input), convert);
}

/**
 * The same with asynchronous conversion. If a conversion fails, the owners in that version stay as they are.
 */
export function updateManagedFieldsAsync(
  input: UpdateInput,
  convert: ConvertAsync,
  pauses?: Pauses,
): Promise<KubeObject> {
  return runAsync(update(input), convert, pauses);
}

/** The same as updateManagedFields, with pauses where the object is large. */
export function updateManagedFieldsPausing(
  input: UpdateInput,
  convert: ConvertSync,
  pauses: Pauses,
): KubeObject | Promise<KubeObject> {
  return runPausing(update(input), convert, pauses);
}

function* update(input: UpdateInput): Converting<KubeObject> {
  const { live, next } = input;
  const owners = ownersBefore(input);
  // An object whose ownership was cleared stays without until the next apply.
  if (owners.size === 0 && live !== undefined) return withoutManagedFields(next);
  if (isBlockedByRemoved(owners, input)) return withoutManagedFields(next);
  yield* recordUpdate(
    owners,
    live === undefined ? blankOf(next, input.blank) : asJson(live),
    asJson(next),
    input,
  );
  yield* pause();
  capUpdaters(owners);
  return withManagedFields(next, entriesOf(owners));
}

function isBlockedByRemoved(owners: Owners, { versions }: WriteContext): boolean {
  if (versions.refuseRemoved === undefined) return false;
  return [...owners.values()].some(({ apiVersion }) => versions.typeOf(apiVersion) === undefined);
}

/** Makes `manager` own, in `owners`, what differs between two states of an object. */
export function* recordUpdate(
  owners: Owners,
  before: JsonObject,
  after: JsonObject,
  context: WriteContext,
): Converting<void> {
  const { apiVersion, ignored = EMPTY_SET } = context;
  const comparisons = new ComparisonsByVersion(before, after, context.versions, ignored);
  const own = comparisons.own(apiVersion, typeIn(context, apiVersion));
  for (const [id, owner] of owners) {
    yield* pause();
    const comparison = owner.apiVersion === apiVersion ? own : yield* comparisons.of(owner.apiVersion);
    if (comparison instanceof ConversionFailure) continue;
    const set =
      comparison === 'gone' ? EMPTY_SET : lost(owner.set, comparison, typeIn(context, owner.apiVersion));
    if (isEmptySet(set)) owners.delete(id);
    else owners.set(id, withSet(owner, set));
  }
  yield* pause();
  takeOver(owners, stripNeverOwned(changedFields(own)), context);
}

/** The type of a version that is known to exist. */
export function typeIn({ versions }: WriteContext, apiVersion: string): MergeType {
  const type = versions.typeOf(apiVersion);
  if (type === undefined) throw new Error(`no type for ${apiVersion}, although objects are written in it`);
  return type;
}

/** What is left of a set after another manager's write. */
export function lost(set: FieldSet, { added, modified, removed }: FieldChanges, type: MergeType): FieldSet {
  return difference(difference(difference(reconcileWithType(set, type), modified), added), removed);
}

function takeOver(
  owners: Owners,
  taken: FieldSet,
  { manager, apiVersion, subresource, now }: WriteContext,
): void {
  if (isEmptySet(taken)) return;
  const owner = {
    manager: manager === '' ? 'unknown' : manager,
    operation: 'Update' as const,
    apiVersion,
    subresource,
  };
  const id = identityOf(owner);
  const before = owners.get(id);
  owners.set(id, newOwner(owner, now, before === undefined ? taken : union(before.set, taken)));
}

/** A client may send managedFields to change them; those that are empty or invalid count as not sent. */
function ownersBefore({ live, next, subresource, emptyListResets }: UpdateInput): Owners {
  const sent = subresource === undefined ? next.metadata?.managedFields : undefined;
  const stored = live?.metadata?.managedFields;
  if (sent && !areEqual(sent, stored)) {
    if (isReset(sent, emptyListResets === true)) return new Map();
    const owners = ownersOfSent(sent);
    if (!(owners instanceof ManagedFieldsFault) && owners.size > 0) return owners;
  }
  const owners = ownersOfStored(stored);
  return owners instanceof ManagedFieldsFault ? new Map() : owners;
}

/** Most clients send back what they read; then nothing has to be checked. */
const areEqual = (a: ManagedFieldsEntry[], b: ManagedFieldsEntry[] | undefined): boolean =>
  jsonEqual(a as unknown as JsonObject[], b as unknown as JsonObject[] | undefined);

/** A single empty entry asks to clear all. */
function isReset(sent: readonly ManagedFieldsEntry[], emptyListResets: boolean): boolean {
  if (sent.length === 0) return emptyListResets;
  return (
    sent.length === 1 &&
    Object.values(sent[0]!).every((value) => value === undefined || value === null || value === '')
  );
}
