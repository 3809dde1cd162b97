// What identifies an item of a set or a map list: its path element.
import { isJsonObject, type JsonValue } from '@instar/machinery';
import { type KeyFields, keyElement, valueElement } from '../fieldset/element.ts';
import { jsonEqual } from './json-equal.ts';
import type { ListType } from './merge-type.ts';

/**
 * Undefined for an item without a key, because of its form or because it lacks all key fields; see itemFault.
 */
export function itemElement(list: ListType, item: JsonValue): string | undefined {
  if (list.relation === 'set') return typeof item === 'object' ? undefined : valueElement(item);
  if (!isJsonObject(item)) return undefined;
  const fields = keyFieldsOf(list, item);
  return fields.length === 0 ? undefined : keyElement(fields);
}

function keyFieldsOf(list: ListType, item: { [key: string]: JsonValue }): KeyFields {
  const fields: [string, JsonValue][] = [];
  for (const key of list.keys) {
    const value = Object.hasOwn(item, key) ? item[key] : list.keyDefaults.get(key);
    // A missing key without a default is left out: an item with it is another item.
    if (value !== undefined) fields.push([key, value]);
  }
  return fields.length < 2 ? fields : fields.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Why an item has no path element, in upstream's words. */
export function itemFault(list: ListType, item: JsonValue): string {
  if (list.relation === 'set') {
    if (item === null) return "associative list without keys has an element that's an explicit null";
    if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
    return "associative list without keys has an element that's a map type";
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isJsonObject(item)) return 'associative list with keys may not have non-map elements';
  const keys = list.keys.map((key) => JSON.stringify(key)).join(' ');
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

const FEW = 8;

/**
 * Where two lists with the same items in the same positions differ. Undefined if they have other or duplicate
 * items, or differ in many positions.
 */
export function changedPositions(
  before: JsonValue[],
  after: JsonValue[],
  list: ListType,
): number[] | undefined {
  if (before.length !== after.length) return undefined;
  const places: number[] = [];
  for (let i = 0; i < before.length; i++) {
    if (jsonEqual(before[i], after[i])) continue;
    if (places.length === FEW || !haveSameKeys(before[i]!, after[i]!, list) || isDuplicate(before, i, list))
      return undefined;
    places.push(i);
  }
  return places;
}

/** Scalars and keys that are scalars, all present: anything else takes the slow path. */
function haveSameKeys(a: JsonValue, b: JsonValue, list: ListType): boolean {
  if (list.relation !== 'map' || !isJsonObject(a) || !isJsonObject(b)) return false;
  for (const key of list.keys) {
    const value = Object.hasOwn(a, key) ? a[key] : undefined;
    if (value === undefined || typeof value === 'object' || !Object.hasOwn(b, key) || b[key] !== value)
      return false;
  }
  return list.keys.length > 0;
}

/** An item that lacks a key is compared as if the default, whatever it is, could be this one. */
function isDuplicate(items: JsonValue[], place: number, list: ListType): boolean {
  const item = items[place] as { [key: string]: JsonValue };
  for (let i = 0; i < items.length; i++) {
    const other = items[i]!;
    if (i === place || !isJsonObject(other)) continue;
    if (list.keys.every((key) => !Object.hasOwn(other, key) || other[key] === item[key])) return true;
  }
  return false;
}
