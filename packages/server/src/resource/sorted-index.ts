// The objects of one resource in the store's key order, so that a list, a namespace or a page is a slice.
import { compareKeys, needsByteOrder } from '@instar/store';
import type { CachedObject } from './cached-object.ts';

export class SortedIndex {
  readonly #byKey = new Map<string, CachedObject>();
  #keys: string[] = [];
  /** Plain comparison is native and orders almost all keys as the store does; the first key that needs more switches it off. */
  #plain = true;

  get size(): number {
    return this.#keys.length;
  }

  get(key: string): CachedObject | undefined {
    return this.#byKey.get(key);
  }

  /** Fills an empty index with entries that come in key order. */
  load(objects: Iterable<CachedObject>): void {
    for (const object of objects) {
      this.#notice(object.key);
      this.#byKey.set(object.key, object);
      this.#keys.push(object.key);
    }
  }

  set(object: CachedObject): void {
    if (!this.#byKey.has(object.key)) {
      this.#notice(object.key);
      this.#keys.splice(this.#firstNotBefore(object.key), 0, object.key);
    }
    this.#byKey.set(object.key, object);
  }

  delete(key: string): void {
    if (this.#byKey.delete(key)) this.#keys.splice(this.#firstNotBefore(key), 1);
  }

  /** The objects whose key starts with `prefix` and comes after `after`, in order. */
  slice(prefix: string, after = ''): CachedObject[] {
    const found: CachedObject[] = [];
    let position = this.#firstNotBefore(this.#isBefore(prefix, after) ? after : prefix);
    if (this.#keys[position] === after) position++;
    for (; position < this.#keys.length; position++) {
      const key = this.#keys[position]!;
      if (!key.startsWith(prefix)) break;
      found.push(this.#byKey.get(key)!);
    }
    return found;
  }

  values(): IterableIterator<CachedObject> {
    return this.#byKey.values();
  }

  #notice(key: string): void {
    if (this.#plain && needsByteOrder(key)) this.#plain = false;
  }

  #isBefore(a: string, b: string): boolean {
    return this.#plain ? a < b : compareKeys(a, b) < 0;
  }

  #firstNotBefore(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(this.#keys[middle]!, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
