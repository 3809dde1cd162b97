// Writes JSON that is mostly a copy of other JSON: a value of outline.ts, in which slots represent what
// stayed bytes. The recipe is computed once for all values with the same outline.

import { encodeUtf8 } from '@instar/go';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { encodeJson } from './encode.ts';
import { OpaqueMembers, OpaqueValue } from './outline.ts';

/** The result is expected to be at most this much longer than its source. */
const EXTRA_BYTES = 4096;

/** A value as texts with slots between them. */
export class Recipe {
  readonly texts: readonly Uint8Array[];
  /** One fewer than texts. */
  readonly slots: readonly number[];

  constructor(value: JsonValue) {
    const parts = new Parts();
    parts.add(value);
    this.texts = parts.texts.map(encodeUtf8);
    this.slots = parts.slots;
  }
}

class Parts {
  readonly texts = [''];
  readonly slots: number[] = [];

  add(value: JsonValue): void {
    if (typeof value !== 'object' || value === null) this.#addText(encodeJson(value));
    else if (value instanceof OpaqueValue) this.#addRange(value);
    else if (Array.isArray(value)) this.#addList(value);
    else this.#addObject(value);
  }

  #addList(list: readonly JsonValue[]): void {
    this.#addText('[');
    for (const [index, item] of list.entries()) {
      if (index > 0) this.#addText(',');
      this.add(item);
    }
    this.#addText(']');
  }

  #addObject(object: JsonObject): void {
    this.#addText('{');
    for (const [index, [name, value]] of Object.entries(object).entries()) {
      if (index > 0) this.#addText(',');
      if (!((value as unknown) instanceof OpaqueMembers)) this.#addText(`${JSON.stringify(name)}:`);
      this.add(value);
    }
    this.#addText('}');
  }

  #addText(text: string): void {
    this.texts[this.texts.length - 1] += text;
  }

  #addRange({ slot }: OpaqueValue): void {
    this.slots.push(slot);
    this.texts.push('');
  }
}

/** Returns uninitialized memory of at least so many bytes. */
export type TakeMemory = (bytes: number) => Uint8Array;

/** Writes JSON that is mostly a copy of other JSON. */
export class Splicer {
  readonly #source: Uint8Array;
  readonly #take: TakeMemory;
  #target: Uint8Array = new Uint8Array();
  #at = 0;
  /** The range of the source that comes next and has not been copied yet. */
  #from = 0;
  #to = 0;

  constructor(source: Uint8Array, take: TakeMemory = (bytes) => new Uint8Array(bytes)) {
    this.#take = take;
    // A plain Uint8Array: subarrays of a Buffer cost several times as much.
    this.#source = new Uint8Array(source.buffer, source.byteOffset, source.length);
  }

  /** All that was written. Later writes do not change it. */
  bytes(): Uint8Array {
    this.#flush();
    return this.#target.subarray(0, this.#at);
  }

  /** `ranges`: the start and end of each slot in the source. */
  splice({ texts, slots }: Recipe, ranges: Int32Array): void {
    this.text(texts[0]!);
    for (let i = 0; i < slots.length; i++) {
      const start = slots[i]! * 2;
      this.#copy(ranges[start]!, ranges[start + 1]!);
      this.text(texts[i + 1]!);
    }
  }

  /** Copied together with what comes before it, if the source continues with the same text. */
  text(text: Uint8Array): void {
    const source = this.#source;
    const to = this.#to;
    let same = 0;
    while (same < text.length && source[to + same] === text[same]) same++;
    if (same === text.length) this.#to = to + same;
    else {
      this.#flush();
      this.#write(text);
    }
  }

  #copy(start: number, end: number): void {
    if (start !== this.#to) {
      this.#flush();
      this.#from = start;
    }
    this.#to = end;
  }

  #flush(): void {
    if (this.#from === this.#to) return;
    this.#write(this.#source.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }

  #write(bytes: Uint8Array): void {
    if (this.#at + bytes.length > this.#target.length) this.#grow(bytes.length);
    this.#target.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #grow(length: number): void {
    const expected = this.#source.length + (this.#source.length >> 4) + EXTRA_BYTES;
    const larger = this.#take(Math.max(expected, (this.#at + length) * 2));
    larger.set(this.#target.subarray(0, this.#at));
    this.#target = larger;
  }
}
