// The objects of one resource in the store's key order, so that a list, a namespace or a page is a slice.
import { compareUtf8 } from '@instar/go';
import { needsByteOrder } from '@instar/store';
import type { CachedObject } from './cached-object.ts';

/** Inserting a key moves those after it: few enough for that to be cheap, many enough for few blocks. */
const MAX_BLOCK_KEYS = 512;

export class SortedIndex {
  readonly #byKey = new Map<string, CachedObject>();
  /**
   * All keys in order, in blocks that are never empty: with a single list, inserts would become slower with
   * every key.
   */
  readonly #blocks: string[][] = [];
  /**
   * Native string comparison orders almost all keys as the store does; the first key for which it does not
   * switches it off.
   */
  #hasPlainOrder = true;

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#byKey.get(key);
  }

  /** Appends objects that are in key order and after all that are in the index. */
  load(objects: Iterable<CachedObject>): void {
    for (const object of objects) {
      this.#checkOrder(object.key);
      this.#byKey.set(object.key, object);
      const last = this.#blocks.at(-1);
      if (last === undefined || last.length === MAX_BLOCK_KEYS) this.#blocks.push([object.key]);
      else last.push(object.key);
    }
  }

  set(object: CachedObject): void {
    if (!this.#byKey.has(object.key)) {
      this.#checkOrder(object.key);
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
    if (block.length > MAX_BLOCK_KEYS) this.#blocks.splice(at + 1, 0, block.splice(block.length >> 1));
  }

  #checkOrder(key: string): void {
    if (this.#hasPlainOrder && needsByteOrder(key)) this.#hasPlainOrder = false;
  }

  #isBefore(a: string, b: string): boolean {
    return this.#hasPlainOrder ? a < b : compareUtf8(a, b) < 0;
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
