// Finds the first value of a wrong type, for kinds that upstream decodes into Go structs. Does not validate
// values.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { TypeMismatch } from '../schema.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { typeNameOf } from '../validate/types.ts';

/** Go's decoder reads members in the order of the text, and accepts null for any type. */
export function firstTypeMismatch(value: JsonValue, node: SchemaNode): TypeMismatch | undefined {
  const found = mismatchIn(value, node);
  return found === undefined ? undefined : { ...found, path: found.path.replace(/^\./, '') };
}

function mismatchIn(value: JsonValue, node: SchemaNode): TypeMismatch | undefined {
  if (value === null) return undefined;
  const actual = typeNameOf(value) as TypeMismatch['actual'];
  if (!fits(actual, node.type)) return { path: '', expected: node.type, actual };
  if (Array.isArray(value)) return mismatchInItems(value, node);
  return typeof value === 'object' ? mismatchInFields(value, node) : undefined;
}

function fits(actual: TypeMismatch['actual'], expected: SchemaNode['type']): boolean {
  if (actual === expected || expected === 'any') return true;
  if (expected === 'int-or-string') return actual === 'string' || actual === 'integer';
  return actual === 'integer' && expected === 'number';
}

function mismatchInFields(object: JsonObject, node: SchemaNode): TypeMismatch | undefined {
  for (const name in object) {
    const child = node.field(name);
    const found = child === undefined ? undefined : mismatchIn(object[name]!, child);
    if (found !== undefined) return { ...found, path: `.${name}${found.path}` };
  }
  return undefined;
}

function mismatchInItems(list: JsonValue[], { items }: SchemaNode): TypeMismatch | undefined {
  if (items === undefined) return undefined;
  for (let index = 0; index < list.length; index++) {
    const found = mismatchIn(list[index]!, items);
    if (found !== undefined) return { ...found, path: `[${index}]${found.path}` };
  }
  return undefined;
}
