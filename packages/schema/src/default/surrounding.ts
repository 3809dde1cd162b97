// Builds the smallest resource that has a value at a given path, and returns the value at a path.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

/** The name of a field, or any number for an item of a list. */
export type PathStep = string | number;

export function surroundedBy(steps: readonly PathStep[], value: JsonValue): JsonObject {
  const object = steps.reduceRight<JsonValue>(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    value,
  );
  return { apiVersion: 'validation/v1', kind: 'Validation', ...(object as JsonObject) };
}

export function valueAt(object: JsonObject, steps: readonly PathStep[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[0] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
