// Prints values decoded from JSON as Go's fmt does: %v, %#v and %T, which upstream's messages use.
import { printGoNumber } from './number.ts';
import { quoteGo } from './quote.ts';
import { compareUtf8 } from './utf8.ts';

/** A value as Go decodes it from JSON: a map, a slice, a string, a number, a bool or nil. */
export type GoValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly GoValue[]
  | { readonly [key: string]: GoValue };

/** The value as %v prints it. */
export function printGo(value: GoValue): string {
  if (value === null) return '<nil>';
  if (isSlice(value)) return `[${value.map(printGo).join(' ')}]`;
  if (typeof value === 'object') return `map[${printMembers(value, String, printGo).join(' ')}]`;
  return typeof value === 'number' || typeof value === 'bigint' ? printGoNumber(value) : String(value);
}

/** The value in Go's syntax, as %#v prints it. */
export function printGoSyntax(value: GoValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quoteGo(value);
  if (isSlice(value)) return `[]interface {}{${value.map(printGoSyntax).join(', ')}}`;
  if (typeof value !== 'object') return printGo(value);
  return `map[string]interface {}{${printMembers(value, quoteGo, printGoSyntax).join(', ')}}`;
}

/** The type of the value, as %s prints reflect.TypeOf; nil has none, which %s prints as an error. */
export function goTypeOf(value: GoValue): string {
  if (value === null) return '%!s(<nil>)';
  switch (typeof value) {
    case 'object':
      return isSlice(value) ? '[]interface {}' : 'map[string]interface {}';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
  }
}

const isSlice = (value: GoValue): value is readonly GoValue[] => Array.isArray(value);

/** fmt prints maps in the order of their keys. */
function printMembers(
  members: { readonly [key: string]: GoValue },
  printKey: (key: string) => string,
  print: (value: GoValue) => string,
): string[] {
  return Object.keys(members)
    .sort(compareUtf8)
    .map((key) => `${printKey(key)}:${print(members[key]!)}`);
}
