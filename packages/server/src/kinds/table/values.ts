// Reads values inside objects, for cells and selectable fields.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

/** The value at a path of fields, if it exists. */
export function valueAt(object: JsonObject, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path)
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** The same as text, or `otherwise` where it is missing. */
export const textAt = (object: JsonObject, path: readonly string[], otherwise = ''): string =>
  String(valueAt(object, ...path) ?? otherwise);

/** The objects of a list at a path. */
export function objectsAt(object: JsonObject, ...path: readonly string[]): JsonObject[] {
  const value = valueAt(object, ...path);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
