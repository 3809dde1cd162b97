// Text and bytes. TextEncoder is not among the types of a pure package, so the conversion is written out.
import { work } from '../meter.ts';
import { pushUtf8 } from '../parse/unescape.ts';

function writeUtf8(into: Uint8Array, at: number, code: number): number {
  const encoded: number[] = [];
  pushUtf8(encoded, code);
  into.set(encoded, at);
  return at + encoded.length;
}

export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    work(1);
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes[size++] = unit;
    else {
      const code = text.codePointAt(at)!;
      if (code > 0xffff) at++;
      size = writeUtf8(bytes, size, code >= 0xd800 && code <= 0xdfff ? 0xfffd : code);
    }
  }
  return bytes.slice(0, size);
}

/** Undefined when the bytes are not well-formed UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    work(2);
    const first = bytes[at]!;
    const length =
      first < 0x80
        ? 1
        : first >= 0xc2 && first < 0xe0
          ? 2
          : first >= 0xe0 && first < 0xf0
            ? 3
            : first >= 0xf0 && first < 0xf5
              ? 4
              : 0;
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
