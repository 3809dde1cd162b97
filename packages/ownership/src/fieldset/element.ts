// Path elements as FieldsV1 spells them, and as messages show them. The spelling is canonical (keys by name,
// Go's JSON), so that two elements are equal if and only if their texts are.

import { quoteGo } from '@instar/go';
import type { JsonValue } from '@instar/machinery';

export type KeyFields = readonly (readonly [name: string, value: JsonValue])[];

export const valueElement = (value: JsonValue): string => `v:${goJson(value)}`;

/** The keys must be ordered by name. */
export function keyElement(fields: KeyFields): string {
  let text = 'k:{';
  for (let i = 0; i < fields.length; i++) {
    const [name, value] = fields[i]!;
    text += `${i === 0 ? '' : ','}${goJsonString(name)}:${goJson(value)}`;
  }
  return `${text}}`;
}

/** JSON as Go writes it: with <, > and & escaped, and the keys of objects sorted. */
export function goJson(value: JsonValue): string {
  if (typeof value === 'string') return goJsonString(value);
  return typeof value === 'object' && value !== null ? goJsonContainer(value) : String(value);
}

function goJsonContainer(value: JsonValue[] | { [key: string]: JsonValue }): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${goJsonString(key)}:${goJson(value[key]!)}`);
  return `{${members.join(',')}}`;
}

/** Printable ASCII without what JSON or Go escapes. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;

function goJsonString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text)
    .replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/\\(\\|b|f)/g, (all, c) => (c === 'b' ? '\\u0008' : c === 'f' ? '\\u000c' : all));
}

/** `.name`, `[port=80,protocol="TCP"]`, `["value"]` … */
export function elementText(element: string): string {
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${content}`;
    case 'v':
      return `[=${valueText(JSON.parse(content) as JsonValue)}]`;
    case 'k':
      return `[${Object.entries(JSON.parse(content) as Record<string, JsonValue>)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(',')}]`;
    default:
      return `[${content}]`;
  }
}

export const pathText = (path: readonly string[]): string => path.map(elementText).join('');

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return quoteGo(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${valueText(member)}`)
    .join('');
}
