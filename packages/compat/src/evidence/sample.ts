// Generates values that a schema is likely to accept. Whether they are valid is for the validator to decide.
import { deepCopy, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { conjunctsOf, enumOf, limitOf, patternsOf, requiredOf } from '../walk/node-pair.ts';
import { typeOf } from '../walk/type-of.ts';
import { isSchema } from '../walk/walk-schemas.ts';
import { type Hints, NO_HINTS } from './hints.ts';
import type { Random } from './random.ts';
import { numberFor } from './sample-number.ts';
import { textFor } from './sample-text.ts';

export interface SampleOptions {
  /** From 0, required fields only, to 1, many optional ones. */
  readonly richness: number;
  readonly hints?: Hints;
}

export function sample(schema: JSONSchemaProps, random: Random, options: SampleOptions): JsonValue {
  return new Sampler(random, options.richness, options.hints ?? NO_HINTS).value(schema, 0);
}

const MAX_DEPTH = 12;
const MAX_VALUES = 2000;

class Sampler {
  readonly #random: Random;
  readonly #richness: number;
  readonly #hints: Hints;
  #made = 0;

  constructor(random: Random, richness: number, hints: Hints) {
    this.#random = random;
    this.#richness = richness;
    this.#hints = hints;
  }

  value(schema: JSONSchemaProps, depth: number): JsonValue {
    this.#made++;
    if (schema.default !== undefined && this.#random.chance(0.15)) return schema.default;
    const listed = enumOf(schema);
    if (listed !== undefined && listed.length > 0) return this.#random.pick(listed);
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(this.#withBranch(schema), depth);
      case 'array':
        return this.#array(schema, depth);
      case 'string':
        return textFor(this.#withBranch(schema), this.#random, this.#hints);
      case 'integer':
      case 'number':
        return numberFor(schema, this.#random, this.#hints);
      case 'boolean':
        return this.#random.chance(0.5);
      case 'int-or-string':
        return this.#random.chance(0.5)
          ? this.#random.between(0, 100)
          : patternsOf(schema).length > 0
            ? '1'
            : '50%';
      case 'any':
        return schema['x-kubernetes-embedded-resource'] === true || schema.properties !== undefined
          ? this.#object(schema, depth)
          : {};
    }
  }

  /** The schema with the requirements of one of its alternatives. */
  #withBranch(schema: JSONSchemaProps): JSONSchemaProps {
    const branches = schema.oneOf ?? schema.anyOf ?? [];
    if (branches.length === 0) return schema;
    const branch = this.#random.pick(branches);
    const required = [...requiredOf(schema), ...requiredOf(branch)];
    return { ...schema, ...branch, properties: { ...branch.properties, ...schema.properties }, required };
  }

  #object(schema: JSONSchemaProps, depth: number): JsonObject {
    const object: JsonObject =
      schema['x-kubernetes-embedded-resource'] === true
        ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
        : {};
    const required = requiredOf(schema);
    const names = Object.keys(schema.properties ?? {});
    const share = Math.min(0.5, 5 / Math.max(names.length, 1)) * this.#richness;
    for (const name of names) {
      const isWanted =
        required.has(name) ||
        (depth < MAX_DEPTH &&
          this.#random.chance(this.#hints.names.has(name) ? 0.6 * this.#richness : share));
      if (isWanted) set(object, name, this.value(schema.properties![name]!, depth + 1));
    }
    this.#keys(schema, object, depth);
    return object;
  }

  #keys(schema: JSONSchemaProps, object: JsonObject, depth: number): void {
    const { additionalProperties: values } = schema;
    const min = limitOf(schema, 'minProperties') ?? 0;
    if (!isSchema(values)) return;
    const count = Math.max(
      min,
      Math.min(limitOf(schema, 'maxProperties') ?? 2, this.#random.between(0, this.#richness > 0 ? 2 : 0)),
    );
    for (let i = 0; i < count; i++)
      set(
        object,
        this.#random.pick(['a', 'b', 'key', ...this.#hints.texts]) + (i > 1 ? i : ''),
        this.value(values, depth + 1),
      );
  }

  #array(schema: JSONSchemaProps, depth: number): JsonValue[] {
    // Bounds the size of nested lists.
    if (!isSchema(schema.items) || this.#made > MAX_VALUES) return [];
    const min = limitOf(schema, 'minItems') ?? 0;
    const max = Math.min(limitOf(schema, 'maxItems') ?? 3, min + 3);
    const count =
      depth >= MAX_DEPTH || this.#richness === 0 ? min : this.#random.between(min, Math.max(max, min));
    const items = Array.from({ length: Math.min(count, 40) }, () =>
      this.value(schema.items as JSONSchemaProps, depth + 1),
    );
    // Rules of lists are often about similar items.
    if (items.length > 1 && this.#random.chance(0.3))
      items[items.length - 1] = similarTo(items[0]!, items.at(-1)!, this.#random);
    return schema['x-kubernetes-list-type'] === 'set' ||
      conjunctsOf(schema).some(({ uniqueItems }) => uniqueItems === true)
      ? unique(items)
      : items;
  }
}

/** A copy of the one, or a mix of both. */
function similarTo(one: JsonValue, other: JsonValue, random: Random): JsonValue {
  if (!isJsonObject(one) || !isJsonObject(other) || random.chance(0.5)) return deepCopy(one);
  return Object.fromEntries(
    Object.entries({ ...other, ...deepCopy(one) }).map(([key, value]) => [
      key,
      random.chance(0.5) ? (other[key] ?? value) : value,
    ]),
  );
}

function unique(items: readonly JsonValue[]): JsonValue[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function set(object: JsonObject, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value;
}
