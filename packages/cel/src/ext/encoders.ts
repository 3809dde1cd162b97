// base64.encode and base64.decode.
import { decodeBase64, encodeBase64 } from '@instar/go';
import { functionOf, type Library, overload } from '../extension.ts';
import { workAhead } from '../meter.ts';
import { failure } from '../values/error.ts';
import { bytesType, stringType } from '../values/types.ts';
import type { Value } from '../values.ts';

function encode(bytes: Uint8Array): string {
  workAhead(bytes.length * 3);
  return encodeBase64(bytes);
}

/** With or without padding. */
function decode(text: string): Value {
  workAhead(text.length * 8);
  const padded = decodeBase64(text);
  if (typeof padded !== 'string') return padded;
  const unpadded = decodeBase64(text, 'raw');
  return typeof unpadded === 'string' ? failure(unpadded) : unpadded;
}

/** `base64.encode` and `base64.decode`. */
export const encodersLibrary: Library = {
  name: 'encoders',
  functions: [
    functionOf(
      'base64.decode',
      overload('base64_decode_string', [stringType], bytesType, (text) => decode(text as string)),
    ),
    functionOf(
      'base64.encode',
      overload('base64_encode_bytes', [bytesType], stringType, (bytes) => encode(bytes as Uint8Array)),
    ),
  ],
};
