// managedFields that name a version which is removed, or about to be. A server drops such entries at the next
// write, and with them the ownership. If versions differ in their name only, the entry can move to the
// storage version instead.
import type { CustomResourceDefinition } from '@instar/crd';
import { isJsonObject, type JsonObject, type ManagedFieldsEntry } from '@instar/machinery';
import { storageVersionOf } from '../definition/definition.ts';

export interface Repair {
  readonly managedFields: ManagedFieldsEntry[];
  /** "kubectl (Update, v1beta1)" for each entry that was moved or dropped. */
  readonly moved: readonly string[];
  readonly dropped: readonly string[];
}

export interface RepairRules {
  /** Field names are the same in all versions. */
  readonly sharesFieldNames: boolean;
  /** Called with the name of a version of the definition's own group. */
  isDead(version: string): boolean;
}

/** Undefined if no entry names a dead version. */
export function repairManagedFields(
  crd: CustomResourceDefinition,
  entries: readonly ManagedFieldsEntry[],
  { sharesFieldNames, isDead }: RepairRules,
): Repair | undefined {
  const { group } = crd.spec;
  const prefix = `${group}/`;
  const dead = entries.filter(
    ({ apiVersion = '' }) => apiVersion.startsWith(prefix) && isDead(apiVersion.slice(prefix.length)),
  );
  if (dead.length === 0) return undefined;
  const managedFields = structuredClone(entries.filter((entry) => !dead.includes(entry)));
  if (!sharesFieldNames) return { managedFields, moved: [], dropped: dead.map(printEntry) };
  for (const entry of dead)
    move(managedFields, { ...structuredClone(entry), apiVersion: prefix + storageVersionOf(crd) });
  return { managedFields, moved: dead.map(printEntry), dropped: [] };
}

function move(entries: ManagedFieldsEntry[], entry: ManagedFieldsEntry): void {
  const same = entries.find(
    ({ manager, operation, apiVersion, subresource = '' }) =>
      manager === entry.manager &&
      operation === entry.operation &&
      apiVersion === entry.apiVersion &&
      subresource === (entry.subresource ?? ''),
  );
  if (same === undefined) entries.push(entry);
  else same.fieldsV1 = union(same.fieldsV1 ?? {}, entry.fieldsV1 ?? {});
}

/** Field sets are trees of names: the union has the members of both. */
function union(a: JsonObject, b: JsonObject): JsonObject {
  const out: JsonObject = { ...a };
  for (const [name, below] of Object.entries(b)) {
    const known = Object.hasOwn(a, name) ? a[name] : undefined;
    const value = isJsonObject(known) && isJsonObject(below) ? union(known, below) : below;
    Object.defineProperty(out, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return out;
}

const printEntry = ({ manager, operation, apiVersion = '' }: ManagedFieldsEntry): string =>
  `${manager ?? 'nobody'} (${operation ?? 'Update'}, ${apiVersion.slice(apiVersion.indexOf('/') + 1)})`;
