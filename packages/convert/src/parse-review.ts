// Parses the text of an answer. Upstream falls back to YAML where it finds no JSON.
import {
  isJsonObject,
  JsonParseError,
  type JsonValue,
  mayHoldLongNumber,
  parseJson,
  parseYaml,
  YamlError,
} from '@instar/machinery';

export type ParsedReview = { readonly value: JsonValue } | { readonly fault: string };

/**
 * What is stored must not be nested deeper than what clients may send: 1,000 levels. A review has three
 * around its objects.
 */
const MAX_DEPTH = 1_003;

/** Parses the answer of a conversion webhook as JSON. */
export function parseReview(text: string): ParsedReview {
  let value: JsonValue;
  try {
    value = mayHoldLongNumber(text)
      ? parseJson(text, { maxDepth: MAX_DEPTH }).value
      : (JSON.parse(text) as JsonValue);
  } catch {
    return parseSlowly(text);
  }
  return isSound(value, MAX_DEPTH) ? { value } : parseSlowly(text);
}

/**
 * False if it is nested too deep, or has a number that JSON.parse read as infinite, which would be written as
 * null.
 */
function isSound(value: JsonValue, depthLeft: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depthLeft === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isSound(item, depthLeft - 1));
  for (const key in value) if (!isSound(value[key]!, depthLeft - 1)) return false;
  return true;
}

/** A second parse, for the text of the error. */
function parseSlowly(text: string): ParsedReview {
  try {
    const { value } = text.trimStart().startsWith('{')
      ? parseJson(text, { maxDepth: MAX_DEPTH })
      : parseYaml(text);
    return { value };
  } catch (error) {
    if (error instanceof JsonParseError || error instanceof YamlError)
      return { fault: `couldn't get version/kind; json parse error: ${error.message}` };
    throw error;
  }
}

export const asRecord = (value: JsonValue | undefined) =>
  isJsonObject(value ?? null) ? (value as { [key: string]: JsonValue }) : undefined;
