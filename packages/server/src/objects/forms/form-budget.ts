// Bounds the memory that converted forms of objects take, over all resources: when there is too much of them
// the oldest go, and are made anew if somebody asks.
import type { CachedObject } from '../cached-object.ts';

/** Where the newest state of each object is: the cache of a resource. */
export interface Objects {
  get(key: string): CachedObject | undefined;
}

/**
 * A form, found by the key of its object: a weak reference to each would cost more than all else that is done
 * to keep it.
 */
interface Entry {
  /** Weak: the resource may be gone. */
  readonly objects: WeakRef<Objects>;
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
    objects: WeakRef<Objects>,
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

  /**
   * Objects that were replaced or deleted took their forms with them, or will when nobody looks at them any
   * more.
   */
  #sweep(): void {
    this.#entries = this.#entries.filter(
      (entry) => objectOf(entry)?.form(entry.apiVersion, entry.generation) !== undefined,
    );
    this.#bytes = this.#entries.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** More than is needed at once, so that neither is needed again with the next form. */
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
