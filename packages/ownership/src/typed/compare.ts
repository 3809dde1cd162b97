// The difference between two objects, as the fields that were added, modified and removed. Values that do not
// match the schema are compared all the same: ownership must never block a write.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { graft, newBuilder } from '../fieldset/builder.ts';
import { EMPTY_SET, type FieldSet, isEmptySet, LEAF, SELF } from '../fieldset/field-set.ts';
import { recursiveDifference, union } from '../fieldset/operations.ts';
import { inOrder } from '../fieldset/order.ts';
import { jsonEqual } from './json-equal.ts';
import { changedPositions, itemElement } from './list-item.ts';
import { formOf, type ListType, type MapType, type MergeType, typeOfKey } from './merge-type.ts';
import { MANAGED_FIELDS } from './object-meta.ts';

export interface FieldChanges {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Without what is in or below `ignored`, and without managedFields. */
export function compareObjects(
  before: JsonObject,
  after: JsonObject,
  type: MergeType,
  ignored: FieldSet = EMPTY_SET,
): FieldChanges {
  const walk = new ComparisonWalk();
  walk.compare(before, after, type);
  const rest = isEmptySet(ignored) ? inOrder : (set: FieldSet) => inOrder(recursiveDifference(set, ignored));
  return { added: rest(walk.added), modified: rest(walk.modified), removed: rest(walk.removed) };
}

/** The fields that were added or modified. */
export const changedFields = (comparison: FieldChanges): FieldSet =>
  union(comparison.modified, comparison.added);

class ComparisonWalk {
  readonly added = newBuilder();
  readonly modified = newBuilder();
  readonly removed = newBuilder();
  readonly #path: string[] = [];

  compare(before: JsonValue, after: JsonValue, type: MergeType): void {
    const [formBefore, formAfter] = [formOf(type, before), formOf(type, after)];
    if (formBefore !== formAfter) this.#compareAs(formBefore, before, after, type);
    this.#compareAs(formAfter, before, after, type);
  }

  #compareAs(form: ReturnType<typeof formOf>, before: JsonValue, after: JsonValue, type: MergeType): void {
    switch (form) {
      case 'scalar':
        this.#compareWhole(before, after);
        break;
      case 'list':
        this.#compareLists(before, after, type.list!);
        break;
      case 'map':
      case 'any':
        this.#compareMaps(before, after, type.map!);
        break;
    }
  }

