// Reads JSON only as far as a projection looks into it. The rest is stepped over and stays bytes. The result
// is an outline, codes for what was found in which order, and the ranges of all that stayed bytes. Two values
// with the same outline differ only in opaque values, so that an operation on one can be repeated on the
// other without parsing: outline.ts turns it into values, splice.ts writes them. Refuses what step-over.ts
// refuses. The bytes must be UTF-8.

import { encodeUtf8 } from '@instar/go';
import { REFUSED } from './own-tokens.ts';
import { hashOfName, isAt } from './shape.ts';
import { Stepper } from './step-over.ts';

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, N] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x6e];

/**
 * The codes of an outline. Those from KEY to OPAQUE_MEMBERS have a slot each; those from NAMED on are members
 * of an object, by the index of their names.
 */
export const [END, OBJECT, MAP, LIST, NULL, KEY, WHOLE_VALUE, OPAQUE_VALUE, OPAQUE_MEMBERS, NAMED] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;

/**
 * Which parts of a value are read. A value of another type (a list where an object was expected) is read as a
 * whole.
 */
export interface Projection {
  /** Only whether it is null is read. */
  readonly isOpaque: boolean;
  /** Some members of an object, all of them, or the items of a list. */
  readonly names: MemberProjection | undefined;
  readonly values: Projection | undefined;
  readonly items: Projection | undefined;
}

/** Parses a value completely. */
export const WHOLE: Projection = { isOpaque: false, names: undefined, values: undefined, items: undefined };

/** Keeps a value as bytes. */
export const OPAQUE: Projection = { ...WHOLE, isOpaque: true };

/** Members by their names, of which no two may have the same hash. */
export class MemberProjection {
  readonly names: readonly string[];
  readonly projections: readonly Projection[];
  readonly #bytes: readonly Uint8Array[];
  readonly #byHash: ReadonlyMap<number, number>;

  constructor(projections: readonly (readonly [name: string, projection: Projection])[]) {
    this.names = projections.map(([name]) => name);
    this.projections = projections.map(([, projection]) => projection);
    this.#bytes = this.names.map(encodeUtf8);
    this.#byHash = new Map(this.names.map((name, index) => [hashOfName(name), index]));
  }

  /** The index of the name; undefined for other names. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number | undefined {
    const index = this.#byHash.get(hash);
    return index !== undefined && isAt(bytes, start, end, this.#bytes[index]!) ? index : undefined;
  }
}

/** Parses only the parts of JSON bytes that a projection asks for. */
export class SparseReader {
  readonly bytes: Uint8Array;
  readonly #stepper: Stepper;
  /** The position of the next value. */
  at: number;
  /** The outline of the value that was read last. */
  outline = new Int32Array(64);
  outlineLength = 0;
  /** The start and end of each slot. */
  ranges = new Int32Array(64);
  #rangesLength = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.#stepper = new Stepper(bytes);
    this.at = at;
  }

  /** False if the value has to be parsed: then `at` is unchanged. */
  read(projection: Projection): boolean {
    const start = this.at;
    this.#stepper.openKeys = 0;
    this.outlineLength = 0;
    this.#rangesLength = 0;
    if (this.#value(projection)) return true;
    this.at = start;
    return false;
  }

  /** Steps over one byte if it is this one. */
  takes(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  #value(projection: Projection): boolean {
    const start = this.at;
    const first = this.bytes[start];
    if (first === OPEN && projection.names !== undefined) return this.#object(projection.names);
    if (first === OPEN && projection.values !== undefined) return this.#map(projection.values);
    if (first === OPEN_LIST && projection.items !== undefined) return this.#list(projection.items);
    if (!this.#stepsOver()) return false;
    if (first === N) this.#add(NULL);
    else this.#addRange(projection.isOpaque ? OPAQUE_VALUE : WHOLE_VALUE, start, this.at);
    return true;
  }

  #object(names: MemberProjection): boolean {
    const firstKey = this.#stepper.openKeys;
    this.#add(OBJECT);
    this.at++;
    let isOpen = this.bytes[this.at] !== CLOSE;
    /** Where the current run of opaque members began; REFUSED if there is none. */
    let opaqueStart = REFUSED;
    while (isOpen) {
      const start = this.at;
      if (!this.#stepsOverKey(firstKey)) return false;
      const name = names.find(this.bytes, start + 1, this.at - 2, this.#stepper.keyHash);
      if (name === undefined) {
        if (opaqueStart === REFUSED) opaqueStart = start;
        if (!this.#stepsOver()) return false;
      } else {
        if (opaqueStart !== REFUSED) this.#addRange(OPAQUE_MEMBERS, opaqueStart, start - 1);
        opaqueStart = REFUSED;
        this.#add(NAMED + name);
        if (!this.#value(names.projections[name]!)) return false;
      }
      isOpen = this.takes(COMMA);
    }
    if (opaqueStart !== REFUSED) this.#addRange(OPAQUE_MEMBERS, opaqueStart, this.at);
    this.#stepper.openKeys = firstKey;
    this.#add(END);
    return this.takes(CLOSE);
  }

  #map(projection: Projection): boolean {
    const firstKey = this.#stepper.openKeys;
    this.#add(MAP);
    this.at++;
    let isOpen = this.bytes[this.at] !== CLOSE;
    while (isOpen) {
      const start = this.at + 1;
      if (!this.#stepsOverKey(firstKey)) return false;
      this.#addRange(KEY, start, this.at - 2);
      if (!this.#value(projection)) return false;
      isOpen = this.takes(COMMA);
    }
    this.#stepper.openKeys = firstKey;
    this.#add(END);
    return this.takes(CLOSE);
  }

  #list(projection: Projection): boolean {
    this.#add(LIST);
    this.at++;
    let isOpen = this.bytes[this.at] !== CLOSE_LIST;
    while (isOpen) {
      if (!this.#value(projection)) return false;
      isOpen = this.takes(COMMA);
    }
    this.#add(END);
    return this.takes(CLOSE_LIST);
  }

  #stepsOver(): boolean {
    this.at = this.#stepper.value(this.at);
    return this.at !== REFUSED;
  }

  #stepsOverKey(firstKey: number): boolean {
    this.at = this.#stepper.key(this.at, firstKey);
    return this.at !== REFUSED;
  }

  #add(code: number): void {
    if (this.outlineLength === this.outline.length) this.outline = twiceAsLong(this.outline);
    this.outline[this.outlineLength++] = code;
  }

  #addRange(code: number, start: number, end: number): void {
    this.#add(code);
    if (this.#rangesLength === this.ranges.length) this.ranges = twiceAsLong(this.ranges);
    this.ranges[this.#rangesLength] = start;
    this.ranges[this.#rangesLength + 1] = end;
    this.#rangesLength += 2;
  }
}

function twiceAsLong(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}
