// Checks a configuration against the fields that its type has: a misspelled one must not be ignored where it
// could have refused somebody.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

/** A list has one item: the type of all of them. */
export type FieldShape =
  | 'string'
  | 'boolean'
  | readonly [FieldShape]
  | { readonly [field: string]: FieldShape };

/** As kube-apiserver words them; empty if all is well. */
export function strictFaults(value: JsonValue, shape: FieldShape, path = ''): string[] {
  // As in Go, null is the zero value of every type.
  if (value === null) return [];
  if (Array.isArray(shape))
    return Array.isArray(value)
      ? value.flatMap((item, index) => strictFaults(item, shape[0], `${path}[${index}]`))
      : [mismatch(value, path, 'array')];
  if (typeof shape === 'string') return typeof value === shape ? [] : [mismatch(value, path, shape)];
  if (!isJsonObject(value)) return [mismatch(value, path, 'object')];
  return fieldFaults(value, shape as Readonly<Record<string, FieldShape>>, path);
}

const fieldFaults = (
  object: JsonObject,
  shape: Readonly<Record<string, FieldShape>>,
  path: string,
): string[] =>
  Object.entries(object).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return Object.hasOwn(shape, name)
      ? strictFaults(value, shape[name]!, at)
      : [`unknown field ${JSON.stringify(at)}`];
  });

const mismatch = (value: JsonValue, path: string, wanted: string): string =>
  `${path === '' ? 'it' : path} must be of type ${wanted}, and is ${Array.isArray(value) ? 'array' : typeof value}`;
