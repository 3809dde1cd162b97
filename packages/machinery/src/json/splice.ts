// Writes JSON that is mostly a copy of other JSON: a value of outline.ts, in which places stand for what
// stayed bytes. How it is written is found out once for all values with the same outline.

import { encodeUtf8 } from '@instar/go';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { encodeJson } from './encode.ts';
import { Opaque, OpaqueMembers } from './outline.ts';

/** How much longer than its source the result is expected to be, at most. */
const ROOM = 4096;

/** A value as texts with places between them. */
export class Recipe {
  readonly texts: readonly Uint8Array[];
  /** One fewer than texts. */
  readonly places: readonly number[];

  constructor(value: JsonValue) {
    const parts = new Parts();
    parts.add(value);
    this.texts = parts.texts.map(encodeUtf8);
    this.places = parts.places;
  }
}

class Parts {
  readonly texts = [''];
  readonly places: number[] = [];

  add(value: JsonValue): void {
    if (typeof value !== 'object' || value === null) this.#addText(encodeJson(value));
    else if (value instanceof Opaque) this.#addPlace(value);
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

  #addPlace({ place }: Opaque): void {
    this.places.push(place);
    this.texts.push('');
  }
}

/** Memory of at least so many bytes, with anything in it. */
export type TakeMemory = (bytes: number) => Uint8Array;

export class Splicer {
  readonly #source: Uint8Array;
  readonly #take: TakeMemory;
  #target: Uint8Array = new Uint8Array();
  #at = 0;
  /** What of the source comes next, and has not been copied yet. */
  #from = 0;
  #to = 0;

  constructor(source: Uint8Array, take: TakeMemory = (bytes) => new Uint8Array(bytes)) {
    this.#take = take;
    // Not one of a subclass, whose parts cost several times as much to make.
    this.#source = new Uint8Array(source.buffer, source.byteOffset, source.length);
  }

  /** All that was written. Whatever is written later leaves it as it is. */
  bytes(): Uint8Array {
    this.#flush();
    return this.#target.subarray(0, this.#at);
  }

  /** `places`: where in the source each begins and ends. */
  splice({ texts, places: order }: Recipe, places: Int32Array): void {
    this.text(texts[0]!);
    for (let i = 0; i < order.length; i++) {
      const place = order[i]! * 2;
      this.#copy(places[place]!, places[place + 1]!);
      this.text(texts[i + 1]!);
    }
  }

  /** Copied together with what stands before it, if the source goes on in the same way. */
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
    const expected = this.#source.length + (this.#source.length >> 4) + ROOM;
    const larger = this.#take(Math.max(expected, (this.#at + length) * 2));
    larger.set(this.#target.subarray(0, this.#at));
    this.#target = larger;
  }
}
