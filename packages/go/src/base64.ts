// Base64 as Go's encoding/base64 reads and writes it. Line breaks are skipped, padding must be complete, and
// an error says at which byte.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const STANDARD = valuesOf(ALPHABET);
const URL_SAFE = valuesOf(`${ALPHABET.slice(0, 62)}-_`);
const PADDING = 61;

/** Go's StdEncoding, RawStdEncoding (without padding) and URLEncoding. */
export type Base64Encoding = 'standard' | 'raw' | 'url';

function valuesOf(alphabet: string): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i;
  return values;
}

/** The bytes, or Go's error message. */
export function decodeBase64(text: string, encoding: Base64Encoding = 'standard'): Uint8Array | string {
  const fault = base64Fault(text, encoding);
  if (fault !== undefined) return fault;
  const values = encoding === 'url' ? URL_SAFE : STANDARD;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let size = 0;
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length; at++) {
    const value = values[text.charCodeAt(at)]!;
    // Only line breaks and padding are left.
    if (value < 0) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) bytes[size++] = (held >> (bits -= 8)) & 0xff;
  }
  return bytes.subarray(0, size);
}

/** `illegal base64 data at input byte 3`, or undefined if Go decodes the text. */
export function base64Fault(text: string, encoding: Base64Encoding = 'standard'): string | undefined {
  const at = faultAt(text, encoding);
  return at === undefined ? undefined : `illegal base64 data at input byte ${at}`;
}

const isNewline = (code: number): boolean => code === 10 || code === 13;

/**
 * Where Go would stop: at an invalid character, at wrong padding, or at the start of an incomplete group of
 * four.
 */
function faultAt(text: string, encoding: Base64Encoding): number | undefined {
  const values = encoding === 'url' ? URL_SAFE : STANDARD;
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((values[code] ?? -1) >= 0) inGroup = (inGroup + 1) % 4;
    else if (code === PADDING && inGroup >= 2 && encoding !== 'raw')
      return paddingFault(text, at + 1, inGroup);
    else if (!isNewline(code)) return at;
  }
  if (inGroup === 0 || (encoding === 'raw' && inGroup > 1)) return undefined;
  return text.length - inGroup;
}

function paddingFault(text: string, next: number, inGroup: number): number | undefined {
  let at = skipNewlines(text, next);
  if (inGroup === 2) {
    if (at === text.length) return text.length;
    if (text.charCodeAt(at) !== PADDING) return at - 1;
    at = skipNewlines(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function skipNewlines(text: string, from: number): number {
  let at = from;
  while (at < text.length && isNewline(text.charCodeAt(at))) at++;
  return at;
}

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const a = bytes[at]!;
    const b = bytes[at + 1];
    const c = bytes[at + 2];
    text += ALPHABET[a >> 2]! + ALPHABET[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    text += b === undefined ? '=' : ALPHABET[((b & 15) << 2) | ((c ?? 0) >> 6)]!;
    text += c === undefined ? '=' : ALPHABET[c & 63]!;
  }
  return text;
}
