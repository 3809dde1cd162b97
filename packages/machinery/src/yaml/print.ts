// Prints JSON values as YAML, formatted as by sigs.k8s.io/yaml: sorted keys, two spaces per level, lists not
// indented under their key.
import { encodeJson } from '../json/encode.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { compareYamlKeys } from './key-order.ts';
import { printYamlString } from './print-scalar.ts';

/** Ends with a line break. */
export function printYaml(value: JsonValue): string {
  if (isFilled(value)) return `${printCollection(value, 0)}\n`;
  // Parsers differ in the indentation that a top-level block needs.
  return `${typeof value === 'string' ? printYamlString(value, { indent: 0, column: 0, isKey: true }) : printScalar(value, 0, 0)}\n`;
}

/** The lines of a non-empty list or object; the first is not indented, so that it can follow "- ". */
function printCollection(value: JsonValue[] | JsonObject, indent: number): string {
  const margin = `\n${' '.repeat(indent)}`;
  if (Array.isArray(value)) return value.map((item) => `- ${printItem(item, indent)}`).join(margin);
  return Object.keys(value)
    .sort(compareYamlKeys)
    .map((key) => printMember(key, value[key]!, indent))
    .join(margin);
}

function printItem(item: JsonValue, indent: number): string {
  return isFilled(item) ? printCollection(item, indent + 2) : printScalar(item, indent + 2, indent + 2);
}

function printMember(key: string, value: JsonValue, indent: number): string {
  const name = `${printYamlString(key, { indent, column: indent, isKey: true })}:`;
  if (!isFilled(value)) return `${name} ${printScalar(value, indent + 2, indent + name.length + 1)}`;
  const below = isJsonObject(value) ? indent + 2 : indent;
  return `${name}\n${' '.repeat(below)}${printCollection(value, below)}`;
}

function printScalar(value: JsonValue, indent: number, column: number): string {
  if (Array.isArray(value)) return '[]';
  if (isJsonObject(value)) return '{}';
  return typeof value === 'string'
    ? printYamlString(value, { indent, column, isKey: false })
    : encodeJson(value);
}

function isFilled(value: JsonValue): value is JsonValue[] | JsonObject {
  return typeof value === 'object' && value !== null && !isEmpty(value);
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
