// JSON that is sent as YAML, as most programs do for apply: read by JSON.parse where the result is the same,
// in a tenth of the time. It may differ if the text has characters that YAML treats as line breaks or
// refuses, a line break before a colon, or keys that are too long or special in YAML.
import { parseNatively } from '../json/parse-natively.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';

/** Text that both read the same: no tabs, control characters, Unicode line breaks or byte order marks. */
const SAFE_TEXT = /^\{[\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;
/**
 * Without tabs, a line break and spaces are the only white space that may precede a colon. Matches only one
 * line break: several would take quadratic time.
 */
const COLON_ON_NEXT_LINE = /[\n\r] *:/;
const MAX_KEY_CHARS = 512;
const MERGE_KEY = '<<';
/** Values nested deeper are read as YAML. */
const MAX_DEPTH = 100;

/** Undefined if it has to be read as YAML. */
export function parseJsonInYaml(text: string): JsonObject | undefined {
  if (!SAFE_TEXT.test(text) || COLON_ON_NEXT_LINE.test(text)) return undefined;
  const value = parseNatively(text, MAX_DEPTH);
  return value !== undefined && isJsonObject(value) && hasUsualKeys(value) ? value : undefined;
}

function hasUsualKeys(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(hasUsualKeys);
  return Object.keys(value).every(
    (key) => key.length <= MAX_KEY_CHARS && key !== MERGE_KEY && hasUsualKeys(value[key]!),
  );
}
