// What sparse.ts has read: as a value, in which opaque values are numbered slots; and as an outline to
// compare others with.

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
  OPAQUE_MEMBERS,
  OPAQUE_VALUE,
  type Projection,
  type SparseReader,
  WHOLE_VALUE,
} from './sparse.ts';

/** A value that stayed bytes, by the number of its slot. */
export class OpaqueValue {
  readonly slot: number;

  constructor(slot: number) {
    this.slot = slot;
  }
}

/**
 * Consecutive members with their names. They are represented as one member whose name begins with a quote, as
 * no other name does.
 */
export class OpaqueMembers extends OpaqueValue {}

/**
 * The value that was read with this projection. Operations may move its opaque values, but must not look into
 * them.
 */
export function sparseValue(reader: SparseReader, projection: Projection): JsonValue {
  return new Values(reader).value(projection);
}

class Values {
  readonly #reader: SparseReader;
  #at = 0;
  #slot = 0;

  constructor(reader: SparseReader) {
    this.#reader = reader;
  }

  value(projection: Projection): JsonValue {
    switch (this.#next()) {
      case OBJECT:
        return this.#object(projection);
      case MAP:
        return this.#map(projection.values!);
      case LIST:
        return this.#list(projection.items!);
      case NULL:
        return null;
      case WHOLE_VALUE:
        return JSON.parse(this.#text()) as JsonValue;
      default:
        return new OpaqueValue(this.#slot++) as unknown as JsonValue;
    }
  }

  #object({ names }: Projection): JsonObject {
    const object: JsonObject = {};
    for (let code = this.#next(); code !== END; code = this.#next()) {
      if (code === OPAQUE_MEMBERS)
        object[`"${this.#slot}`] = new OpaqueMembers(this.#slot++) as unknown as JsonValue;
      else object[names!.names[code - NAMED]!] = this.value(names!.projections[code - NAMED]!);
    }
    return object;
  }

  #map(projection: Projection): JsonObject {
    const map: JsonObject = {};
    while (this.#next() === KEY) setMember(map, this.#text(), this.value(projection));
    return map;
  }

  #list(projection: Projection): JsonValue[] {
    const list: JsonValue[] = [];
    for (; this.#reader.outline[this.#at] !== END; ) list.push(this.value(projection));
    this.#at++;
    return list;
  }

  #next(): number {
    return this.#reader.outline[this.#at++]!;
  }

  #text(): string {
    return decodeUtf8(bytesOfSlot(this.#reader, this.#slot++));
  }
}

const bytesOfSlot = ({ bytes, ranges }: SparseReader, slot: number): Uint8Array =>
  bytes.subarray(ranges[2 * slot], ranges[2 * slot + 1]);

/** The outline of a value that was read, to see whether another is the same except for its opaque values. */
export class Outline {
  readonly #codes: Int32Array;
  /** The bytes of what was inspected, by slot; undefined for opaque values. */
  readonly #seen: readonly (Uint8Array | undefined)[];

  constructor(reader: SparseReader) {
    this.#codes = reader.outline.slice(0, reader.outlineLength);
    const slotted = this.#codes.filter((code) => code >= KEY && code < NAMED);
    // Copied, which `slice` of a Buffer would not do: the memory of the reader may be reused.
    this.#seen = Array.from(slotted, (code, slot) =>
      code < OPAQUE_VALUE ? new Uint8Array(bytesOfSlot(reader, slot)) : undefined,
    );
  }

  matches({ bytes, outline, outlineLength, ranges }: SparseReader): boolean {
    const codes = this.#codes;
    const seen = this.#seen;
    if (outlineLength !== codes.length) return false;
    for (let i = 0; i < codes.length; i++) if (outline[i] !== codes[i]) return false;
    for (let i = 0; i < seen.length; i++) {
      const expected = seen[i];
      if (expected !== undefined && !isAt(bytes, ranges[2 * i]!, ranges[2 * i + 1]!, expected)) return false;
    }
    return true;
  }

  /** Approximate memory use. */
  get bytes(): number {
    return this.#seen.reduce((sum, seen) => sum + (seen?.length ?? 0), this.#codes.byteLength);
  }
}
