// JSON with its members in order of their names: how Go prints a map, and so how values of objects appear in messages.
import { type JsonObject, type JsonValue, setMember } from '@instar/machinery';

export function sortedJson(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedJson);
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) setMember(sorted, key, sortedJson(value[key]!));
  return sorted;
}
