// How Go prints values and types with %v and %s: what the messages of strategic merge patch are made of.
import type { JsonValue } from '../json-value.ts';

export function printGo(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printGo).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${printGo(value[key]!)}`);
  return `map[${members.join(' ')}]`;
}

export function goType(value: JsonValue): string {
  if (value === null) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'object':
      return 'map[string]interface {}';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return Number.isInteger(Number(value)) ? 'int64' : 'float64';
  }
}
