// Finds the end of a JSON value into which nobody looks. Like skim.ts it says no to what our own encoder would not have written, and to anything that
// is not certain; somebody has to parse that. Unlike there no function calls itself: in a process that has just started, compiling those takes longer
// than the reading. The bytes must be UTF-8.
import { addToHash } from './shape.ts';

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON, MINUS, POINT, ZERO, NINE] = [0x2c, 0x3a, 0x2d, 0x2e, 0x30, 0x39];

/** 1 for bytes that stand for themselves in a string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0));
/** 1 for what may stand behind a backslash. */
const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) => ('"\\bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0));
const WORDS: ReadonlyMap<number, Uint8Array> = new Map(
  ['null', 'true', 'false'].map((word) => [word.charCodeAt(0), Uint8Array.from(word, (letter) => letter.charCodeAt(0))]),
);
/** So many digits a double surely holds. */
const MAX_DIGITS = 15;
/** Below a millionth, numbers are written with an exponent. */
const MAX_DECIMALS = 6;
const MAX_DEPTH = 256;
/** Each key is compared with all before it in the same object. */
const MAX_KEYS = 256;

/** What stepping over gives for what has to be parsed. */
export const REFUSED = -1;

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
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset - this.#shift, (bytes.length + this.#shift) >> 2);
  }

  /**
   * Behind the value that begins at `start`. Strings are read in here, and keys in one place only: what the engine would copy into each of its callers,
   * it would compile as often.
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

  /** Behind the key that begins at `start` and its colon. `firstKey`: what `openKeys` was when its object began. */
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

/** The first four bytes among which is a quote, a backslash or one below 0x20: a bit that stays at the top of a byte tells. */
function behindPlain(words: Int32Array, start: number): number {
  for (let at = start; at < words.length; at++) {
    const word = words[at]!;
    const quote = word ^ 0x22222222;
    const backslash = word ^ 0x5c5c5c5c;
    const special = ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
    if ((special & 0x80808080) !== 0) return at;
  }
  return words.length;
}

function behindScalar(bytes: Uint8Array, start: number): number {
  const word = bytes[start]! > NINE ? WORDS.get(bytes[start]!) : undefined;
  if (word === undefined) return behindNumber(bytes, start);
  for (let i = 1; i < word.length; i++) if (bytes[start + i] !== word[i]) return REFUSED;
  return start + word.length;
}

/** An integer, or a short decimal fraction, in the form in which JavaScript writes it. */
function behindNumber(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const point = behindDigits(bytes, first);
  const startsWithZero = bytes[first] === ZERO;
  if (point === first || (startsWithZero && point - first > 1)) return REFUSED;
  if (bytes[point] !== POINT) return (startsWithZero && first > start) || point - first > MAX_DIGITS ? REFUSED : point;
  const end = behindDigits(bytes, point + 1);
  const decimals = end - point - 1;
  if (decimals === 0 || decimals > MAX_DECIMALS || bytes[end - 1] === ZERO) return REFUSED;
  return point - first + decimals > MAX_DIGITS ? REFUSED : end;
}

function behindDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}
