// Text and bytes. TextEncoder is not among the types of a pure package, so the conversion is written out.
import { work } from '../meter.ts';
import { pushUtf8 } from '../parse/unescape.ts';

export function encodeUtf8(text: string): Uint8Array {
  work(text.length >> 2);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    pushUtf8(bytes, code >= 0xd800 && code <= 0xdfff ? 0xfffd : code);
  }
  return Uint8Array.from(bytes);
}

/** Undefined when the bytes are not well-formed UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  work(bytes.length >> 2);
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!;
    const length =
      first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
    if (length === 0 || at + length > bytes.length) return undefined;
    const code = codePointAt(bytes, at, length);
    if (code === undefined) return undefined;
    text += String.fromCodePoint(code);
    at += length;
  }
  return text;
}

const smallest = [0, 0, 0x80, 0x800, 0x10000];

function codePointAt(bytes: Uint8Array, at: number, length: number): number | undefined {
  let code = length === 1 ? bytes[at]! : bytes[at]! & (0xff >> (length + 1));
  for (let index = 1; index < length; index++) {
    const next = bytes[at + index]!;
    if ((next & 0xc0) !== 0x80) return undefined;
    code = (code << 6) | (next & 0x3f);
  }
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < smallest[length]! || code > 0x10ffff || surrogate ? undefined : code;
}
