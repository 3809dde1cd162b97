/**
 * An object of a schema. A null property counts as absent. Equality compares every property, including those
 * that expressions cannot access, because `self == oldSelf` must consider them.
 */

import { work } from '../../meter.ts';
import { readerOf } from '../../values/host-object.ts';
import type { CelType } from '../../values/types.ts';
import { CelError, CelMap, equalValues, HostObject, type Value } from '../../values.ts';
import { escapeName } from '../escaping.ts';
import { sameJson } from './json-equality.ts';
import { isObject } from './read-container.ts';
import { propertyOf, type SchemaNode } from './schema-node.ts';

export class SchemaObject extends HostObject {
  private readonly schema: SchemaNode;
  declare readonly raw: Readonly<Record<string, unknown>>;

  constructor(type: CelType, raw: Readonly<Record<string, unknown>>, schema: SchemaNode) {
    super(type, raw);
    this.schema = schema;
  }

  get size(): number {
    return Object.keys(this.raw).length;
  }

  override equals(other: Value): boolean {
    if (other instanceof SchemaObject) return this.raw === other.raw || this.equalsObject(other);
    return (
      other instanceof CelMap &&
      other.size === this.size &&
      Object.keys(this.raw).every((key) => this.equalsEntry(key, other.get(key)))
    );
  }

  private equalsObject(other: SchemaObject): boolean {
    const keys = Object.keys(this.raw);
    if (keys.length !== other.size) return false;
    return keys.every((key) => {
      work(1);
      return propertyOf(this.schema, key) === undefined
        ? this.agreesOnUnknown(key, other)
        : this.equalsProperty(key, other);
    });
  }

  /** Upstream compares the keys that both have, and covers a key that only one has by the number of keys. */
  private agreesOnUnknown(key: string, other: SchemaObject): boolean {
    return !Object.hasOwn(other.raw, key) || sameJson(this.raw[key], other.raw[key]);
  }

  private equalsProperty(key: string, other: SchemaObject): boolean {
    const present = isPresent(this.raw, key);
    if (present !== isPresent(other.raw, key)) return false;
    if (!present) return true;
    const name = escapeName(key);
    const field = name === undefined ? undefined : this.type.object!.field(name);
    if (field === undefined) return sameJson(this.raw[key], other.raw[key]);
    const read = field.read ?? readerOf(field.type);
    return equalValues(read(this.raw[key]), read(other.raw[key]));
  }

  private equalsEntry(key: string, value: Value | undefined): boolean {
    const name = escapeName(key);
    return name !== undefined && value !== undefined && equalValues(this.get(name), value);
  }
}

function isPresent(raw: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(raw, key) && raw[key] !== null;
}

export function wrapObject(type: CelType, raw: unknown, schema: SchemaNode): Value {
  return isObject(raw)
    ? new SchemaObject(type, raw, schema)
    : new CelError('invalid data, expected a map for the provided schema with type=object');
}
