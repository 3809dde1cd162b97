// Paths of values in an object: the schema of a value, and how it is read, set and removed.
import { isJsonObject, type JsonObject, type JsonValue, memberOf, setMember } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';

export type ValuePath = readonly (string | number)[];

export function valueAt(root: JsonValue, place: ValuePath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of place) {
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined;
    else value = isJsonObject(value) ? memberOf(value, String(step)) : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

/** Sets a value in place. False: its parent does not exist. */
export function setAt(root: JsonObject, place: ValuePath, value: JsonValue): boolean {
  const parent = valueAt(root, place.slice(0, -1));
  const step = place.at(-1);
  if (step === undefined) return false;
  if (Array.isArray(parent) && typeof step === 'number') parent[step] = value;
  else if (isJsonObject(parent)) setMember(parent, String(step), value);
  else return false;
  return true;
}

export function removeAt(root: JsonObject, place: ValuePath): void {
  const parent = valueAt(root, place.slice(0, -1));
  const step = place.at(-1);
  if (step === undefined) return;
  if (Array.isArray(parent) && typeof step === 'number') parent.splice(step, 1);
  else if (isJsonObject(parent)) delete parent[String(step)];
}

/** The schema of one step down; undefined if the schema does not know it. */
export function childSchema(
  schema: JSONSchemaProps | undefined,
  step: string | number,
): JSONSchemaProps | undefined {
  if (schema === undefined) return undefined;
  if (typeof step === 'number') return Array.isArray(schema.items) ? undefined : schema.items;
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, step)) return properties[step];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

export function schemaAt(root: JSONSchemaProps, place: ValuePath): JSONSchemaProps | undefined {
  let schema: JSONSchemaProps | undefined = root;
  for (const step of place) schema = childSchema(schema, step);
  return schema;
}

/** As in spec.a[0].b, with other keys in brackets. */
export function printValuePath(place: ValuePath): string {
  const steps = place.map((step) =>
    typeof step === 'number' ? `[${step}]` : /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return steps.join('').replace(/^\./, '');
}

/**
 * Finds the path that a field of an error names. Errors write keys of maps in brackets or after a dot; keys
 * may contain dots themselves.
 */
export function placeOf(root: JsonValue, field: string): ValuePath {
  const place: (string | number)[] = [];
  let value: JsonValue | undefined = root;
  let rest = field;
  while (rest !== '' && typeof value === 'object' && value !== null) {
    const found = nextStep(value, rest.replace(/^\./, ''));
    if (found === undefined) break;
    place.push(found.step);
    rest = found.rest;
    value = valueAt(value, [found.step]);
  }
  return place;
}

function nextStep(value: JsonValue, rest: string): { step: string | number; rest: string } | undefined {
  if (Array.isArray(value)) {
    const index = /^\[(\d+)\]/.exec(rest);
    return index === null ? undefined : { step: Number(index[1]), rest: rest.slice(index[0].length) };
  }
  const keys = Object.keys(value as JsonObject).sort((a, b) => b.length - a.length);
  for (const key of keys) {
    for (const text of [key, `[${key}]`]) {
      const after = rest[text.length];
      if (rest.startsWith(text) && (after === undefined || after === '.' || after === '['))
        return { step: key, rest: rest.slice(text.length) };
    }
  }
  const name = /^[^.[\]]+/.exec(rest)?.[0];
  return name === undefined ? undefined : { step: name, rest: '' };
}
