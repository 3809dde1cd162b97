// Correlates new values with old ones in an update, and compares them. Fields are correlated by name, items
// of a keyed list by key; items of other lists are not correlated, so that such a list is one value. Results
// are memoized: an object is compared once.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { deepEqual, isJsonObject } from '@instar/machinery';
import type { SchemaNode } from '../tree/schema-node.ts';
import { KeyedItems } from './keyed-items.ts';

export class Correlation {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly #node: SchemaNode;
  #equal: boolean | undefined;
  #children: Map<string | number, Correlation> | undefined;
  #keyed: KeyedItems | undefined;

  constructor(value: JsonValue, old: JsonValue, node: SchemaNode) {
    this.value = value;
    this.old = old;
    this.#node = node;
  }

  /** The field of that name, unless it was added or removed or has no schema. */
  field(name: string): Correlation | undefined {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    const { value, old } = this;
    if (
      !isJsonObject(value) ||
      !isJsonObject(old) ||
      !Object.hasOwn(value, name) ||
      !Object.hasOwn(old, name)
    )
      return undefined;
    const node = this.#node.field(name);
    return node === undefined ? undefined : this.#keep(name, new Correlation(value[name]!, old[name]!, node));
  }

  /** The item at an index of the new list, if there was one with its key. */
  item(index: number): Correlation | undefined {
    const known = this.#children?.get(index);
    if (known !== undefined) return known;
    const { value, old } = this;
    if (
      !Array.isArray(value) ||
      !Array.isArray(old) ||
      index >= value.length ||
      this.#node.listType !== 'map'
    )
      return undefined;
    this.#keyed ??= new KeyedItems(old, this.#node.listMapKeys);
    const before = this.#keyed.like(value[index]!);
    const node = this.#node.items;
    return before === undefined || node === undefined
      ? undefined
      : this.#keep(index, new Correlation(value[index]!, before, node));
  }

  /** Whether the value is unchanged, apart from the order of keyed lists. */
  isUnchanged(): boolean {
    return (this.#equal ??= this.#compare());
  }

  #compare(): boolean {
    const { value, old } = this;
    if (value === old) return true;
    if (Array.isArray(value)) return Array.isArray(old) && this.#sameItems(value, old);
    if (isJsonObject(value)) return isJsonObject(old) && this.#sameFields(value, old);
    return false;
  }

  #sameItems(value: JsonValue[], old: JsonValue[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#node.listType !== 'map' || value.length === 0) return deepEqual(value, old);
    return value.every((_, index) => this.item(index)?.isUnchanged() === true);
  }

  #sameFields(value: JsonObject, old: JsonObject): boolean {
    const names = Object.keys(value);
    return (
      names.length === Object.keys(old).length &&
      names.every((name) => this.field(name)?.isUnchanged() === true)
    );
  }

  #keep(step: string | number, child: Correlation): Correlation {
    this.#children ??= new Map();
    this.#children.set(step, child);
    return child;
  }
}
