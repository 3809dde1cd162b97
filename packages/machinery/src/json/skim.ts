// Reads JSON without creating values: checks whether bytes are exactly as our own encoder would write them,
// with no member that a shape does not know. Such bytes may be passed on unparsed. It may refuse valid JSON
// (a number like 1e3, an escape like \u003c, white space), which then has to be parsed. The bytes must be
// UTF-8.
import { ESCAPED, MAX_DEPTH, PLAIN, REFUSED, skipPlain, skipScalar } from './own-tokens.ts';
import { addToHash, type JsonShape, type MemberShape, VALUE_START, type ValueStart } from './shape.ts';

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON, N] = [0x2c, 0x3a, 0x6e];
const { any: ANY, number: NUMBER } = VALUE_START;

/** Up to this many keys, comparing each with all before it is faster than a set. */
const FEW_KEYS = 32;

/** The hashes of the keys of all open objects, the innermost last. Shared, since skimming is synchronous. */
const hashes = new Int32Array(MAX_DEPTH * (FEW_KEYS + 1));

/** Reads over JSON bytes along a shape without making values. */
export class Skimmer {
  readonly #bytes: Uint8Array;
  /** The same bytes as 32-bit words, beginning `#shift` bytes before them. */
  readonly #words: Int32Array;
  readonly #shift: number;
  #openKeys = 0;
  #depth = 0;
  #keyHash = 0;
  /** The position of the next value or token. Meaningless after a refusal. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#shift = bytes.byteOffset & 3;
    this.#words = new Int32Array(
      bytes.buffer,
      bytes.byteOffset - this.#shift,
      (bytes.length + this.#shift) >> 2,
    );
    this.at = at;
  }

  /** Steps over this text if it is next. */
  takesText(text: Uint8Array): boolean {
    for (let i = 0; i < text.length; i++) if (this.#bytes[this.at + i] !== text[i]) return false;
    this.at += text.length;
    return true;
  }

  /** Steps over one byte if it is this one. */
  takes(byte: number): boolean {
    if (this.#bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Steps over a value; false if it has to be parsed. */
  value(shape: JsonShape, mayBeNull = true): boolean {
    switch (this.#bytes[this.at]) {
      case QUOTE:
        return this.#string();
      case OPEN:
        return this.#object(shape);
      case OPEN_LIST:
        return this.#list(shape.items);
      case N:
        return mayBeNull && this.#scalar();
      default:
        return this.#scalar();
    }
  }

  /** Steps over a key, its colon and its value. */
  member(shape: JsonShape): boolean {
    return this.#key() && this.value(shape);
  }

  /**
   * Steps over the rest of an object whose first members the caller has stepped over; `before` are the hashes
   * of their keys.
   */
  restOfObject(shape: JsonShape, before: readonly number[]): boolean {
    if (this.takes(CLOSE)) return true;
    if (!this.takes(COMMA)) return false;
    const first = this.#openKeys;
    for (const hash of before) hashes[this.#openKeys++] = hash;
    return this.#closed(first, shape);
  }

  #object(shape: JsonShape): boolean {
    if (this.#depth >= MAX_DEPTH) return false;
    this.at++;
    if (this.takes(CLOSE)) return shape.required === 0;
    return this.#closed(this.#openKeys, shape);
  }

  #closed(first: number, shape: JsonShape): boolean {
    this.#depth++;
    const isFine = this.#members(shape, first);
    this.#openKeys = first;
    this.#depth--;
    return isFine;
  }

  #members(shape: JsonShape, first: number): boolean {
    const { names, others } = shape;
    let missing = shape.required;
    let many: Set<number> | undefined;
    for (;;) {
      const start = this.at + 1;
      if (!this.#key()) return false;
      const hash = this.#keyHash;
      const member = names.find(this.#bytes, start, this.at - 2, hash) ?? others;
      if (member === undefined) return false;
      if (member.isRequired) missing--;
      if (many === undefined) {
        if (isAmong(hash, first, this.#openKeys)) return false;
        if (this.#openKeys - first >= FEW_KEYS) many = new Set(hashes.subarray(first, this.#openKeys));
        else hashes[this.#openKeys++] = hash;
      }
      if (many !== undefined && many.size === many.add(hash).size) return false;
      if (!this.#memberValue(member)) return false;
      if (this.takes(COMMA)) continue;
      return this.takes(CLOSE) && missing === 0;
    }
  }

  #memberValue({ shape, mayBeNull, start }: MemberShape): boolean {
    return (start === ANY || startsAs(this.#bytes[this.at]!, start)) && this.value(shape, mayBeNull);
  }

  #list(items: MemberShape): boolean {
    if (this.#depth >= MAX_DEPTH) return false;
    this.at++;
    if (this.takes(CLOSE_LIST)) return true;
    this.#depth++;
    let isFine = true;
    do isFine = this.#memberValue(items);
    while (isFine && this.takes(COMMA));
    this.#depth--;
    return isFine && this.takes(CLOSE_LIST);
  }

  /** Steps over a key and its colon. */
  #key(): boolean {
    const bytes = this.#bytes;
    if (bytes[this.at] !== QUOTE) return false;
    let at = this.at + 1;
    let hash = 0;
    for (; at < bytes.length && PLAIN[bytes[at]!] === 1; at++) hash = addToHash(hash, bytes[at]!);
    if (bytes[at] !== QUOTE || bytes[at + 1] !== COLON) return false;
    this.at = at + 2;
    this.#keyHash = hash;
    return true;
  }

  #string(): boolean {
    const bytes = this.#bytes;
    const end = bytes.length;
    let at = this.at + 1;
    for (;;) {
      at = this.#skipPlain(at);
      if (bytes[at] === QUOTE) {
        this.at = at + 1;
        return true;
      }
      if (at + 1 >= end || bytes[at] !== BACKSLASH || ESCAPED[bytes[at + 1]!] !== 1) return false;
      at += 2;
    }
  }

  /** The position of the first byte that is escaped or ends the string. */
  #skipPlain(start: number): number {
    const [bytes, words, shift] = [this.#bytes, this.#words, this.#shift];
    const end = bytes.length;
    let at = start;
    for (; at < end && ((at + shift) & 3) !== 0; at++) if (PLAIN[bytes[at]!] === 0) return at;
    at = Math.max(at, (skipPlain(words, (at + shift) >> 2) << 2) - shift);
    while (at < end && PLAIN[bytes[at]!] === 1) at++;
    return at;
  }

  #scalar(): boolean {
    this.at = skipScalar(this.#bytes, this.at);
    return this.at !== REFUSED;
  }
}

function startsAs(byte: number, start: ValueStart): boolean {
  return byte === start || (start === NUMBER && byte > 0x30 && byte <= 0x39);
}

/** Possibly a duplicate key, which only the parser handles: the last one counts. */
function isAmong(hash: number, first: number, end: number): boolean {
  for (let i = first; i < end; i++) if (hashes[i] === hash) return true;
  return false;
}

/**
 * The position after the object that begins at `start`, in bytes that are JSON; their length if it does not
 * end.
 */
export const endOfObject = (bytes: Uint8Array, start: number): number => endOfMembers(bytes, start + 1);

/** The same for one whose members begin at `start`. */
export function endOfMembers(bytes: Uint8Array, start = 0): number {
  let depth = 1;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at++;
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Node's buffers compare themselves several times faster than a loop does. */
interface ComparesItself extends Uint8Array {
  compare?(other: Uint8Array, otherStart: number, otherEnd: number, start: number, end: number): number;
}

/** True if `bytes` has the first `length` bytes of `text` at `start`. */
export function isSameText(bytes: ComparesItself, start: number, text: Uint8Array, length: number): boolean {
  if (start + length > bytes.length || length > text.length) return false;
  if (bytes.compare !== undefined) return bytes.compare(text, 0, length, start, start + length) === 0;
  for (let i = 0; i < length; i++) if (bytes[start + i] !== text[i]) return false;
  return true;
}

/** True if the bytes are one value as our own encoder writes it, with only members that the shape knows. */
export function isKnownJson(bytes: Uint8Array, shape: JsonShape): boolean {
  const skimmer = new Skimmer(bytes);
  return skimmer.value(shape) && skimmer.at === bytes.length;
}
