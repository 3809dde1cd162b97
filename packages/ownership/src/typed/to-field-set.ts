// The set of the fields that an object mentions: what a manager that applies it owns.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { EMPTY_SET, type FieldSet, LEAF, nodeOf } from '../fieldset/field-set.ts';
import { inOrder } from '../fieldset/order.ts';
import { itemElement } from './list-item.ts';
import { formOf, type ListType, type MapType, type MergeType, typeOfKey } from './merge-type.ts';

export function toFieldSet(object: JsonValue, type: MergeType): FieldSet {
  return inOrder(nodeOf(false, mentioned(object, type)) ?? EMPTY_SET);
}

function mentioned(value: JsonValue, type: MergeType): FieldSet | undefined {
  switch (formOf(type, value)) {
    case 'scalar':
      return LEAF;
    case 'list':
      return type.list!.relation === 'atomic'
        ? LEAF
        : Array.isArray(value)
          ? itemsMentioned(value, type.list!)
          : undefined;
    case 'map':
    case 'any':
      return type.map!.atomic ? LEAF : isJsonObject(value) ? keysMentioned(value, type.map!) : undefined;
  }
}

function keysMentioned(value: JsonObject, map: MapType): FieldSet | undefined {
  const found: Record<string, FieldSet> = {};
  let any = false;
  // Sorted from the start, so that there is (nearly always) nothing left to sort.
  for (const key of Object.keys(value).sort()) {
    const member = value[key]!;
    // A named field is not owned for what is below it, only if it is a value itself: null or an empty object.
    const itself =
      !map.fields.has(key) || member === null || (isJsonObject(member) && Object.keys(member).length === 0);
    const below = mentioned(member, typeOfKey(map, key));
    if (below === undefined && !itself) continue;
    found[`f:${key}`] = below === undefined || below === LEAF ? LEAF : nodeOf(itself, below)!;
    any = true;
  }
  return any ? found : undefined;
}

/** An item is owned with what is below it. Duplicate items are only owned as a whole. */
function itemsMentioned(items: JsonValue[], list: ListType): FieldSet | undefined {
  const found: Record<string, FieldSet> = {};
  for (const item of items) {
    const element = itemElement(list, item);
    if (element === undefined) continue;
    found[element] = Object.hasOwn(found, element) ? LEAF : nodeOf(true, mentioned(item, list.element))!;
  }
  return Object.keys(found).length > 0 ? found : undefined;
}
