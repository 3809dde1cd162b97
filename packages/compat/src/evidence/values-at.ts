// The values of objects at a path of a schema, such as spec.rules[*].name or spec.labels.*.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

export function valuesAt(objects: readonly JsonObject[], path: string): JsonValue[] {
  const steps = path.match(/\[\*\]|[^.[\]]+/g) ?? [];
  return steps.reduce<JsonValue[]>(
    (values, step) => values.flatMap((value) => below(value, step)),
    [...objects],
  );
}

function below(value: JsonValue, step: string): JsonValue[] {
  if (step === '[*]') return Array.isArray(value) ? value : [];
  if (!isJsonObject(value)) return [];
  if (step === '*') return Object.values(value);
  return Object.hasOwn(value, step) ? [value[step]!] : [];
}
