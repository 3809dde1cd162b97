// Finds the end of an opaque JSON value. Like skim.ts it refuses what our own encoder would not have written,
// and anything uncertain, which then has to be parsed. Unlike there no function is recursive: in a process
// that has just started, compiling those takes longer than reading. The bytes must be UTF-8.
import { ESCAPED, MAX_DEPTH, PLAIN, REFUSED, skipPlain, skipScalar } from './own-tokens.ts';
import { addToHash } from './shape.ts';

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON] = [0x2c, 0x3a];

/** Each key is compared with all before it in the same object. */
const MAX_KEYS = 256;

/** The hashes of the keys of all open objects, the innermost last. Shared, since reading is synchronous. */
const hashes = new Int32Array(16 * MAX_KEYS);
/** For every open object or list: whether it is an object, and where the hashes of its keys begin. */
const isObject = new Uint8Array(MAX_DEPTH);
const firstKeys = new Int32Array(MAX_DEPTH);

export class Stepper {
  readonly bytes: Uint8Array;
  /** The same bytes as 32-bit words, beginning `#shift` bytes before them. */
  readonly #words: Int32Array;
  readonly #shift: number;
  #openKeys = 0;
  #keyHash = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#shift = bytes.byteOffset & 3;
    this.#words = new Int32Array(
      bytes.buffer,
      bytes.byteOffset - this.#shift,
      (bytes.length + this.#shift) >> 2,
    );
  }

  /**
   * The position after the value that begins at `start`. Strings are read inline here, and `key` has one call
   * site: the engine compiles code again for every call site into which it inlines it.
   */
  value(start: number): number {
    const bytes = this.bytes;
    const words = this.#words;
    const shift = this.#shift;
    let at = start;
    let depth = 0;
    let inObject = false;
    let firstKey = this.#openKeys;
    for (;;) {
      const byte = bytes[at]!;
      let isOpened = false;
      if (byte === QUOTE) {
        at++;
        for (;;) {
          while (((at + shift) & 3) !== 0 && PLAIN[bytes[at]!] === 1) at++;
          if (((at + shift) & 3) === 0) {
            at = (skipPlain(words, (at + shift) >> 2) << 2) - shift;
            while (PLAIN[bytes[at]!] === 1) at++;
          }
          if (bytes[at] === QUOTE) break;
          if (bytes[at] !== BACKSLASH || ESCAPED[bytes[at + 1]!] !== 1) return REFUSED;
          at += 2;
        }
        at++;
      } else if (byte !== OPEN && byte !== OPEN_LIST) {
        at = skipScalar(bytes, at);
        if (at === REFUSED) return REFUSED;
      } else if (bytes[at + 1] === byte + 2) at += 2;
      else if (depth === MAX_DEPTH) return REFUSED;
      else {
        isObject[depth] = inObject ? 1 : 0;
        firstKeys[depth++] = firstKey;
        inObject = byte === OPEN;
        firstKey = this.#openKeys;
        at++;
        isOpened = true;
      }
      if (!isOpened) {
        while (depth > 0 && bytes[at] === (inObject ? CLOSE : CLOSE_LIST)) {
          at++;
          this.#openKeys = firstKey;
          inObject = isObject[--depth] === 1;
          firstKey = firstKeys[depth]!;
        }
        if (depth === 0) return at;
        if (bytes[at++] !== COMMA) return REFUSED;
      }
      if (!inObject) continue;
      at = this.key(at, firstKey);
      if (at === REFUSED) return REFUSED;
    }
  }

  /**
   * The position after the key that begins at `start` and its colon. `firstKey`: what `openKeys` was when its
   * object began.
   */
  key(start: number, firstKey: number): number {
    const bytes = this.bytes;
    if (bytes[start] !== QUOTE) return REFUSED;
    let at = start + 1;
    let hash = 0;
    for (; PLAIN[bytes[at]!] === 1; at++) hash = addToHash(hash, bytes[at]!);
    if (bytes[at] !== QUOTE || bytes[at + 1] !== COLON) return REFUSED;
    const end = this.#openKeys;
    if (end - firstKey === MAX_KEYS || end === hashes.length) return REFUSED;
    // Possibly a duplicate key, which only the parser handles: the last one counts.
    for (let i = firstKey; i < end; i++) if (hashes[i] === hash) return REFUSED;
    hashes[end] = hash;
    this.#openKeys = end + 1;
    this.#keyHash = hash;
    return at + 2;
  }

  /** The hash of the last key. */
  get keyHash(): number {
    return this.#keyHash;
  }

  /** The number of keys of open objects. A caller that reads an object resets it at the end of the object. */
  get openKeys(): number {
    return this.#openKeys;
  }

  set openKeys(count: number) {
    this.#openKeys = count;
  }
}
