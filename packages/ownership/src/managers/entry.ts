// One entry of managedFields in memory: who owns what, in which version. The original entry is kept, so that
// an unchanged one is not written again.

import { compareUtf8 } from '@instar/go';
import type { JsonObject, JsonValue, ManagedFieldsEntry } from '@instar/machinery';
import { decodeFieldSet } from '../fieldset/decode.ts';
import type { FieldSet } from '../fieldset/field-set.ts';

export interface Owner {
  readonly manager: string | undefined;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly time: string | undefined;
  readonly set: FieldSet;
  /** The entry with exactly this content, if there is one. */
  readonly source: ManagedFieldsEntry | undefined;
}

export type OwnerName = Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

/** An owner without an entry yet. Written out, as all of these are, because this runs on every write. */
export function newOwner(
  { manager, operation, apiVersion, subresource }: OwnerName,
  time: string | undefined,
  set: FieldSet,
): Owner {
  return { manager, operation, apiVersion, subresource, time, set, source: undefined };
}

/** What identifies an owner. An applier is the same in every version, an updater differs per version. */
export function identityOf(owner: OwnerName): string {
  const version = owner.operation === 'Apply' ? '' : owner.apiVersion;
  return `${owner.operation}\n${version}\n${owner.subresource ?? ''}\n${owner.manager ?? ''}`;
}

/** The same in upstream's spelling, which decides about order in a few places. */
export function upstreamIdentityOf({ manager, operation, apiVersion, subresource }: OwnerName): string {
  const version = operation === 'Update' && { apiVersion };
  return JSON.stringify({
    ...(manager && { manager }),
    operation,
    ...version,
    ...(subresource && { subresource }),
  });
}

export type Owners = Map<string, Owner>;

/** Entries that the server itself wrote: their sets are canonical. */
export function ownersOfStored(
  entries: readonly ManagedFieldsEntry[] | undefined,
): Owners | ManagedFieldsFault {
  return ownersOf(entries, (fields) => fields as unknown as FieldSet);
}

/** Entries that a client sent. */
export function ownersOfSent(
  entries: readonly ManagedFieldsEntry[] | undefined,
): Owners | ManagedFieldsFault {
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
    if (set === undefined)
      return new ManagedFieldsFault(`error decoding versioned set of managed fields entry ${i}`);
    const owner = ownerOf(entry, set);
    owners.set(identityOf(owner), owner);
  }
  return owners;
}

function faultOf(entry: ManagedFieldsEntry, index: number): string | undefined {
  if (entry.operation !== 'Apply' && entry.operation !== 'Update')
    return 'operation must be `Apply` or `Update`';
  if (!entry.apiVersion) return 'apiVersion must not be empty';
  if (!entry.fieldsType) return `missing fieldsType in managed fields entry ${index}`;
  if (entry.fieldsType !== 'FieldsV1')
    return `invalid fieldsType ${JSON.stringify(entry.fieldsType)} in managed fields entry ${index}`;
  return undefined;
}

function ownerOf(entry: ManagedFieldsEntry, set: FieldSet): Owner {
  const time = utcOf(entry.time ?? undefined);
  const canonical = (set as unknown) === entry.fieldsV1 && time === (entry.time ?? undefined);
  return {
    manager: entry.manager,
    operation: entry.operation!,
    apiVersion: entry.apiVersion!,
    subresource: entry.subresource === '' ? undefined : entry.subresource,
    time,
    set,
    source: canonical ? entry : undefined,
  };
}

/** As every time is stored: in UTC, in whole seconds. */
function utcOf(time: string | undefined): string | undefined {
  if (time === undefined || (time.length === 20 && time.endsWith('Z'))) return time;
  const parsed = new Date(time);
  return Number.isNaN(parsed.getTime()) ? time : `${parsed.toISOString().slice(0, 19)}Z`;
}

/** managedFields as they are stored, in order. Undefined if there are no owners. */
export function entriesOf(owners: Owners): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  return [...owners.values()].sort(compareOwners).map(entryOf);
}

function entryOf(owner: Owner): ManagedFieldsEntry {
  if (owner.source !== undefined) return owner.source;
  const entry: ManagedFieldsEntry = {
    apiVersion: owner.apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: owner.set as unknown as JsonObject,
  };
  if (owner.manager !== undefined) entry.manager = owner.manager;
  entry.operation = owner.operation;
  if (owner.subresource !== undefined) entry.subresource = owner.subresource;
  if (owner.time !== undefined) entry.time = owner.time;
  return entry;
}

/** The same owner with another set. */
export function withSet(owner: Owner, set: FieldSet): Owner {
  return set === owner.set ? owner : newOwner(owner, owner.time, set);
}

function compareOwners(a: Owner, b: Owner): number {
  if (a.operation !== b.operation) return a.operation < b.operation ? -1 : 1;
  return (
    compareTimes(a.time, b.time) ||
    compareUtf8(a.manager ?? '', b.manager ?? '') ||
    compareUtf8(a.apiVersion, b.apiVersion) ||
    compareUtf8(a.subresource ?? '', b.subresource ?? '')
  );
}

/** To the second. Entries without a time come first. */
export function compareTimes(a: string | undefined, b: string | undefined): number {
  return a === b ? 0 : secondsOf(a) - secondsOf(b);
}

function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}
