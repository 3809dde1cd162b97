// UTF-8, the encoding of Go's strings: bytes to text and back, and lengths and order in bytes. TextDecoder
// and TextEncoder exist in every JavaScript runtime but in none of the language's own type libraries, and
// this package compiles without a runtime's types; hence the declarations.

interface Decoder {
  decode(bytes: Uint8Array): string;
}

interface Encoder {
  encode(text: string): Uint8Array;
}

declare const TextDecoder: new (label: 'utf-8', options: { ignoreBOM: boolean; fatal?: boolean }) => Decoder;
declare const TextEncoder: new () => Encoder;

// A byte order mark is kept, so that the JSON parser refuses it as Go does.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const encoder = new TextEncoder();

/** The text of the bytes; malformed sequences become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The text of the bytes, or undefined if they are not valid UTF-8. */
export function decodeValidUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of the text; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The length of the text in UTF-8 (a lone surrogate counts as U+FFFD), without encoding it: Go's len(). */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A surrogate pair takes four bytes.
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
  }
  return length;
}

/**
 * The order of two texts by their UTF-8 bytes, which is Go's: negative, zero or positive. JavaScript compares
 * UTF-16 units, which differs where a surrogate pair meets a unit from U+E000 on.
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return utf8Rank(x) - utf8Rank(y);
  }
  return a.length - b.length;
}

/**
 * The rank of a UTF-16 unit in the order of UTF-8: surrogates represent code points above every other unit.
 */
export function utf8Rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
