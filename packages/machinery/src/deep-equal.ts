// Equality of JSON values: the order of keys does not matter, and an integer is the same whether it is a
// number or a bigint.
import type { JsonObject, JsonValue } from './json-value.ts';

/** Whether two JSON values are equal; the order of members does not matter. */
export function deepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return sameNumber(a, b);
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return !Array.isArray(b) && sameMembers(a, b);
}

/** JavaScript compares a bigint and a number by their exact values. */
function sameNumber(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: only == compares across the two kinds of number
  return (typeof a === 'bigint' || typeof b === 'bigint') && isNumber(a) && isNumber(b) && a == b;
}

function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function sameItems(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
  return true;
}

function sameMembers(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!Object.hasOwn(b, key) || !deepEqual(a[key], b[key])) return false;
  return true;
}
