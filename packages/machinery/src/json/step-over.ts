// Finds the end of a JSON value into which nobody looks. Like skim.ts it says no to what our own encoder
// would not have written, and to anything that is not certain; somebody has to parse that. Unlike there no
// function calls itself: in a process that has just started, compiling those takes longer than the reading.
// The bytes must be UTF-8.
import { behindPlain, behindScalar, ESCAPED, MAX_DEPTH, PLAIN, REFUSED } from './own-tokens.ts';
import { addToHash } from './shape.ts';

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON] = [0x2c, 0x3a];

/** Each key is compared with all before it in the same object. */
const MAX_KEYS = 256;

/** Of all objects that are open, the innermost last. Shared: nobody reads two things at once. */
const hashes = new Int32Array(16 * MAX_KEYS);
/** Of everything that is open: whether it is an object, and where the hashes of its keys begin. */
const isObject = new Uint8Array(MAX_DEPTH);
const firstKeys = new Int32Array(MAX_DEPTH);

export class Stepper {
  readonly bytes: Uint8Array;
  /** The same bytes by fours, beginning `#shift` bytes before them. */
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
   * Behind the value that begins at `start`. Strings are read in here, and keys in one place only: what the
   * engine would copy into each of its callers, it would compile as often.
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
            at = (behindPlain(words, (at + shift) >> 2) << 2) - shift;
            while (PLAIN[bytes[at]!] === 1) at++;
          }
          if (bytes[at] === QUOTE) break;
          if (bytes[at] !== BACKSLASH || ESCAPED[bytes[at + 1]!] !== 1) return REFUSED;
          at += 2;
        }
        at++;
      } else if (byte !== OPEN && byte !== OPEN_LIST) {
        at = behindScalar(bytes, at);
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
   * Behind the key that begins at `start` and its colon. `firstKey`: what `openKeys` was when its object
   * began.
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
    // Perhaps a key that was there before: the last of them would count.
    for (let i = firstKey; i < end; i++) if (hashes[i] === hash) return REFUSED;
    hashes[end] = hash;
    this.#openKeys = end + 1;
    this.#keyHash = hash;
    return at + 2;
  }

  /** Of the key that was stepped over last. */
  get keyHash(): number {
    return this.#keyHash;
  }

  /** How many keys of open objects are known. Whoever reads an object sets it back at the end of it. */
  get openKeys(): number {
    return this.#openKeys;
  }

  set openKeys(count: number) {
    this.#openKeys = count;
  }
}
