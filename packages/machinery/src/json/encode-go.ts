// JSON and numbers as Go writes them: where text must match upstream's to the letter (messages, the keys of
// managed fields, annotations). For everything on the wire that is read as JSON, encodeJson is enough, and
// faster.
import type { JsonValue } from '../json-value.ts';

/** json.Marshal of a map: keys in order of their bytes, and < > & escaped as if it were to stand in HTML. */
export function encodeGoJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(encodeGoJson).join(',')}]`;
  if (typeof value === 'string') return encodeGoString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort(compareBytes)
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

/**
 * The order of two texts by their UTF-8 bytes, which is Go's; JavaScript compares UTF-16 units, which differs
 * beyond U+FFFF.
 */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;

/** %v turns to exponents from here on, for numbers that are no integers. */
const FIRST_EXPONENT = 6;

/** fmt's %v of a number. */
export function printGoNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value.toString();
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < FIRST_EXPONENT) return value.toString();
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
