// Strings, numbers and literals as our own encoder writes them, for skim.ts and step-over.ts, which read
// bytes without parsing them. Anything else has to be parsed.

const [QUOTE, BACKSLASH, MINUS, POINT, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x2e, 0x30, 0x39];

/** Returned instead of a position if the value has to be parsed. */
export const REFUSED = -1;
/** Values nested deeper are parsed. */
export const MAX_DEPTH = 256;

/** 1 for bytes that are unescaped in a string. */
export const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
/** 1 for bytes that may follow a backslash. */
export const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);
const WORDS: ReadonlyMap<number, Uint8Array> = new Map(
  ['null', 'true', 'false'].map((word) => [
    word.charCodeAt(0),
    Uint8Array.from(word, (letter) => letter.charCodeAt(0)),
  ]),
);
/** A double represents this many digits exactly. */
const MAX_DIGITS = 15;
/** Below a millionth, numbers are written with an exponent. */
const MAX_DECIMALS = 6;

/**
 * The index of the first word with a quote, a backslash or a byte below 0x20: the top bit of such a byte is
 * set.
 */
export function skipPlain(words: Int32Array, start: number): number {
  for (let at = start; at < words.length; at++) {
    const word = words[at]!;
    const quote = word ^ 0x22222222;
    const backslash = word ^ 0x5c5c5c5c;
    const special =
      ((word - 0x20202020) & ~word) |
      ((quote - 0x01010101) & ~quote) |
      ((backslash - 0x01010101) & ~backslash);
    if ((special & 0x80808080) !== 0) return at;
  }
  return words.length;
}

/**
 * The position after a number, true, false or null; REFUSED if it has to be parsed. The caller checks what
 * follows, for example an exponent.
 */
export function skipScalar(bytes: Uint8Array, start: number): number {
  const word = bytes[start]! > NINE ? WORDS.get(bytes[start]!) : undefined;
  if (word === undefined) return skipNumber(bytes, start);
  for (let i = 1; i < word.length; i++) if (bytes[start + i] !== word[i]) return REFUSED;
  return start + word.length;
}

/** An integer, or a short decimal fraction, in the form in which JavaScript writes it. */
function skipNumber(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const point = skipDigits(bytes, first);
  const startsWithZero = bytes[first] === ZERO;
  if (point === first || (startsWithZero && point - first > 1)) return REFUSED;
  if (bytes[point] !== POINT)
    return (startsWithZero && first > start) || point - first > MAX_DIGITS ? REFUSED : point;
  const end = skipDigits(bytes, point + 1);
  const decimals = end - point - 1;
  if (decimals === 0 || decimals > MAX_DECIMALS || bytes[end - 1] === ZERO) return REFUSED;
  return point - first + decimals > MAX_DIGITS ? REFUSED : end;
}

function skipDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}
