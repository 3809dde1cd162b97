// The text of an answer as a value. Upstream reads YAML where it finds no JSON.
import { isJsonObject, JsonParseError, type JsonValue, mayHoldLongNumber, parseJson, parseYaml, YamlError } from '@instar/machinery';

export type ParsedReview = { readonly value: JsonValue } | { readonly fault: string };

export function parseReview(text: string): ParsedReview {
  try {
    return { value: mayHoldLongNumber(text) ? parseJson(text).value : (JSON.parse(text) as JsonValue) };
  } catch {
    return parseSlowly(text);
  }
}

/** Once more, for the words of the complaint. */
function parseSlowly(text: string): ParsedReview {
  try {
    const { value } = text.trimStart().startsWith('{') ? parseJson(text) : parseYaml(text);
    return { value };
  } catch (error) {
    if (error instanceof JsonParseError || error instanceof YamlError)
      return { fault: `couldn't get version/kind; json parse error: ${error.message}` };
    throw error;
  }
}

export const asRecord = (value: JsonValue | undefined) =>
  isJsonObject(value ?? null) ? (value as { [key: string]: JsonValue }) : undefined;
