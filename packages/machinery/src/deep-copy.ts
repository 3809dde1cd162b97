// A copy of a JSON value that shares nothing with it. Several times faster than structuredClone, and exact
// for bigints, unlike a round trip through text.
import type { JsonObject, JsonValue } from './json-value.ts';

/** A copy that shares nothing with the original. */
export function deepCopy<T extends JsonValue>(value: T): T {
  return copyOf(value) as T;
}

function copyOf(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = new Array<JsonValue>(value.length);
    for (let i = 0; i < value.length; i++) items[i] = copyOf(value[i]!);
    return items;
  }
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, key, copyOf(value[key]!));
  return copy;
}

/** Sets a key whose name comes from a user: assigning to `__proto__` would change the prototype instead. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** The member of that name, or undefined; never an inherited one. */
export function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
