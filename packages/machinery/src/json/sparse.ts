// Reads JSON only as far as somebody looks into it. What nobody looks into is stepped over and stays bytes.
// The outcome is an outline, numbers that tell what was met in which order, and the places of all that stayed
// bytes. Two values with the same outline differ only in what nobody looks into, so that whatever is done
// with one of them can be done with the other without looking again: outline.ts makes values of it, splice.ts
// writes them. Refuses what step-over.ts refuses. The bytes must be UTF-8.

import { encodeUtf8 } from '@instar/go';
import { REFUSED } from './own-tokens.ts';
import { hashOfName, isAt } from './shape.ts';
import { Stepper } from './step-over.ts';

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, N] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x6e];

/**
 * What an outline is made of. Those from KEY on have a place each; those from NAMED on are members of an
 * object, by the index of their names.
 */
export const [END, OBJECT, MAP, LIST, NULL, KEY, WHOLE_VALUE, UNSEEN_VALUE, UNSEEN_MEMBERS, NAMED] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;

/**
 * How far somebody looks into a value. If it is not what one looks into (a list where an object was
 * expected), it is read as a whole.
 */
export interface Sight {
  /** Somebody may see whether it is null, and nothing else. */
  readonly isUnseen: boolean;
  /** Into some members of an object, into all of them, or into the items of a list. */
  readonly names: SightOfNames | undefined;
  readonly values: Sight | undefined;
  readonly items: Sight | undefined;
}

export const WHOLE: Sight = { isUnseen: false, names: undefined, values: undefined, items: undefined };
export const UNSEEN: Sight = { ...WHOLE, isUnseen: true };

/** Into members by their names, of which no two may have the same hash. */
export class SightOfNames {
  readonly names: readonly string[];
  readonly sights: readonly Sight[];
  readonly #bytes: readonly Uint8Array[];
  readonly #byHash: ReadonlyMap<number, number>;

  constructor(sights: readonly (readonly [name: string, sight: Sight])[]) {
    this.names = sights.map(([name]) => name);
    this.sights = sights.map(([, sight]) => sight);
    this.#bytes = this.names.map(encodeUtf8);
    this.#byHash = new Map(this.names.map((name, index) => [hashOfName(name), index]));
  }

  /** The index of the name; undefined for all others. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number | undefined {
    const index = this.#byHash.get(hash);
    return index !== undefined && isAt(bytes, start, end, this.#bytes[index]!) ? index : undefined;
  }
}

export class SparseReader {
  readonly bytes: Uint8Array;
  readonly #stepper: Stepper;
  /** Where the next value begins. */
  at: number;
  /** The outline of the value that was read last. */
  outline = new Int32Array(64);
  outlineLength = 0;
  /** Where each place of it begins and ends. */
  places = new Int32Array(64);
  #placesLength = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.#stepper = new Stepper(bytes);
    this.at = at;
  }

  /** False if the value has to be parsed: then `at` is where it was. */
  read(sight: Sight): boolean {
    const start = this.at;
    this.#stepper.openKeys = 0;
    this.outlineLength = 0;
    this.#placesLength = 0;
    if (this.#value(sight)) return true;
    this.at = start;
    return false;
  }

  /** Steps over one byte if it is this one. */
  takes(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  #value(sight: Sight): boolean {
    const start = this.at;
    const first = this.bytes[start];
    if (first === OPEN && sight.names !== undefined) return this.#object(sight.names);
    if (first === OPEN && sight.values !== undefined) return this.#map(sight.values);
    if (first === OPEN_LIST && sight.items !== undefined) return this.#list(sight.items);
    if (!this.#stepsOver()) return false;
    if (first === N) this.#add(NULL);
    else this.#addPlace(sight.isUnseen ? UNSEEN_VALUE : WHOLE_VALUE, start, this.at);
    return true;
  }

  #object(names: SightOfNames): boolean {
    const firstKey = this.#stepper.openKeys;
    this.#add(OBJECT);
    this.at++;
    let isOpen = this.bytes[this.at] !== CLOSE;
    /** Where members began over which it has stepped since the last that it read. */
    let unseen = REFUSED;
    while (isOpen) {
      const start = this.at;
      if (!this.#stepsOverKey(firstKey)) return false;
      const name = names.find(this.bytes, start + 1, this.at - 2, this.#stepper.keyHash);
      if (name === undefined) {
        if (unseen === REFUSED) unseen = start;
        if (!this.#stepsOver()) return false;
      } else {
        if (unseen !== REFUSED) this.#addPlace(UNSEEN_MEMBERS, unseen, start - 1);
        unseen = REFUSED;
        this.#add(NAMED + name);
        if (!this.#value(names.sights[name]!)) return false;
      }
      isOpen = this.takes(COMMA);
    }
    if (unseen !== REFUSED) this.#addPlace(UNSEEN_MEMBERS, unseen, this.at);
    this.#stepper.openKeys = firstKey;
    this.#add(END);
    return this.takes(CLOSE);
  }

  #map(sight: Sight): boolean {
    const firstKey = this.#stepper.openKeys;
    this.#add(MAP);
    this.at++;
    let isOpen = this.bytes[this.at] !== CLOSE;
    while (isOpen) {
      const start = this.at + 1;
      if (!this.#stepsOverKey(firstKey)) return false;
      this.#addPlace(KEY, start, this.at - 2);
      if (!this.#value(sight)) return false;
      isOpen = this.takes(COMMA);
    }
    this.#stepper.openKeys = firstKey;
    this.#add(END);
    return this.takes(CLOSE);
  }

  #list(sight: Sight): boolean {
    this.#add(LIST);
    this.at++;
    let isOpen = this.bytes[this.at] !== CLOSE_LIST;
    while (isOpen) {
      if (!this.#value(sight)) return false;
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

  #addPlace(code: number, start: number, end: number): void {
    this.#add(code);
    if (this.#placesLength === this.places.length) this.places = twiceAsLong(this.places);
    this.places[this.#placesLength] = start;
    this.places[this.#placesLength + 1] = end;
    this.#placesLength += 2;
  }
}

function twiceAsLong(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}
