// Which members a JSON value may have, for skim.ts: a schema for checking bytes without parsing them.
import { encodeUtf8 } from '@instar/go';

/** Which members a JSON value may have, so that bytes can be checked unparsed. */
export interface JsonShape {
  /** If the value is an object: the names of its members, and how many of them are required. */
  readonly names: NameTable;
  readonly required: number;
  /** Members with any other name; undefined: not allowed. */
  readonly others: MemberShape | undefined;
  /** If the value is a list. */
  readonly items: MemberShape;
}

/** The shape of one member, and whether it is required or may be null. */
export interface MemberShape {
  readonly shape: JsonShape;
  readonly mayBeNull: boolean;
  readonly isRequired: boolean;
  /** How the value must start. */
  readonly start: ValueStart;
}

/** The first byte of a value. A number may start with any digit. */
export type ValueStart = (typeof VALUE_START)[keyof typeof VALUE_START];

/** The types of values that a shape may ask for, by a byte that such values begin with. */
export const VALUE_START = { any: 0, text: 0x22, number: 0x30, object: 0x7b, list: 0x5b } as const;

/** The hash of a key, as the skimmer computes it while it reads. */
export const addToHash = (hash: number, byte: number): number => (Math.imul(hash, 31) + byte) | 0;

/** The hash of a name, equal to that of the same key in bytes. */
export const hashOfName = (name: string): number => encodeUtf8(name).reduce(addToHash, 0);

interface Entry {
  readonly hash: number;
  readonly name: Uint8Array;
  readonly member: MemberShape;
}

/** Members by the bytes of their names. */
export class NameTable {
  readonly #slots: (Entry | undefined)[];
  readonly #mask: number;

  constructor(members: ReadonlyMap<string, MemberShape>) {
    let size = 4;
    while (size < members.size * 2) size *= 2;
    this.#slots = new Array<Entry | undefined>(size).fill(undefined);
    this.#mask = size - 1;
    for (const [name, member] of members) this.#add(encodeUtf8(name), member);
  }

  #add(name: Uint8Array, member: MemberShape): void {
    const hash = name.reduce(addToHash, 0);
    let slot = hash & this.#mask;
    while (this.#slots[slot] !== undefined) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = { hash, name, member };
  }

  find(bytes: Uint8Array, start: number, end: number, hash: number): MemberShape | undefined {
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const entry = this.#slots[slot];
      if (entry === undefined) return undefined;
      if (entry.hash === hash && isAt(bytes, start, end, entry.name)) return entry.member;
    }
  }
}

/** Whether the bytes from `start` to `end` are `name`. */
export function isAt(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}

const NO_NAMES = new NameTable(new Map());

/** All members are made here, so that the skimmer meets one sort of object. */
export const memberShape = (
  shape: JsonShape,
  { mayBeNull = false, isRequired = false, start = VALUE_START.any }: Partial<MemberShape> = {},
): MemberShape => ({ shape, mayBeNull, isRequired, start });

/** What is not said is as it is in anything. One class for all that do not grow, for the same reason. */
export class FixedShape implements JsonShape {
  readonly names: NameTable;
  readonly required: number;
  readonly others: MemberShape | undefined;
  readonly items: MemberShape;

  constructor(parts: Partial<JsonShape>) {
    const self = memberShape(this, { mayBeNull: true });
    this.names = parts.names ?? NO_NAMES;
    this.required = parts.required ?? 0;
    this.others = Object.hasOwn(parts, 'others') ? parts.others : self;
    this.items = parts.items ?? self;
  }
}

/** Accepts every value. */
export const ANYTHING: JsonShape = new FixedShape({});
/** Lists and objects, but none that has members. */
export const MEMBERLESS: JsonShape = new FixedShape({ others: undefined });
