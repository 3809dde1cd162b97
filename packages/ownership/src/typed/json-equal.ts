// Deep equality of JSON values. Two references to one value are equal without a walk, which is the common
// case.
import type { JsonValue } from '@instar/machinery';

export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && listsEqual(a, b);
  return !Array.isArray(b) && objectsEqual(a, b);
}

function listsEqual(a: JsonValue[], b: JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!jsonEqual(a[i], b[i])) return false;
  return true;
}

function objectsEqual(a: { [key: string]: JsonValue }, b: { [key: string]: JsonValue }): boolean {
  let more = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !jsonEqual(a[key], b[key])) return false;
    more--;
  }
  for (const _ in b) more++;
  return more === 0;
}
