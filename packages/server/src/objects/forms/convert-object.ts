// Converts objects that are not (or not yet) stored to another version; they are neither pruned nor defaulted
// there.
import {
  type ConversionOutcome,
  convertAll,
  type ImmediateConverter,
  isFailure,
  outcomeNow,
  sourceOf,
} from '@instar/convert';
import { STASH_ANNOTATION, takeStash } from '@instar/lens';
import { invariant, type KubeObject } from '@instar/machinery';
import { type CachedObject, encodeForStore } from '../cached-object.ts';
import type { Resource } from '../resource.ts';
import { prune } from './completeness.ts';
import { ConversionError } from './conversion-error.ts';
import { type ConversionWait, measureWait } from './conversion-wait.ts';

export async function convertObject(
  resource: Resource,
  object: KubeObject,
  toApiVersion: string,
  waited?: ConversionWait,
): Promise<KubeObject> {
  if (object.apiVersion === toApiVersion) return object;
  const [converted] = await convertWithStash(resource, [object], toApiVersion, waited);
  return resource.definition.converter.usesStash ? takeStash(converted!).object : converted!;
}

/**
 * Converts several objects in one batch, for a caller that converts them back afterwards: they keep the stash
 * of what the version cannot hold.
 */
export async function convertWithStash(
  { definition: { converter } }: Resource,
  objects: readonly KubeObject[],
  toApiVersion: string,
  waited?: ConversionWait,
): Promise<KubeObject[]> {
  const outcomes =
    converter.convertNow === undefined
      ? await measureWait(waited, () => convertAll(converter, objects.map(sourceOf), toApiVersion))
      : objects.map((object) => outcomeNow(converter, object, toApiVersion));
  return outcomes.map(orThrow);
}

/**
 * Converts an object of any version to the storage version, as it is to be stored. If a lens converts, what
 * the storage version cannot hold is stashed in it, and what the client's version could not show is taken
 * from `stored`.
 */
export async function convertToStore(
  resource: Resource,
  object: KubeObject,
  stored: CachedObject | undefined,
  waited?: ConversionWait,
): Promise<KubeObject> {
  const { storageApiVersion, converter } = resource.definition;
  if (!converter.usesStash) return convertObject(resource, object, storageApiVersion, waited);
  const whole = withStashOf(resource, stored, takeStash(object).object, converter);
  return orThrow(outcomeNow(converter, whole, storageApiVersion));
}

/** The bytes that a write without changes would store, given the object's form in the storage version. */
export function bytesToStore(resource: Resource, cached: CachedObject, form: Uint8Array): Uint8Array {
  const { converter, storageApiVersion } = resource.definition;
  const version = resource.version(storageApiVersion);
  if (!converter.usesStash || version === undefined) return cached.withoutRevision(form);
  const converted = resource.forms.maker.convertStored(cached, version, converter);
  invariant(!isFailure(converted), 'an object that was converted cannot be converted');
  prune(converted, version);
  return encodeForStore(converted);
}

function withStashOf(
  resource: Resource,
  stored: CachedObject | undefined,
  object: KubeObject,
  converter: ImmediateConverter,
): KubeObject {
  const version = resource.version(object.apiVersion);
  if (stored === undefined || version === undefined) return object;
  const converted = resource.forms.maker.convertStored(stored, version, converter);
  const stash = isFailure(converted) ? undefined : converted.metadata.annotations?.[STASH_ANNOTATION];
  if (stash === undefined) return object;
  const annotations = { ...object.metadata.annotations, [STASH_ANNOTATION]: stash };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function orThrow(outcome: ConversionOutcome): KubeObject {
  if (isFailure(outcome)) throw new ConversionError(outcome, { withUid: false });
  return outcome;
}
