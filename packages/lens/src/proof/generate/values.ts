// Generates values by their schema, top down: required fields always, optional ones as long as there is
// budget left. Rules are ignored here: repair.ts satisfies them for whole objects.
import {
  deepCopy,
  encodeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { Dice } from './dice.ts';
import { embeddedMeta } from './metadata.ts';
import { accepts } from './node-check.ts';
import { integerFor, numberFor } from './numbers.ts';
import { anyKey, anyObject, anyValue } from './open-values.ts';
import { hasJunctors, type ResolvedSchema, shapeOf } from './resolved-schema.ts';
import { stringFor } from './strings.ts';

const TRIES = 12;
const LONGEST_BY_CHOICE = 3;

export class ValueMaker {
  readonly dice: Dice;
  /** How many optional values may still be added. */
  budget: number;

  constructor(dice: Dice, budget: number) {
    this.dice = dice;
    this.budget = budget;
  }

  /** `keys` are names of fields that must exist beyond those that the schema requires. */
  value(schema: JSONSchemaProps, keys: readonly string[] = []): JsonValue {
    const needsCheck = hasJunctors(schema);
    let value = this.#once(schema, keys);
    for (let attempt = 1; needsCheck && attempt < TRIES && !accepts(schema, value); attempt++)
      value = this.#once(schema, keys);
    return value;
  }

  #once(schema: JSONSchemaProps, keys: readonly string[]): JsonValue {
    const { dice } = this;
    if (schema.nullable === true && (schema.enum?.length ?? 0) === 0 && dice.chance(8)) return null;
    if (schema.default !== undefined && schema.default !== null && this.budget > 0 && dice.chance(15))
      return deepCopy(schema.default);
    const shape = shapeOf(schema, dice);
    const allowed = shape.schema.enum?.filter((one) => one !== null) ?? [];
    return allowed.length > 0 ? deepCopy(dice.pick(allowed)) : this.#ofType(shape, keys);
  }

  #ofType(shape: ResolvedSchema, keys: readonly string[]): JsonValue {
    const { schema } = shape;
    const { dice } = this;
    if (schema['x-kubernetes-int-or-string'] === true) return this.#intOrString(schema);
    switch (schema.type) {
      case 'string':
        return stringFor(schema, dice);
      case 'integer':
        return integerFor(schema, dice);
      case 'number':
        return numberFor(schema, dice);
      case 'boolean':
        return dice.chance(50);
      case 'array':
        return this.#list(schema);
      case 'object':
        return this.#object(shape, keys);
      default:
        return schema.properties === undefined ? anyValue(dice) : this.#object(shape, keys);
    }
  }

  #intOrString(schema: JSONSchemaProps): JsonValue {
    return this.dice.chance(50)
      ? integerFor({ format: 'int32', ...schema, multipleOf: 1 }, this.dice)
      : stringFor(schema, this.dice);
  }

  #list(schema: JSONSchemaProps): JsonValue {
    const items = Array.isArray(schema.items) ? undefined : schema.items;
    const min = Number(schema.minItems ?? 0);
    const max = Math.min(Number(schema.maxItems ?? Number.POSITIVE_INFINITY), min + LONGEST_BY_CHOICE);
    const count = this.budget > 0 ? this.dice.int(min, max) : min;
    this.budget -= count - min;
    const keys =
      schema['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
    const identity = identityFor(schema, keys);
    const list: JsonValue[] = [];
    const seen = new Set<string>();
    for (let attempt = 0; list.length < count && attempt < count * 4 + 8; attempt++) {
      const item = items === undefined ? anyValue(this.dice) : this.value(items, keys);
      const own = identity?.(item) ?? String(attempt);
      if (seen.has(own)) continue;
      seen.add(own);
      list.push(item);
    }
    return list;
  }

  #object({ schema, forbidden }: ResolvedSchema, keys: readonly string[]): JsonObject {
    const object: JsonObject = {};
    const properties = schema.properties ?? {};
    const required = new Set([...(schema.required ?? []), ...keys]);
    const chosen = new Set([...required, ...this.#optionalNames(schema, required, forbidden)]);
    if (schema['x-kubernetes-embedded-resource'] === true)
      Object.assign(object, embeddedMeta(this.dice, properties));
    for (const name of chosen) {
      if (Object.hasOwn(object, name)) continue;
      const property = Object.hasOwn(properties, name) ? properties[name]! : additionalOf(schema);
      setMember(object, name, property === undefined ? anyValue(this.dice) : this.value(property));
    }
    this.#addOpenFields(object, schema);
    return object;
  }

  #optionalNames(
    { properties = {}, minProperties = 0, maxProperties }: JSONSchemaProps,
    required: Set<string>,
    forbidden: ReadonlySet<string>,
  ): string[] {
    const optional = Object.keys(properties).filter((name) => !required.has(name) && !forbidden.has(name));
    const least = Math.max(0, Number(minProperties) - required.size);
    const most = Math.min(optional.length, Number(maxProperties ?? Number.POSITIVE_INFINITY) - required.size);
    const wanted = this.budget > 0 ? this.dice.int(0, Math.max(2, Math.ceil(this.budget / 2))) : 0;
    const count = Math.min(Math.max(least, wanted), most);
    this.budget -= Math.max(0, count - least);
    return this.dice.shuffled(optional).slice(0, count);
  }

  /** Members of a map, and fields that a schema preserves without knowing them. */
  #addOpenFields(object: JsonObject, schema: JSONSchemaProps): void {
    const { additionalProperties, minProperties = 0, maxProperties } = schema;
    const isOpen = additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
    const values = additionalOf(schema);
    if (values === undefined && !isOpen) return;
    const size = (): number => Object.keys(object).length;
    const most = Math.min(Number(maxProperties ?? Number.POSITIVE_INFINITY), size() + LONGEST_BY_CHOICE);
    const isFewAllowed = values === undefined && schema.properties !== undefined;
    const wanted =
      this.budget > 0 && !(isFewAllowed && this.dice.chance(70)) ? this.dice.int(size(), most) : size();
    const least = Math.max(wanted, Number(minProperties));
    for (let attempt = 0; size() < least && attempt < least * 4; attempt++, this.budget--) {
      const key = anyKey(this.dice);
      if (Object.hasOwn(object, key) || Object.hasOwn(schema.properties ?? {}, key)) continue;
      setMember(object, key, values === undefined ? anyOpenValue(this.dice) : this.value(values));
    }
  }
}

const anyOpenValue = (dice: Dice): JsonValue => (dice.chance(50) ? anyObject(dice) : anyValue(dice));

const additionalOf = ({ additionalProperties }: JSONSchemaProps): JSONSchemaProps | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined;

/** What must not occur twice in a list. */
function identityFor(
  schema: JSONSchemaProps,
  keys: readonly string[],
): ((item: JsonValue) => string) | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return (item) => encodeJson(item);
  if (keys.length === 0) return undefined;
  return (item) =>
    encodeJson(keys.map((key) => (isJsonObject(item) && Object.hasOwn(item, key) ? item[key]! : null)));
}
