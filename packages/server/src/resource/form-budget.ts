// Bounds the memory that converted forms of objects take, over all resources: when there is too much of them the oldest go, and are made
// anew if somebody asks.
import type { CachedObject } from './cached-object.ts';

interface Entry {
  readonly object: WeakRef<CachedObject>;
  readonly apiVersion: string;
  readonly generation: object;
  readonly bytes: number;
}

export class FormBudget {
  readonly #maxBytes: number;
  #entries: Entry[] = [];
  #bytes = 0;
  /** How many entries there were when those of objects long gone were last taken out. */
  #swept = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(object: CachedObject, apiVersion: string, generation: object, bytes: number): void {
    this.#entries.push({ object: new WeakRef(object), apiVersion, generation, bytes });
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    if (this.#entries.length > this.#swept * 2) this.#sweep();
    if (this.#bytes > this.#maxBytes) this.#dropOldest();
  }

  /** Objects that were replaced or deleted took their forms with them. */
  #sweep(): void {
    this.#entries = this.#entries.filter(({ object }) => object.deref() !== undefined);
    this.#bytes = this.#entries.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#swept = this.#entries.length;
  }

  /** More than is needed at once, so that it is not needed again with the next form. */
  #dropOldest(): void {
    const goal = this.#maxBytes * 0.9;
    let count = 0;
    for (; count < this.#entries.length && this.#bytes > goal; count++) {
      const { object, apiVersion, generation, bytes } = this.#entries[count]!;
      object.deref()?.dropForm(apiVersion, generation);
      this.#bytes -= bytes;
    }
    this.#entries = this.#entries.slice(count);
    this.#swept = this.#entries.length;
  }
}
