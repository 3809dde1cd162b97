// Removes the items of a set from an object.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { childOf, type FieldSet, hasChildren, isMember, nodeOf, SELF } from '../fieldset/field-set.ts';
import { itemElement } from './list-item.ts';
import { formOf, type ListType, type MapType, type MergeType, typeOfKey } from './merge-type.ts';

/**
 * The object without the fields of the set. A container that becomes empty, and is not in the set itself, is
 * null.
 */
export function removeItems(object: JsonObject, set: FieldSet, type: MergeType): JsonObject {
  return (hasChildren(set) ? (removeFrom(object, set, type) ?? {}) : object) as JsonObject;
}

function removeFrom(value: JsonValue, set: FieldSet, type: MergeType): JsonValue {
  switch (formOf(type, value)) {
    case 'scalar':
      return value;
    case 'list':
      return Array.isArray(value) && type.list!.relation !== 'atomic'
        ? removeFromList(value, set, type.list!)
        : null;
    case 'map':
    case 'any':
      return isJsonObject(value) && !type.map!.atomic ? removeFromMap(value, set, type.map!) : null;
  }
}

function removeFromList(items: JsonValue[], set: FieldSet, list: ListType): JsonValue {
  const left: JsonValue[] = [];
  for (const item of items) {
    const element = itemElement(list, item);
    const node = element === undefined ? undefined : childOf(set, element);
    if (isMember(node)) continue;
    left.push(hasChildren(node) ? removeFrom(item, node, list.element) : item);
  }
  return left.length > 0 ? left : null;
}

function removeFromMap(value: JsonObject, set: FieldSet, map: MapType): JsonValue {
  const left: [string, JsonValue][] = [];
  for (const key of Object.keys(value)) {
    const node = childOf(set, `f:${key}`);
    if (isMember(node)) continue;
    left.push([key, hasChildren(node) ? removeFrom(value[key]!, node, typeOfKey(map, key)) : value[key]!]);
  }
  return left.length > 0 ? Object.fromEntries(left) : null;
}

/**
 * The set with every named field that has others of the set below it. Ownership leaves those out, but when
 * the last field below one is removed it has to be removed too.
 */
export function withNamedFields(set: FieldSet, type: MergeType | undefined): FieldSet {
  const found: Record<string, FieldSet> = {};
  for (const element in set) {
    if (element === SELF) continue;
    const node = set[element]!;
    found[element] = hasChildren(node)
      ? nodeOf(isMember(node) || isNamed(type, element), withNamedFields(node, typeBelow(type, element)))!
      : node;
  }
  return found;
}

const isNamed = (type: MergeType | undefined, element: string): boolean =>
  element.startsWith('f:') && type?.map?.fields.has(element.slice(2)) === true;

function typeBelow(type: MergeType | undefined, element: string): MergeType | undefined {
  if (element.startsWith('f:'))
    return type?.map === undefined ? undefined : (type.map.fields.get(element.slice(2)) ?? type.map.element);
  return element.startsWith('k:') ? type?.list?.element : undefined;
}
