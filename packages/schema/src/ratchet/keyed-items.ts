// Indexes the items of a list of type map by key.
import { encodeJson, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

export class KeyedItems {
  readonly #names: readonly string[];
  readonly #items = new Map<string, JsonObject>();

  constructor(list: readonly JsonValue[], names: readonly string[]) {
    this.#names = names;
    for (const item of list) {
      const key = this.#keyOf(item);
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item as JsonObject);
    }
  }

  /** The first item with the key of the given one; undefined if that lacks a part of its key. */
  like(item: JsonValue): JsonObject | undefined {
    const key = this.#keyOf(item);
    return key === undefined ? undefined : this.#items.get(key);
  }

  #keyOf(item: JsonValue): string | undefined {
    if (!isJsonObject(item) || this.#names.length === 0) return undefined;
    let key = '';
    for (const name of this.#names) {
      const part = Object.hasOwn(item, name) ? item[name] : undefined;
      if (part === undefined || typeof part === 'object') return undefined;
      key += `${encodeJson(part)}\u0000`;
    }
    return key;
  }
}
