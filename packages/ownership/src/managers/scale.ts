// Ownership through the scale subresource: the number of replicas is a field of the object at a path that
// each version names, and a field of a Scale at another. Entries are moved from the object to its Scale
// before a write, and back after it.
import type { ManagedFieldsEntry } from '@instar/machinery';
import { type FieldSet, hasPath, isEmptySet } from '../fieldset/field-set.ts';
import { difference, union } from '../fieldset/operations.ts';
import { setOfFields, setOfPaths } from '../fieldset/paths.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { mergeTypeOf } from '../typed/merge-type-of.ts';
import {
  entriesOf,
  identityOf,
  ManagedFieldsFault,
  newOwner,
  type Owner,
  type Owners,
  ownersOfStored,
  withSet,
} from './entry.ts';
import { SCALE_SCHEMA } from './scale-schema.ts';

export const SCALE_API_VERSION = 'autoscaling/v1';

/** How a Scale merges. */
export const SCALE_TYPE: MergeType = mergeTypeOf(SCALE_SCHEMA);

const REPLICAS_OF_SCALE = setOfFields(['spec', 'replicas']);
const REPLICAS_PATH = ['f:spec', 'f:replicas'];

/**
 * By version: the names of the fields that lead to the number of replicas; null for a version without the
 * subresource.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | null>;

const elementsOf = (path: readonly string[]): string[] => path.map((name) => `f:${name}`);

/** The managedFields of the Scale of an object. */
export function managedFieldsOfScale(
  ofObject: readonly ManagedFieldsEntry[] | undefined,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const owners: Owners = new Map();
  for (const owner of readOwners(ofObject).values()) {
    const path = paths.get(owner.apiVersion);
    if (!path || !hasPath(owner.set, elementsOf(path))) continue;
    const inScale = newOwner({ ...owner, apiVersion: SCALE_API_VERSION }, owner.time, REPLICAS_OF_SCALE);
    owners.set(identityOf(inScale), inScale);
  }
  return entriesOf(owners);
}

/** The managedFields of the object after its Scale was written in the version `apiVersion` of the object. */
export function managedFieldsAfterScale(
  ofObject: readonly ManagedFieldsEntry[] | undefined,
  ofScale: readonly ManagedFieldsEntry[] | undefined,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const scalers = new Map([...readOwners(ofScale).values()].map((owner) => [ownerKey(owner), owner]));
  const owners: Owners = new Map();
  for (const [id, owner] of readOwners(ofObject)) {
    const path = paths.get(owner.apiVersion);
    // A version that does not exist has no owners.
    if (path === undefined) continue;
    const set =
      path === null || !hasPath(owner.set, elementsOf(path)) || scalers.delete(ownerKey(owner))
        ? owner.set
        : without(owner.set, path);
    if (!isEmptySet(set)) owners.set(id, withSet(owner, set));
  }
  for (const scaler of scalers.values()) addScaler(owners, scaler, apiVersion, paths);
  return entriesOf(owners);
}

function addScaler(
  owners: Owners,
  { manager, operation, subresource, set }: Owner,
  apiVersion: string,
  paths: ReplicasPaths,
): void {
  const path = paths.get(apiVersion);
  if (!path || !hasPath(set, REPLICAS_PATH)) return;
  const owner = { manager, operation, subresource, apiVersion };
  const id = identityOf(owner);
  const present = owners.get(id);
  const replicas = setOfFields(path);
  owners.set(
    id,
    newOwner(owner, present?.time, present === undefined ? replicas : union(present.set, replicas)),
  );
}

const without = (set: FieldSet, path: readonly string[]): FieldSet =>
  difference(set, setOfPaths(elementsOf(path)));

/** An owner is the same on both sides although the version differs. */
const ownerKey = ({ manager, operation, subresource }: Owner): string =>
  `${operation}\n${subresource ?? ''}\n${manager ?? ''}`;

function readOwners(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  const owners = ownersOfStored(entries);
  return owners instanceof ManagedFieldsFault ? new Map() : owners;
}