  #compareWhole(before: JsonValue, after: JsonValue): void {
    if (!jsonEqual(before, after)) this.#put(this.modified, LEAF);
  }

  #compareMaps(before: JsonValue, after: JsonValue, map: MapType): void {
    const [l, r] = [keysIn(before), keysIn(after)];
    if (map.atomic || (l === undefined && r === undefined)) this.#compareWhole(before, after);
    else this.#compareKeys(l, r, map);
  }

  #compareKeys(l: JsonObject | undefined, r: JsonObject | undefined, map: MapType): void {
    for (const key in l) {
      const other = r !== undefined && Object.hasOwn(r, key) ? r[key] : undefined;
      if (other !== l[key]) this.#compareKey(key, l[key], other, map);
    }
    for (const key in r) {
      if (l !== undefined && Object.hasOwn(l, key)) continue;
      this.#compareKey(key, undefined, r[key], map);
    }
  }

  #compareKey(key: string, before: JsonValue | undefined, after: JsonValue | undefined, map: MapType): void {
    const type = typeOfKey(map, key);
    if (type !== MANAGED_FIELDS) this.#compareEither(`f:${key}`, before, after, type);
  }

  #compareEither(
    element: string,
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    type: MergeType,
  ): void {
    this.#path.push(element);
    if (before === undefined) {
      if (after !== undefined) this.#put(this.added, allOf(after, type));
    } else if (after === undefined) this.#put(this.removed, allOf(before, type));
    else this.compare(before, after, type);
    this.#path.pop();
  }

  #compareLists(before: JsonValue, after: JsonValue, list: ListType): void {
    const [l, r] = [itemsIn(before), itemsIn(after)];
    if (list.relation === 'atomic' || (l === undefined && r === undefined)) this.#compareWhole(before, after);
    else if (l === undefined || r === undefined || !this.#compareInPlace(l, r, list))
      this.#compareAllItems(l, r, list);
  }

  /**
   * Most writes change a few items and keep all in position. False, and nothing done, if this one does more.
   */
  #compareInPlace(l: JsonValue[], r: JsonValue[], list: ListType): boolean {
    const places = changedPositions(l, r, list);
    if (places === undefined) return false;
    for (const i of places) this.#compareEither(itemElement(list, l[i]!)!, l[i], r[i], list.element);
    return true;
  }

  #compareAllItems(l: JsonValue[] | undefined, r: JsonValue[] | undefined, list: ListType): void {
    const [left, right] = [itemsByElement(l, list), itemsByElement(r, list)];
    for (const [element, items] of left) this.#compareItems(element, items, right.get(element), list.element);
    for (const [element, items] of right)
      if (!left.has(element)) this.#compareItems(element, undefined, items, list.element);
  }

  /** Duplicate items are one value together. */
  #compareItems(
    element: string,
    before: JsonValue[] | undefined,
    after: JsonValue[] | undefined,
    type: MergeType,
  ): void {
    const [manyBefore, manyAfter] = [
      before !== undefined && before.length > 1,
      after !== undefined && after.length > 1,
    ];
    if (!manyBefore && !manyAfter) this.#compareEither(element, before?.[0], after?.[0], type);
    else if (manyBefore && manyAfter) {
      if (!jsonEqual(before, after)) graft(this.modified, this.#path, element, LEAF);
    } else if (manyBefore) {
      this.#compareEither(element, undefined, after?.[0], type);
      graft(this.removed, this.#path, element, LEAF);
    } else {
      this.#compareEither(element, before?.[0], undefined, type);
      graft(this.added, this.#path, element, LEAF);
    }
  }

  #put(set: FieldSet, node: FieldSet): void {
    const last = this.#path.length - 1;
    // The object as a whole has no owner.
    if (last >= 0) graft(set, this.#path.slice(0, last), this.#path[last]!, node);
  }
}

function keysIn(value: JsonValue): JsonObject | undefined {
  if (isJsonObject(value)) for (const _ in value) return value;
  return undefined;
}

const itemsIn = (value: JsonValue): JsonValue[] | undefined =>
  Array.isArray(value) && value.length > 0 ? value : undefined;

function itemsByElement(items: JsonValue[] | undefined, list: ListType): Map<string, JsonValue[]> {
  const found = new Map<string, JsonValue[]>();
  for (const item of items ?? []) {
    const element = itemElement(list, item);
    if (element === undefined) continue;
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

/** Sorted from the start, so that there is (nearly always) nothing left to sort. */
function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value);
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
}

/** The node of a value that exists on one side only: it and everything below it. */
function allOf(value: JsonValue, type: MergeType): FieldSet {
  switch (formOf(type, value)) {
    case 'scalar':
      return LEAF;
    case 'list':
      return type.list!.relation === 'atomic' ? LEAF : allItems(itemsIn(value), type.list!);
    case 'map':
    case 'any':
      return type.map!.atomic ? LEAF : allKeys(keysIn(value), type.map!);
  }
}

function allKeys(value: JsonObject | undefined, map: MapType): FieldSet {
  if (value === undefined) return LEAF;
  const node: Record<string, FieldSet> = { [SELF]: LEAF };
  for (const key of sortedKeys(value)) node[`f:${key}`] = allOf(value[key]!, typeOfKey(map, key));
  return node;
}

function allItems(items: JsonValue[] | undefined, list: ListType): FieldSet {
  if (items === undefined) return LEAF;
  const node: Record<string, FieldSet> = { [SELF]: LEAF };
  for (const [element, same] of itemsByElement(items, list))
    node[element] = same.length > 1 ? LEAF : allOf(same[0]!, list.element);
  return node;
}
