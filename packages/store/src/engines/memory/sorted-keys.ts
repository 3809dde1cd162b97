// A set of keys in key order, as a list of short sorted arrays: inserting moves at most one of them. It knows
// nothing of values or revisions.
import { compareUtf8 } from '@instar/go';
import { needsByteOrder } from '../../key-order.ts';

const CHUNK = 512;

export class SortedKeys {
  #chunks: string[][] = [];
  // Plain comparison is native and correct for almost all real keys; the first key that needs more switches
  // it off.
  #plain = true;

  add(key: string): void {
    this.#notice(key);
    if (this.#chunks.length === 0) this.#chunks.push([key]);
    const at = Math.min(this.#chunkOf(key), this.#chunks.length - 1);
    const chunk = this.#chunks[at]!;
    const index = this.#indexIn(chunk, key);
    if (chunk[index] === key) return;
    chunk.splice(index, 0, key);
    if (chunk.length > CHUNK) this.#chunks.splice(at, 1, chunk.slice(0, CHUNK / 2), chunk.slice(CHUNK / 2));
  }

  remove(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const index = this.#indexIn(chunk, key);
    if (chunk[index] !== key) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** The keys from `start` on (inclusive), in order. The set must not change while they are read. */
  *from(start: string): Generator<string> {
    this.#notice(start);
    const first = this.#chunkOf(start);
    for (let at = first; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!;
      for (let index = at === first ? this.#indexIn(chunk, start) : 0; index < chunk.length; index++)
        yield chunk[index]!;
    }
  }

  #notice(key: string): void {
    if (this.#plain && needsByteOrder(key)) this.#plain = false;
  }

  #before(a: string, b: string): boolean {
    return this.#plain ? a < b : compareUtf8(a, b) < 0;
  }

  /** The first chunk whose last key is not before `key`. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#before(this.#chunks[middle]!.at(-1)!, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #indexIn(chunk: readonly string[], key: string): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#before(chunk[middle]!, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
