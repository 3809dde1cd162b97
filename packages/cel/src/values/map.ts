// Maps. Keys are bool, int, uint or string; equal numeric keys of different types are the same key.
import { work } from '../meter.ts';
import { Comparable, mapOfValue } from './comparable.ts';
import { equalValues } from './equality.ts';
import { Double, Uint } from './numbers.ts';
import type { Value } from './value.ts';

/** A map of CEL. */
export abstract class CelMap extends Comparable {
  abstract readonly size: number;
  /** The value of the key, or undefined if there is none or the key has an invalid type. */
  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;

  has(key: Value): boolean {
    return this.get(key) !== undefined;
  }

  override asMap(): CelMap {
    return this;
  }

  equals(other: Value): boolean {
    if (this === other) return true;
    const map = mapOfValue(other);
    if (map === undefined || this.size !== map.size) return false;
    for (const key of this.keys()) {
      work(1);
      const theirs = map.get(key);
      if (theirs === undefined || !equalValues(this.get(key)!, theirs)) return false;
    }
    return true;
  }
}

export type PrimitiveKey = string | boolean | number | bigint;

/** One primitive for all equal keys, or undefined for values that cannot be keys. */
export function primitiveKey(key: Value): PrimitiveKey | undefined {
  switch (typeof key) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return key;
    default:
      if (key instanceof Uint) return key.value;
      if (key instanceof Double && Number.isInteger(key.value))
        return Number.isSafeInteger(key.value) ? key.value + 0 : BigInt(key.value);
      return undefined;
  }
}

/** A map that an expression built: entries by primitive key, with the original keys. */
export class EntryMap extends CelMap {
  readonly entries: ReadonlyMap<PrimitiveKey, readonly [key: Value, value: Value]>;

  constructor(entries: ReadonlyMap<PrimitiveKey, readonly [Value, Value]>) {
    super();
    this.entries = entries;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: Value): Value | undefined {
    const primitive = primitiveKey(key);
    return primitive === undefined ? undefined : this.entries.get(primitive)?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.entries.values()) yield key;
  }
}

/** A map from pairs; a later pair with an equal key wins. Pairs with an invalid key are omitted. */
export function mapOf(pairs: Iterable<readonly [Value, Value]>): CelMap {
  const entries = new Map<PrimitiveKey, readonly [Value, Value]>();
  for (const pair of pairs) {
    const key = primitiveKey(pair[0]);
    if (key !== undefined) entries.set(key, pair);
  }
  return new EntryMap(entries);
}
