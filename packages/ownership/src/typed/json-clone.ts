// A deep copy of a JSON value.
import type { JsonObject, JsonValue } from '@instar/machinery';

export function jsonClone<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(jsonClone) as T;
  const copy: JsonObject = { ...value };
  for (const key of Object.keys(copy)) {
    const member = copy[key]!;
    // Every key is the copy's own by now, so assigning is safe even to `__proto__`.
    if (typeof member === 'object' && member !== null) copy[key] = jsonClone(member);
  }
  return copy as T;
}
