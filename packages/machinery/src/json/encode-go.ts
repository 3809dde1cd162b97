// JSON as Go encodes it, for text that must equal upstream's (messages, the keys of managed fields,
// annotations). Where the text is only parsed as JSON, encodeJson is enough, and faster.
import { compareUtf8 } from '@instar/go';
import type { JsonValue } from '../json-value.ts';

/** json.Marshal of a map: keys in the order of their bytes, and < > & escaped as for HTML. */
export function encodeGoJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(encodeGoJson).join(',')}]`;
  if (typeof value === 'string') return encodeGoString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Number) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort(compareUtf8)
    .map((key) => `${encodeGoString(key)}:${encodeGoJson(value[key]!)}`);
  return `{${members.join(',')}}`;
}

const HTML: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

function encodeGoString(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (character) => HTML[character]!);
}
