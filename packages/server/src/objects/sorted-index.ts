// The objects of one resource in the store's key order, so that a list, a namespace or a page is a slice.
import { compareUtf8 } from '@instar/go';
import { needsByteOrder } from '@instar/store';
import type { CachedObject } from './cached-object.ts';

/**
 * Keys move when one is put between them: few enough for that to cost nothing, many enough for few blocks.
 */
const LONGEST_BLOCK = 512;

export class SortedIndex {
  readonly #byKey = new Map<string, CachedObject>();
  /**
   * All keys in order, in blocks of which none is empty: one list of them all would make each new key dearer
   * than the one before.
   */
  readonly #blocks: string[][] = [];
  /**
   * Plain comparison is native and orders almost all keys as the store does; the first key that needs more
   * switches it off.
   */
  #plain = true;

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#byKey.get(key);
  }

  /** Fills the index with entries that come in key order, after all that are in it. */
  load(objects: Iterable<CachedObject>): void {
    for (const object of objects) {
      this.#notice(object.key);
      this.#byKey.set(object.key, object);
      const last = this.#blocks.at(-1);
      if (last === undefined || last.length === LONGEST_BLOCK) this.#blocks.push([object.key]);
      else last.push(object.key);
    }
  }

  set(object: CachedObject): void {
    if (!this.#byKey.has(object.key)) {
      this.#notice(object.key);
      this.#insert(object.key);
    }
    this.#byKey.set(object.key, object);
  }

  delete(key: string): void {
    if (!this.#byKey.delete(key)) return;
    const at = this.#blockOf(key);
    const block = this.#blocks[at]!;
    if (block.length === 1) this.#blocks.splice(at, 1);
    else block.splice(this.#firstNotBefore(block, key), 1);
  }

  /** The objects whose key starts with `prefix` and comes after `after`, in order. */
  slice(prefix: string, after = ''): CachedObject[] {
    const found: CachedObject[] = [];
    const from = this.#isBefore(prefix, after) ? after : prefix;
    for (let at = this.#blockOf(from); at < this.#blocks.length; at++) {
      const block = this.#blocks[at]!;
      for (let i = this.#firstNotBefore(block, from); i < block.length; i++) {
        const key = block[i]!;
        if (key === after) continue;
        if (!key.startsWith(prefix)) return found;
        found.push(this.#byKey.get(key)!);
      }
    }
    return found;
  }

  values(): IterableIterator<CachedObject> {
    return this.#byKey.values();
  }

  #insert(key: string): void {
    const at = this.#blockOf(key);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([key]);
      return;
    }
    block.splice(this.#firstNotBefore(block, key), 0, key);
    if (block.length > LONGEST_BLOCK) this.#blocks.splice(at + 1, 0, block.splice(block.length >> 1));
  }

  #notice(key: string): void {
    if (this.#plain && needsByteOrder(key)) this.#plain = false;
  }

  #isBefore(a: string, b: string): boolean {
    return this.#plain ? a < b : compareUtf8(a, b) < 0;
  }

  /** The last block that begins with the key or before it; the first if there is none. */
  #blockOf(key: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(key, this.#blocks[middle]![0]!)) high = middle;
      else low = middle + 1;
    }
    return Math.max(0, low - 1);
  }

  #firstNotBefore(keys: readonly string[], key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(keys[middle]!, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
