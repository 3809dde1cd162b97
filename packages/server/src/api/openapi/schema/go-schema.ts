// Go types as models: every struct is a model that others reference, so that types may be recursive and
// kubectl explain can name them.

import type { GoField, GoType, StructType } from '@instar/kinds';
import type { JsonObject } from '@instar/machinery';
import type { Dialect } from '../dialect.ts';
import { goModelName } from '../model-names.ts';

/** Models by name, in the order in which they were added. */
export type Models = Map<string, JsonObject>;

/** Adds the model of the type and of all types that it references; returns its name. */
export function addGoModel(models: Models, dialect: Dialect, group: string, type: StructType): string {
  return new GoModels(models, dialect, group).struct(type);
}

class GoModels {
  readonly #models: Models;
  readonly #dialect: Dialect;
  readonly #group: string;

  constructor(models: Models, dialect: Dialect, group: string) {
    this.#models = models;
    this.#dialect = dialect;
    this.#group = group;
  }

  struct(type: StructType): string {
    return this.#add(type.model ?? goModelName(this.#group, type.name), () => {
      const fields = [...type.fields];
      const required = fields.filter(([, field]) => field.required === true).map(([name]) => name);
      return {
        ...(type.description !== '' && { description: type.description }),
        ...(required.length > 0 && { required }),
        type: 'object',
        ...(fields.length > 0 && {
          properties: Object.fromEntries(fields.map(([name, field]) => [name, this.#field(field)])),
        }),
        ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }),
      };
    });
  }

  /** The name is registered before the model is made: the type may be recursive. */
  #add(name: string, make: () => JsonObject): string {
    if (this.#models.has(name)) return name;
    this.#models.set(name, {});
    this.#models.set(name, make());
    return name;
  }

  #field(field: GoField): JsonObject {
    const { default: standard, listType, mapKeys, atomic, patch } = field;
    return this.#use(field.type, {
      ...(field.description !== '' && { description: field.description }),
      ...(standard !== undefined && this.#dialect.version === 'v3' && { default: standard }),
      ...(listType !== undefined && { 'x-kubernetes-list-type': listType }),
      ...(mapKeys !== undefined && { 'x-kubernetes-list-map-keys': [...mapKeys] }),
      ...(atomic === true && { 'x-kubernetes-map-type': 'atomic' }),
      ...(patch !== undefined && { 'x-kubernetes-patch-strategy': patch.strategy }),
      ...(patch?.key !== undefined && { 'x-kubernetes-patch-merge-key': patch.key }),
    });
  }

  #use(type: GoType, siblings: JsonObject): JsonObject {
    switch (type.kind) {
      case 'struct':
        return this.#dialect.reference(this.struct(type), siblings);
      case 'lazy':
        return this.#use(type.type(), siblings);
      case 'list':
        return { ...siblings, type: 'array', items: this.#use(type.items, {}) };
      case 'map':
        return { ...siblings, type: 'object', additionalProperties: this.#use(type.values, {}) };
      case 'string':
        return { ...siblings, type: 'string', ...(type.enum !== undefined && { enum: [...type.enum] }) };
      case 'int32':
      case 'int64':
        return { ...siblings, type: 'integer', format: type.kind };
      case 'float64':
        return { ...siblings, type: 'number', format: 'double' };
      case 'bool':
        return { ...siblings, type: 'boolean' };
      case 'bytes':
        return { ...siblings, type: 'string', format: 'byte' };
      case 'time':
      case 'microTime':
      case 'intOrString':
      case 'quantity':
      case 'raw':
      case 'choice':
        return this.#dialect.reference(
          this.#add(goModelName(this.#group, type.name), () => customModel(type, this.#dialect)),
          siblings,
        );
    }
  }
}

/** Types with their own JSON encoding. */
function customModel({ kind, name }: GoType, { version }: Dialect): JsonObject {
  switch (kind) {
    case 'time':
    case 'microTime':
      return { description: 'A time in RFC 3339 format.', type: 'string', format: 'date-time' };
    case 'quantity':
      return {
        description: 'A number with an optional suffix such as m, k, Mi or e3.',
        ...(version === 'v3' ? { oneOf: [{ type: 'string' }, { type: 'number' }] } : { type: 'string' }),
      };
    case 'intOrString':
      return {
        description: 'A number, or a string that is a number or a percentage.',
        format: 'int-or-string',
        ...(version === 'v3' ? { oneOf: [{ type: 'integer' }, { type: 'string' }] } : { type: 'string' }),
      };
    default:
      return name === 'v1.FieldsV1'
        ? { description: 'A set of fields, as a tree.', type: 'object' }
        : { description: 'JSON of more than one form.' };
  }
}
