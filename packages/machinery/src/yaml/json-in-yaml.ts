// JSON that comes as YAML, which is how most programs apply: read by JSON.parse wherever YAML says the same,
// in a tenth of the time. It does not where the text holds what YAML calls a line break or refuses, breaks a
// line before a colon, or has keys that YAML finds too long or special.
import { parseNatively } from '../json/parse-natively.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';

/**
 * What both read alike: no tabs, no control characters, none of Unicode's line breaks, no byte order mark.
 */
const SAFE_TEXT = /^\{[\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;
/**
 * Between a key and its colon JSON has no other white space, without tabs. Not over several lines: each would
 * be read from every line before it.
 */
const COLON_ON_NEXT_LINE = /[\n\r] *:/;
const LONGEST_KEY = 512;
const MERGE_KEY = '<<';
/** Whatever is nested deeper is YAML's to judge. */
const MAX_DEPTH = 100;

/** undefined: it has to be read as YAML. */
export function parseJsonInYaml(text: string): JsonObject | undefined {
  if (!SAFE_TEXT.test(text) || COLON_ON_NEXT_LINE.test(text)) return undefined;
  const value = parseNatively(text, MAX_DEPTH);
  return value !== undefined && isJsonObject(value) && hasUsualKeys(value) ? value : undefined;
}

function hasUsualKeys(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(hasUsualKeys);
  return Object.keys(value).every(
    (key) => key.length <= LONGEST_KEY && key !== MERGE_KEY && hasUsualKeys(value[key]!),
  );
}
