// The bytes of a review as JSON. JSON.parse where it is exact; integers beyond ±2^53 need the slower parser, which also explains what is wrong.
import { isJsonObject, type JsonObject, JsonParseError, type JsonValue, parseJson } from '@instar/machinery';

/** A number of 16 digits or more may be beyond what a double holds exactly. */
const LONG_NUMBER = /[0-9]{16}/;

export type ParsedBody = { readonly review: JsonObject } | { readonly fault: string };

export function parseBody(text: string): ParsedBody {
  const value = parseExactly(text);
  if ('fault' in value) return value;
  return isJsonObject(value.value) ? { review: value.value } : { fault: 'the body is JSON, but no object' };
}

export function parseExactly(text: string): { readonly value: JsonValue } | { readonly fault: string } {
  try {
    return { value: LONG_NUMBER.test(text) ? parseJson(text).value : (JSON.parse(text) as JsonValue) };
  } catch {
    return explained(text);
  }
}

function explained(text: string): { readonly value: JsonValue } | { readonly fault: string } {
  if (text.trim() === '') return { fault: 'the body is empty' };
  try {
    return { value: parseJson(text).value };
  } catch (error) {
    if (error instanceof JsonParseError) return { fault: `the body is no JSON: ${error.message}` };
    throw error;
  }
}

export const textOf = (body: Uint8Array): string => Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
