// An object that is being changed to satisfy its rules: sets, removes and generates values, within what the
// schema requires.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { childSchema, removeAt, schemaAt, setAt, type ValuePath, valueAt } from '../value-path.ts';
import type { ValueMaker } from '../values.ts';
import type { ValueRef } from './operand.ts';
import { searchText } from './text-search.ts';

export class Draft {
  readonly root: JsonObject;
  readonly #schema: JSONSchemaProps;
  readonly #maker: ValueMaker;

  constructor(root: JsonObject, schema: JSONSchemaProps, maker: ValueMaker) {
    this.root = root;
    this.#schema = schema;
    this.#maker = maker;
  }

  at(place: ValuePath): JsonValue | undefined {
    return valueAt(this.root, place);
  }

  /** Sets a value, after creating its parents. */
  put({ place }: ValueRef, value: JsonValue): boolean {
    if (place.includes('apiVersion') && place.length === 1) return false;
    for (let depth = 1; depth < place.length; depth++) {
      const above = place.slice(0, depth);
      if (isContainer(valueAt(this.root, above))) continue;
      const own = schemaAt(this.#schema, above);
      const made = own === undefined ? {} : this.fresh(own);
      if (!isContainer(made) || !setAt(this.root, above, made)) return false;
    }
    return setAt(this.root, place, value);
  }

  remove(place: ValuePath): boolean {
    const name = place.at(-1);
    if (typeof name !== 'string') return false;
    if (valueAt(this.root, place) === undefined) return true;
    const above = schemaAt(this.#schema, place.slice(0, -1));
    const isNeeded =
      (above?.required ?? []).includes(name) || childSchema(above, name)?.default !== undefined;
    if (isNeeded)
      return place.length > 2 && this.#maker.dice.chance(50) ? this.remove(place.slice(0, -1)) : false;
    removeAt(this.root, place);
    return true;
  }

  fresh(schema: JSONSchemaProps | undefined): JsonValue {
    if (schema === undefined) return 'a';
    return schema.type === 'string' && schema['x-kubernetes-validations'] !== undefined
      ? searchText(schema, this.#maker.dice)
      : this.#maker.value(schema);
  }
}

const isContainer = (value: JsonValue | undefined): boolean => typeof value === 'object' && value !== null;
