// managedFields in the write path: @instar/ownership, bound to a resource and its versions.
import { takeStash } from '@instar/lens';
import { apiErrors, asJson, asKubeObject, type JsonObject, type KubeObject } from '@instar/machinery';
import {
  keepTimesIfUnchanged,
  type MergeType,
  mergeTypeOf,
  type OwnerVersions,
  resetFieldsOf,
  updateManagedFields,
  updateManagedFieldsAsync,
  updateManagedFieldsPausing,
  type WriteContext,
} from '@instar/ownership';
import type { VersionDefinition } from '../definition.ts';
import { convertWithStash } from '../forms/convert-object.ts';
import type { Resource } from '../resource.ts';
import { timestamp } from './system-fields.ts';
import type { WriteRequest } from './write-request.ts';

const types = new WeakMap<VersionDefinition, MergeType>();

/** How the fields of an object of this version merge. */
export function mergeTypeFor(version: VersionDefinition): MergeType {
  let type = types.get(version);
  if (type === undefined) types.set(version, (type = mergeTypeOf(version.schema.root)));
  return type;
}

function versionsOf(resource: Resource): OwnerVersions {
  return {
    ...(resource.strict && !resource.definition.typed && { refuseRemoved: cannotConvert }),
    typeOf: (apiVersion) => {
      const version = resource.version(apiVersion);
      return version === undefined ? undefined : mergeTypeFor(version);
    },
  };
}

const cannotConvert = (apiVersion: string): Error =>
  apiErrors.raw({
    code: 500,
    message: `request to convert CR to an invalid group/version: ${apiVersion}`,
  });

export function ownershipContext(write: WriteRequest): WriteContext {
  const subresource = write.subresource === '' ? undefined : write.subresource;
  return {
    apiVersion: write.version.apiVersion,
    manager: write.manager,
    subresource,
    now: timestamp(write.now),
    ignored: resetFieldsOf({
      hasStatusSubresource: write.version.statusSubresource,
      subresource,
      statusResetsMetadata: write.resource.definition.strategy.statusMayWriteMetadata !== true,
    }),
    versions: versionsOf(write.resource),
    blank: blankOf(write),
  };
}

const blanks = new WeakMap<VersionDefinition, JsonObject>();

/** An object of a typed kind in which nothing is set still has the structs of its Go type. */
function blankOf({ version, resource }: WriteRequest): JsonObject | undefined {
  const known = blanks.get(version);
  if (known !== undefined || version.blank === undefined) return known;
  const { metadata: _, ...rest } = version.blank();
  const blank = { ...rest, apiVersion: version.apiVersion, kind: resource.definition.names.kind };
  blanks.set(version, blank);
  return blank;
}

/** `next` with the managedFields that follow from this write. */
export async function recordOwnership(
  write: WriteRequest,
  live: KubeObject | undefined,
  next: KubeObject,
): Promise<KubeObject> {
  const { converter } = write.resource.definition;
  // Custom resources have lost the difference between an empty list and none by then, as upstream.
  const emptyListResets = write.resource.definition.typed;
  const input = { ...ownershipContext(write), live, next, emptyListResets };
  const { convertNow } = converter;
  if (convertNow !== undefined && !converter.usesStash) {
    const convert = (object: JsonObject, apiVersion: string) =>
      convertNow(object as unknown as KubeObject, apiVersion) as unknown as JsonObject;
    return write.slice === undefined
      ? updateManagedFields(input, convert)
      : updateManagedFieldsPausing(input, convert, write.slice);
  }
  const convert = async (objects: readonly JsonObject[], apiVersion: string) => {
    const converted = await convertOwned(write, objects, apiVersion);
    return converter.usesStash
      ? converted.map((object) => asJson(takeStash(object).object))
      : converted.map(asJson);
  };
  return updateManagedFieldsAsync(input, convert, write.slice);
}

/** Converts objects to the version of an owner, with the stash, and memoizes the results for the commit. */
export async function convertOwned(
  { resource, waited, conversions }: WriteRequest,
  objects: readonly JsonObject[],
  apiVersion: string,
): Promise<KubeObject[]> {
  const { generation } = resource.forms;
  const sources = objects.map(asKubeObject);
  const converted = await convertWithStash(resource, sources, apiVersion, waited);
  for (const [index, source] of sources.entries()) conversions?.add(source, converted[index]!, generation);
  return converted;
}

export { keepTimesIfUnchanged };
