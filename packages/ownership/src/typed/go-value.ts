// Values as Go's fmt prints them, which is how they stand in upstream's messages.
import { isJsonObject, type JsonValue, quoteGo } from '@instar/machinery';

/** %v of a value inside upstream's wrapper. */
export const wrapped = (value: JsonValue): string => `&{${plain(value)}}`;

/** %#v of the same. */
export const wrappedInGo = (value: JsonValue): string => `&value.valueUnstructured{Value:${inGo(value)}}`;

/** %T */
export function goTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean'
    ? 'bool'
    : typeof value === 'string'
      ? 'string'
      : Number.isInteger(value)
        ? 'int64'
        : 'float64';
}

function plain(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${plain(value[key]!)}`)
    .join(' ')}]`;
}

function inGo(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quoteGo(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(inGo).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  return `map[string]interface {}{${sortedKeys(value)
    .map((key) => `${quoteGo(key)}:${inGo(value[key]!)}`)
    .join(', ')}}`;
}

const sortedKeys = (value: { [key: string]: JsonValue }): string[] => Object.keys(value).sort();
