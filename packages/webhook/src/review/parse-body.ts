// The bytes of a review as JSON. JSON.parse where it is exact; integers beyond ±2^53 need the slower parser,
// which also explains what is wrong.
import {
  isJsonObject,
  type JsonObject,
  JsonParseError,
  type JsonValue,
  mayHoldLongNumber,
  parseJson,
} from '@instar/machinery';

export type ParsedBody = { readonly review: JsonObject } | { readonly fault: string };

export function parseBody(text: string): ParsedBody {
  try {
    const value = parseExactly(text);
    return isJsonObject(value) ? { review: value } : { fault: 'the body is JSON, but not an object' };
  } catch {
    return explained(text);
  }
}

/** Throws if the text is not JSON. */
export function parseExactly(text: string): JsonValue {
  return mayHoldLongNumber(text) ? parseJson(text).value : (JSON.parse(text) as JsonValue);
}

/** Parses again, to say what is wrong. */
function explained(text: string): ParsedBody {
  if (text.trim() === '') return { fault: 'the body is empty' };
  try {
    return isJsonObject(parseJson(text).value)
      ? { fault: 'the body cannot be read' }
      : { fault: 'the body is JSON, but not an object' };
  } catch (error) {
    return {
      fault: `the body is not JSON: ${error instanceof JsonParseError ? error.message : 'it cannot be read'}`,
    };
  }
}

export const asBuffer = (body: Uint8Array): Buffer =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength);
export const textOf = (body: Uint8Array): string => asBuffer(body).toString('utf8');
