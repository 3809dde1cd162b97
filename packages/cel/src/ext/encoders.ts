// base64.encode and base64.decode.
import { functionOf, type Library, overload } from '../extension.ts';
import { work, workAhead } from '../meter.ts';
import { failure } from '../values/error.ts';
import { bytesType, stringType } from '../values/types.ts';
import type { Value } from '../values.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digitOf = new Map([...alphabet].map((character, index) => [character, index]));

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    work(8);
    const a = bytes[at]!;
    const b = bytes[at + 1];
    const c = bytes[at + 2];
    text += alphabet[a >> 2]! + alphabet[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    text += b === undefined ? '=' : alphabet[((b & 15) << 2) | ((c ?? 0) >> 6)]!;
    text += c === undefined ? '=' : alphabet[c & 63]!;
  }
  return text;
}

/** With or without padding; line breaks are passed over, as Go's decoder does. */
export function decodeBase64(text: string): Value {
  workAhead(text.length * 8);
  const compact = text.replace(/[\r\n]/g, '');
  const body = compact.length % 4 === 0 ? compact.replace(/={1,2}$/, '') : compact;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const [index, character] of [...body].entries()) {
    const digit = digitOf.get(character);
    if (digit === undefined) return failure(`illegal base64 data at input byte ${index}`);
    held = (held << 6) | digit;
    bits += 6;
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 0xff);
  }
  return body.length % 4 === 1
    ? failure(`illegal base64 data at input byte ${body.length - 1}`)
    : Uint8Array.from(bytes);
}

export const encodersLibrary: Library = {
  name: 'encoders',
  functions: [
    functionOf(
      'base64.decode',
      overload('base64_decode_string', [stringType], bytesType, (text) => decodeBase64(text as string)),
    ),
    functionOf(
      'base64.encode',
      overload('base64_encode_bytes', [bytesType], stringType, (bytes) => encodeBase64(bytes as Uint8Array)),
    ),
  ],
};
