// Bytes to text and back. TextDecoder and TextEncoder exist in every JavaScript runtime but in none of the
// language's own type libraries, and this package compiles without a runtime's types; hence the two
// declarations.

interface Decoder {
  decode(bytes: Uint8Array): string;
}

interface Encoder {
  encode(text: string): Uint8Array;
}

declare const TextDecoder: new (label: 'utf-8', options: { ignoreBOM: boolean }) => Decoder;
declare const TextEncoder: new () => Encoder;

// A byte order mark is kept, so that the JSON parser refuses it as Go does. Broken sequences become U+FFFD,
// as Go's decoder makes them.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/**
 * How many bytes the text takes in UTF-8 (a lone surrogate counts as U+FFFD), without encoding it. Go's
 * len().
 */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // The two halves of a pair take four bytes together.
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
  }
  return length;
}
