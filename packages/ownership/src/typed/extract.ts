// The part of an object that a set names: what a manager would have to apply to own exactly that.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { childOf, type FieldSet, hasChildren } from '../fieldset/field-set.ts';
import { itemElement } from './list-item.ts';
import { formOf, type ListType, type MapType, type MergeType, typeOfKey } from './merge-type.ts';

/** Items include their keys, whether or not the set names those: without them they would be other items. */
export function extractItems(object: JsonObject, set: FieldSet, type: MergeType): JsonObject {
  return extract(object, set, type) as JsonObject;
}

function extract(value: JsonValue, set: FieldSet, type: MergeType): JsonValue {
  switch (formOf(type, value)) {
    case 'scalar':
      return value;
    case 'list':
      return Array.isArray(value) && type.list!.relation !== 'atomic'
        ? extractFromList(value, set, type.list!)
        : value;
    case 'map':
    case 'any':
      return isJsonObject(value) && !type.map!.atomic ? extractFromMap(value, set, type.map!) : value;
  }
}

function extractFromList(items: JsonValue[], set: FieldSet, list: ListType): JsonValue[] {
  const found: JsonValue[] = [];
  for (const item of items) {
    const element = itemElement(list, item);
    const node = element === undefined ? undefined : childOf(set, element);
    if (node === undefined) continue;
    const part = extract(item, node, list.element);
    found.push(isJsonObject(part) && isJsonObject(item) ? { ...keysOf(item, list.keys), ...part } : part);
  }
  return found;
}

function keysOf(item: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]!]));
}

function extractFromMap(value: JsonObject, set: FieldSet, map: MapType): JsonObject {
  const found: [string, JsonValue][] = [];
  for (const key of Object.keys(value)) {
    const node = childOf(set, `f:${key}`);
    if (node === undefined) continue;
    const part = extract(value[key]!, node, typeOfKey(map, key));
    if (hasChildren(node) && isNothing(part)) continue;
    found.push([key, part]);
  }
  return Object.fromEntries(found);
}

const isNothing = (part: JsonValue): boolean =>
  typeof part === 'object' && part !== null && Object.keys(part).length === 0;
