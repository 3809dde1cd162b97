// Strings with one character per UTF-8 byte. URL parsing works on bytes (an escape such as %C3 is half a
// letter), and this keeps it readable. Each byte that is not UTF-8 is returned as U+FFFD, as when Go ranges
// over a string.
import { quoteGo } from './quote.ts';
import { encodeUtf8 } from './utf8.ts';

export function byteStringOf(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  let bytes = '';
  for (const byte of encodeUtf8(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

export function textOfByteString(bytes: string): string {
  return converted(
    bytes,
    (text) => text,
    () => '\ufffd',
  );
}

/** The bytes as Go's %q prints them: what is not UTF-8 is escaped byte by byte. */
export function quoteByteString(bytes: string): string {
  const quoted = converted(
    bytes,
    (text) => quoteGo(text).slice(1, -1),
    (byte) => `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `"${quoted}"`;
}

function converted(
  bytes: string,
  ofCharacter: (character: string) => string,
  ofByte: (byte: number) => string,
): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes.charCodeAt(at));
    const code = length === 0 ? undefined : decoded(bytes, at, length);
    text += code === undefined ? ofByte(bytes.charCodeAt(at)) : ofCharacter(String.fromCodePoint(code));
    at += code === undefined ? 1 : length;
  }
  return text;
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

function decoded(bytes: string, at: number, length: number): number | undefined {
  const first = bytes.charCodeAt(at);
  if (length === 1) return first;
  let code = first & (0xff >> (length + 1));
  for (let offset = 1; offset < length; offset++) {
    const next = bytes.charCodeAt(at + offset);
    if ((next & 0xc0) !== 0x80) return undefined;
    code = (code << 6) | (next & 0x3f);
  }
  const shortest = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
  return code < shortest || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : code;
}
