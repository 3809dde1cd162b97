// The bytes of a review as JSON. JSON.parse where it is exact; integers beyond ±2^53 need the slower parser,
// which also explains what is wrong.
import {
  isJsonObject,
  type JsonObject,
  JsonParseError,
  type JsonValue,
  mayHoldLongNumber,
  parseJson,
  parseJsonInSteps,
  TooManyMembersError,
} from '@instar/machinery';

export type ParsedBody = { readonly review: JsonObject } | { readonly fault: string };

export function parseBody(text: string): ParsedBody {
  try {
    const value = parseExactly(text);
    return isJsonObject(value) ? { review: value } : { fault: NOT_AN_OBJECT };
  } catch {
    return explained(text);
  }
}

/** Throws if the text is not JSON, or holds a number that no float64 holds (`1e400` would become null). */
export function parseExactly(text: string): JsonValue {
  if (mayHoldLongNumber(text)) return parseJson(text).value;
  const value = JSON.parse(text) as JsonValue;
  return hasFiniteNumbers(value) ? value : parseJson(text).value;
}

function hasFiniteNumbers(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== 'string' && !hasFiniteNumbers(item)) return false;
    return true;
  }
  for (const key in value) {
    const member = value[key]!;
    if (typeof member !== 'string' && !hasFiniteNumbers(member)) return false;
  }
  return true;
}

/** What is shorter is parsed at once, in a few milliseconds. */
const MAX_AT_ONCE_CHARACTERS = 256 * 1024;

export const isLong = (text: string): boolean => text.length > MAX_AT_ONCE_CHARACTERS;

/** The same for a long text: `pause` is called every millisecond or so. */
export async function parseBodyInSteps(text: string, pause: () => Promise<unknown>): Promise<ParsedBody> {
  try {
    const { value } = await parseJsonInSteps(text, pause);
    return isJsonObject(value) ? { review: value } : { fault: NOT_AN_OBJECT };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

const NOT_AN_OBJECT = 'the body is JSON, but not an object';

/** Parses again, to say what is wrong. */
function explained(text: string): ParsedBody {
  if (text.trim() === '') return { fault: 'the body is empty' };
  try {
    return isJsonObject(parseJson(text).value)
      ? { fault: 'the body cannot be read' }
      : { fault: NOT_AN_OBJECT };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  if (error instanceof TooManyMembersError) return `the body is too complex: ${error.message}`;
  if (!(error instanceof JsonParseError)) return 'the body is not JSON: it cannot be read';
  return error.kind === 'range'
    ? `the body holds a number that is too large: ${error.message}`
    : `the body is not JSON: ${error.message}`;
}

export const asBuffer = (body: Uint8Array): Buffer =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength);
export const textOf = (body: Uint8Array): string => asBuffer(body).toString('utf8');
