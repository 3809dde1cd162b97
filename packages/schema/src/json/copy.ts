// A deep copy of JSON, bigints included, which structuredClone would do ten times slower.
import type { JsonObject, JsonValue } from '@instar/machinery';

export function copyJson(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: JsonObject = {};
  for (const key in value) setOwn(copy, key, copyJson(value[key]!));
  return copy;
}

/** Plain assignment to `__proto__` would set the prototype instead of a member. */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
