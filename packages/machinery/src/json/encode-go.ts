// JSON as Go writes it: where text must match upstream's to the letter (messages, the keys of
// managed fields, annotations). For everything on the wire that is read as JSON, encodeJson is enough, and
// faster.
import { compareUtf8 } from '@instar/go';
import type { JsonValue } from '../json-value.ts';

/** json.Marshal of a map: keys in order of their bytes, and < > & escaped as if it were to stand in HTML. */
export function encodeGoJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(encodeGoJson).join(',')}]`;
  if (typeof value === 'string') return encodeGoString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
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
