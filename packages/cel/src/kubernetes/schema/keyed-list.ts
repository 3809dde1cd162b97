/**
 * A list of type `map`: objects identified by key fields. Equal in any order; a sum replaces elements with
 * the same key in place.
 */

import { HostList } from '../../values/host-list.ts';
import type { HostReader } from '../../values/types.ts';
import { CelList, equalValues, HostObject, type Value } from '../../values.ts';
import { escapeName } from '../escaping.ts';
import { scalarKey } from './scalar-key.ts';

const asValue = (raw: unknown): Value => raw as Value;

export class KeyedList extends HostList {
  private readonly keyProperties: readonly string[];
  private byKey: ReadonlyMap<string, Value> | undefined;

  constructor(raw: readonly unknown[], read: HostReader, keyProperties: readonly string[]) {
    super(raw, read);
    this.keyProperties = keyProperties;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof CelList) || other.size !== this.size) return false;
    const mine = this.elementsByKey();
    const seen = new Set<string>();
    for (const element of other) {
      const key = this.keyOf(element);
      const own = mine.get(key);
      if (own === undefined || !equalValues(own, element)) return false;
      seen.add(key);
    }
    return seen.size === mine.size;
  }

  override concat(other: CelList): CelList {
    const merged: Value[] = [...this];
    const places = new Map(merged.map((element, index) => [this.keyOf(element), index]));
    for (const element of other) {
      const place = places.get(this.keyOf(element));
      if (place === undefined) merged.push(element);
      else merged[place] = element;
    }
    return new KeyedList(merged, asValue, this.keyProperties);
  }

  private elementsByKey(): ReadonlyMap<string, Value> {
    this.byKey ??= new Map([...this].map((element) => [this.keyOf(element), element]));
    return this.byKey;
  }

  private keyOf(element: Value): string {
    return this.keyProperties.map((property) => lengthPrefixed(keyPart(element, property))).join('');
  }
}

/** Joined without a separator that a value could contain. */
function lengthPrefixed(text: string): string {
  return `${text.length}:${text}`;
}

/**
 * Upstream looks up the escaped name in the JSON, so that a key property such as `namespace` distinguishes
 * nothing.
 */
function keyPart(element: Value, property: string): string {
  const name = escapeName(property) ?? property;
  const raw = element instanceof HostObject ? (element.raw as Record<string, unknown>) : {};
  return Object.hasOwn(raw, name) ? (scalarKey(raw[name] as Value) ?? '') : '';
}
