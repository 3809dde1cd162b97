// Builds the smallest resource that has a value at a given place.
import type { JsonObject, JsonValue } from '@instar/machinery';

/** The name of a field, or any number for an item of a list. */
export type Step = string | number;

export function surroundedBy(steps: readonly Step[], value: JsonValue): JsonObject {
  const object = steps.reduceRight<JsonValue>(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    value,
  );
  return { apiVersion: 'validation/v1', kind: 'Validation', ...(object as JsonObject) };
}
