// How the metadata of every object merges. Written out here because custom schemas do not contain it.
import type { JsonValue } from '@instar/machinery';
import type { MapType, MergeType, ScalarKind } from './merge-type.ts';

const scalar = (kind: ScalarKind): MergeType => ({
  scalar: kind,
  list: undefined,
  map: undefined,
  holdsAtomic: false,
});
const TEXT = scalar('string');
const NUMBER = scalar('numeric');
const BOOLEAN = scalar('boolean');
const TIME = scalar('untyped');

const mapOf = (map: Partial<MapType>, holdsAtomic = map.atomic === true): MergeType => ({
  scalar: undefined,
  list: undefined,
  map: { atomic: false, fields: new Map(), element: undefined, ...map },
  holdsAtomic,
});

function listOf(
  element: MergeType,
  relation: 'atomic' | 'set' | 'map',
  keys: readonly string[] = [],
  defaults: [string, JsonValue][] = [],
): MergeType {
  const list = { relation, keys, keyDefaults: new Map(defaults), element };
  return {
    scalar: undefined,
    list,
    map: undefined,
    holdsAtomic: relation === 'atomic' || element.holdsAtomic,
  };
}

const TEXTS = mapOf({ element: TEXT });

const OWNER = mapOf({
  atomic: true,
  fields: new Map([
    ['apiVersion', TEXT],
    ['blockOwnerDeletion', BOOLEAN],
    ['controller', BOOLEAN],
    ['kind', TEXT],
    ['name', TEXT],
    ['uid', TEXT],
  ]),
});

const MANAGED_FIELDS_ENTRY = mapOf({
  fields: new Map([
    ['apiVersion', TEXT],
    ['fieldsType', TEXT],
    ['fieldsV1', mapOf({ element: mapOf({ atomic: true }) }, true)],
    ['manager', TEXT],
    ['operation', TEXT],
    ['subresource', TEXT],
    ['time', TIME],
  ]),
});

/** Separate because comparisons leave it out: it describes the object rather than being part of it. */
export const MANAGED_FIELDS: MergeType = listOf(MANAGED_FIELDS_ENTRY, 'atomic');

/** apiVersion and kind, beside the metadata. */
export const TYPE_META: readonly (readonly [string, MergeType])[] = [
  ['apiVersion', TEXT],
  ['kind', TEXT],
];

export const OBJECT_META: MergeType = mapOf(
  {
    fields: new Map([
      ['annotations', TEXTS],
      ['creationTimestamp', TIME],
      ['deletionGracePeriodSeconds', NUMBER],
      ['deletionTimestamp', TIME],
      ['finalizers', listOf(TEXT, 'set')],
      ['generateName', TEXT],
      ['generation', NUMBER],
      ['labels', TEXTS],
      ['managedFields', MANAGED_FIELDS],
      ['name', TEXT],
      ['namespace', TEXT],
      ['ownerReferences', listOf(OWNER, 'map', ['uid'], [['uid', '']])],
      ['resourceVersion', TEXT],
      ['selfLink', TEXT],
      ['uid', TEXT],
    ]),
  },
  true,
);
