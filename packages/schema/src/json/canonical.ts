// One text for every JSON value, the same for equal values: members sorted. Used as a key, never shown.
import { encodeJson, type JsonValue } from '@instar/machinery';

export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return encodeJson(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${encodeJson(key)}:${canonicalJson(value[key]!)}`);
  return `{${members.join(',')}}`;
}
