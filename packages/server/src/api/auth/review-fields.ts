// Reads the spec of an access review as Go's decoder does: unknown fields are dropped, a value of the wrong
// type is refused.
import { apiErrors, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

type Read<T> = (value: JsonValue, path: string) => T;

const refused = (path: string, goType: string, value: JsonValue): Error =>
  apiErrors.badRequest(
    `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${path} of type ${goType}`,
  );

function jsonTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

export const text: Read<string> = (value, path) => {
  if (typeof value !== 'string') throw refused(path, 'string', value);
  return value;
};

export const texts: Read<string[]> = (value, path) => {
  if (!Array.isArray(value)) throw refused(path, '[]string', value);
  return value.map((item) => text(item, path));
};

export const textLists: Read<Record<string, string[]>> = (value, path) => {
  if (!isJsonObject(value)) throw refused(path, 'map[string][]string', value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, texts(item, path)]));
};

/**
 * Only the fields that have a reader, in that order; null counts as absent and empty values are left out, as
 * omitempty does.
 */
export function fields(
  value: JsonValue | undefined,
  path: string,
  readers: Readonly<Record<string, Read<unknown>>>,
): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw refused(path, 'struct', value);
  const out: JsonObject = {};
  for (const [key, read] of Object.entries(readers)) {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    if (member === undefined || member === null || isEmpty(member)) continue;
    out[key] = read(member, `${path}.${key}`) as JsonValue;
  }
  return out;
}

const isEmpty = (value: JsonValue): boolean => value === '' || (Array.isArray(value) && value.length === 0);

export const object =
  (readers: Readonly<Record<string, Read<unknown>>>): Read<JsonObject> =>
  (value, path) =>
    fields(value, path, readers)!;

export const list =
  (item: Read<unknown>): Read<unknown[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw refused(path, '[]struct', value);
    return value.map((member) => item(member, path));
  };
