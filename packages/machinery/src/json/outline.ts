// What sparse.ts has read: as values, in which what nobody looks into is the number of a place; and as an
// outline to hold others against.

import { decodeUtf8 } from '@instar/go';
import { setMember } from '../deep-copy.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { isAt } from './shape.ts';
import {
  END,
  KEY,
  LIST,
  MAP,
  NAMED,
  NULL,
  OBJECT,
  type Sight,
  type SparseReader,
  UNSEEN_MEMBERS,
  UNSEEN_VALUE,
  WHOLE_VALUE,
} from './sparse.ts';

/** A value that stayed bytes, by the number of its place. */
export class Opaque {
  readonly place: number;

  constructor(place: number) {
    this.place = place;
  }
}

/**
 * Several members one behind the other, names and all. They are one member whose name begins with a quote, as
 * no name does that is read.
 */
export class OpaqueMembers extends Opaque {}

/**
 * The value that was read with this sight. What works on it takes what is Opaque for JSON and may move it,
 * but not look into it.
 */
export function sparseValue(reader: SparseReader, sight: Sight): JsonValue {
  return new Values(reader).value(sight);
}

class Values {
  readonly #reader: SparseReader;
  #at = 0;
  #place = 0;

  constructor(reader: SparseReader) {
    this.#reader = reader;
  }

  value(sight: Sight): JsonValue {
    switch (this.#next()) {
      case OBJECT:
        return this.#object(sight);
      case MAP:
        return this.#map(sight.values!);
      case LIST:
        return this.#list(sight.items!);
      case NULL:
        return null;
      case WHOLE_VALUE:
        return JSON.parse(this.#text()) as JsonValue;
      default:
        return new Opaque(this.#place++) as unknown as JsonValue;
    }
  }

  #object({ names }: Sight): JsonObject {
    const object: JsonObject = {};
    for (let code = this.#next(); code !== END; code = this.#next()) {
      if (code === UNSEEN_MEMBERS)
        object[`"${this.#place}`] = new OpaqueMembers(this.#place++) as unknown as JsonValue;
      else object[names!.names[code - NAMED]!] = this.value(names!.sights[code - NAMED]!);
    }
    return object;
  }

  #map(sight: Sight): JsonObject {
    const map: JsonObject = {};
    while (this.#next() === KEY) setMember(map, this.#text(), this.value(sight));
    return map;
  }

  #list(sight: Sight): JsonValue[] {
    const list: JsonValue[] = [];
    for (; this.#reader.outline[this.#at] !== END; ) list.push(this.value(sight));
    this.#at++;
    return list;
  }

  #next(): number {
    return this.#reader.outline[this.#at++]!;
  }

  #text(): string {
    return decodeUtf8(placeOf(this.#reader, this.#place++));
  }
}

const placeOf = ({ bytes, places }: SparseReader, place: number): Uint8Array =>
  bytes.subarray(places[2 * place], places[2 * place + 1]);

/** Kept of a value that was read: whether another one is the same for whoever looked. */
export class Outline {
  readonly #codes: Int32Array;
  /** What was looked at, by places; the others are undefined. */
  readonly #seen: readonly (Uint8Array | undefined)[];

  constructor(reader: SparseReader) {
    this.#codes = reader.outline.slice(0, reader.outlineLength);
    const placed = this.#codes.filter((code) => code >= KEY && code < NAMED);
    // Copied, which `slice` of a Buffer would not do: whoever reads may use the memory again.
    this.#seen = Array.from(placed, (code, place) =>
      code < UNSEEN_VALUE ? new Uint8Array(placeOf(reader, place)) : undefined,
    );
  }

  isThatOf({ bytes, outline, outlineLength, places }: SparseReader): boolean {
    const codes = this.#codes;
    const seen = this.#seen;
    if (outlineLength !== codes.length) return false;
    for (let i = 0; i < codes.length; i++) if (outline[i] !== codes[i]) return false;
    for (let i = 0; i < seen.length; i++) {
      const expected = seen[i];
      if (expected !== undefined && !isAt(bytes, places[2 * i]!, places[2 * i + 1]!, expected)) return false;
    }
    return true;
  }

  /** How much memory it takes, about. */
  get bytes(): number {
    return this.#seen.reduce((sum, seen) => sum + (seen?.length ?? 0), this.#codes.byteLength);
  }
}
