// Bounds the memory that converted forms take, over all resources: beyond the limit the oldest are dropped,
// and made again when they are requested.
import type { CachedObject } from '../cached-object.ts';

/** Finds the newest state of an object: the cache of a resource. */
export interface ObjectLookup {
  get(key: string): CachedObject | undefined;
}

/**
 * A form, found by the key of its object: a weak reference per form would cost more than everything else that
 * is done to cache it.
 */
interface Entry {
  /** Weak: the resource may have been removed. */
  readonly objects: WeakRef<ObjectLookup>;
  readonly key: string;
  readonly revision: number;
  readonly apiVersion: string;
  readonly generation: object;
  readonly bytes: number;
}

export class FormBudget {
  readonly #maxBytes: number;
  #entries: Entry[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(
    objects: WeakRef<ObjectLookup>,
    { key, revision }: CachedObject,
    apiVersion: string,
    generation: object,
    bytes: number,
  ): void {
    this.#entries.push({ objects, key, revision, apiVersion, generation, bytes });
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    this.#sweep();
    this.#dropOldest();
  }

  /** Removes the entries of objects that were replaced or deleted: their forms are collected with them. */
  #sweep(): void {
    this.#entries = this.#entries.filter(
      (entry) => objectOf(entry)?.form(entry.apiVersion, entry.generation) !== undefined,
    );
    this.#bytes = this.#entries.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Drops more than necessary, so that the next form does not trigger another sweep. */
  #dropOldest(): void {
    const goal = this.#maxBytes * 0.9;
    let count = 0;
    for (; count < this.#entries.length && this.#bytes > goal; count++) {
      const entry = this.#entries[count]!;
      objectOf(entry)?.dropForm(entry.apiVersion, entry.generation);
      this.#bytes -= entry.bytes;
    }
    this.#entries = this.#entries.slice(count);
  }
}

function objectOf({ objects, key, revision }: Entry): CachedObject | undefined {
  const object = objects.deref()?.get(key);
  return object?.revision === revision ? object : undefined;
}
