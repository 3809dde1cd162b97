// Equality of JSON values: the order of members does not count, the order of items does.
import type { JsonObject, JsonValue } from '@instar/machinery';

export function equalJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  return !Array.isArray(b) && equalObjects(a, b);
}

function equalLists(a: JsonValue[], b: JsonValue[]): boolean {
  return a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
}

function equalObjects(a: JsonObject, b: JsonObject): boolean {
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !equalJson(a[key], b[key])) return false;
    count++;
  }
  return count === Object.keys(b).length;
}
