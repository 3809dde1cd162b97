// One entry of managedFields while it is worked on: who owns what, in which version. The entry that it was read from is kept,
// so that what did not change is not written anew.
import type { JsonObject, JsonValue, ManagedFieldsEntry } from '@instar/machinery';
import { decodeFieldSet } from '../fieldset/decode.ts';
import type { FieldSet } from '../fieldset/field-set.ts';
import { compareText } from '../fieldset/order.ts';

export interface Owner {
  readonly manager: string | undefined;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly time: string | undefined;
  readonly set: FieldSet;
  readonly source?: ManagedFieldsEntry;
}

/** What makes two entries entries of the same owner. An applier is the same in every version, an updater another in each. */
export function identityOf(owner: Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const version = owner.operation === 'Apply' ? '' : owner.apiVersion;
  return `${owner.operation}\n${version}\n${owner.subresource ?? ''}\n${owner.manager ?? ''}`;
}

/** The same as upstream spells it, which decides about order in a few places. */
export function upstreamIdentityOf({ manager, operation, apiVersion, subresource }: Owner): string {
  const version = operation === 'Update' && { apiVersion };
  return JSON.stringify({ ...(manager && { manager }), operation, ...version, ...(subresource && { subresource }) });
}

export type Owners = Map<string, Owner>;

/** Entries that the server itself wrote: their sets are canonical as they stand. */
export function ownersOfStored(entries: readonly ManagedFieldsEntry[] | undefined): Owners | ManagedFieldsFault {
  return ownersOf(entries, (fields) => fields as unknown as FieldSet);
}

/** Entries that a client sent. */
export function ownersOfSent(entries: readonly ManagedFieldsEntry[] | undefined): Owners | ManagedFieldsFault {
  return ownersOf(entries, (fields) => decodeFieldSet(fields as JsonValue));
}

/** Why a list of entries cannot be used, in upstream's words. */
export class ManagedFieldsFault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

function ownersOf(
  entries: readonly ManagedFieldsEntry[] | undefined,
  read: (fields: JsonObject) => FieldSet | undefined,
): Owners | ManagedFieldsFault {
  const owners: Owners = new Map();
  for (let i = 0; i < (entries?.length ?? 0); i++) {
    const entry = entries![i]!;
    const fault = faultOf(entry, i);
    if (fault !== undefined) return new ManagedFieldsFault(fault);
    const set = read(entry.fieldsV1 ?? {});
    if (set === undefined) return new ManagedFieldsFault(`error decoding versioned set of managed fields entry ${i}`);
    const owner = ownerOf(entry, set);
    owners.set(identityOf(owner), owner);
  }
  return owners;
}

function faultOf(entry: ManagedFieldsEntry, index: number): string | undefined {
  if (entry.operation !== 'Apply' && entry.operation !== 'Update') return 'operation must be `Apply` or `Update`';
  if (!entry.apiVersion) return 'apiVersion must not be empty';
  if (!entry.fieldsType) return `missing fieldsType in managed fields entry ${index}`;
  if (entry.fieldsType !== 'FieldsV1') return `invalid fieldsType ${JSON.stringify(entry.fieldsType)} in managed fields entry ${index}`;
  return undefined;
}

function ownerOf(entry: ManagedFieldsEntry, set: FieldSet): Owner {
  const canonical = (set as unknown) === entry.fieldsV1;
  return {
    manager: entry.manager,
    operation: entry.operation!,
    apiVersion: entry.apiVersion!,
    subresource: entry.subresource === '' ? undefined : entry.subresource,
    time: entry.time ?? undefined,
    set,
    ...(canonical && { source: entry }),
  };
}

/** managedFields as they are stored, in their order. undefined if nobody owns anything. */
export function entriesOf(owners: Owners): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  return [...owners.values()].sort(compareOwners).map(entryOf);
}

function entryOf(owner: Owner): ManagedFieldsEntry {
  if (owner.source !== undefined) return owner.source;
  return {
    apiVersion: owner.apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: owner.set as unknown as JsonObject,
    ...(owner.manager !== undefined && { manager: owner.manager }),
    operation: owner.operation,
    ...(owner.subresource !== undefined && { subresource: owner.subresource }),
    ...(owner.time !== undefined && { time: owner.time }),
  };
}

/** The same owner with another set; one without a time stays without. */
export function withSet(owner: Owner, set: FieldSet): Owner {
  if (set === owner.set) return owner;
  const { source: _source, ...rest } = owner;
  return { ...rest, set };
}

function compareOwners(a: Owner, b: Owner): number {
  if (a.operation !== b.operation) return a.operation < b.operation ? -1 : 1;
  return (
    secondsOf(a.time) - secondsOf(b.time) ||
    compareText(a.manager ?? '', b.manager ?? '') ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
}

export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}
