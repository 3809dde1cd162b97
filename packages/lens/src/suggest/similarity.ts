// The similarity of two fields, from 0 to 1: by their names, and by their schemas.
import { deepEqual } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';

/** hostPort and host_port are host, port. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
}

export function nameSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  if (isPlural(a, b) || isPlural(b, a)) return 0.9;
  const [x, y] = [wordsOf(a), wordsOf(b)];
  const shared = x.filter((word) => y.some((other) => sameWord(word, other))).length;
  const byWords = (2 * shared) / (x.length + y.length);
  const byLetters = 1 - distance(a.toLowerCase(), b.toLowerCase()) / Math.max(a.length, b.length);
  return Math.max(byWords * 0.9, byLetters * 0.9);
}

/** tlsMode and TLSMode, ref and reference. */
const sameWord = (a: string, b: string): boolean =>
  a === b || (a.length > 2 && b.length > 2 && (a.startsWith(b) || b.startsWith(a)));

export function isPlural(one: string, many: string): boolean {
  return (
    many === `${one}s` || many === `${one}es` || (one.endsWith('y') && many === `${one.slice(0, -1)}ies`)
  );
}

const MAX_LENGTH = 64;

/** Levenshtein's, of the beginnings of the names. */
function distance(first: string, second: string): number {
  const [a, b] = [first.slice(0, MAX_LENGTH), second.slice(0, MAX_LENGTH)];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

export function schemaSimilarity(a: JSONSchemaProps, b: JSONSchemaProps, depth = 0): number {
  if (typeOf(a) !== typeOf(b)) return 0;
  if (depth > 6) return 1;
  if (a.properties !== undefined && b.properties !== undefined)
    return objectSimilarity(a.properties, b.properties, depth);
  // An unknown object is a little similar to any other.
  if (a.type === 'object')
    return a.properties === undefined && b.properties === undefined ? mapSimilarity(a, b, depth) : 0.2;
  if (isSchema(a.items) && isSchema(b.items)) return schemaSimilarity(a.items, b.items, depth + 1);
  if (a.enum !== undefined || b.enum !== undefined) return enumSimilarity(a.enum ?? [], b.enum ?? []);
  return a.format === b.format && a.pattern === b.pattern ? 1 : 0.8;
}

const isSchema = (value: unknown): value is JSONSchemaProps =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const typeOf = (schema: JSONSchemaProps): string =>
  schema['x-kubernetes-int-or-string'] === true ? 'int-or-string' : (schema.type ?? 'any');

function objectSimilarity(
  a: Readonly<Record<string, JSONSchemaProps>>,
  b: Readonly<Record<string, JSONSchemaProps>>,
  depth: number,
): number {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (names.size === 0) return 1;
  let sum = 0;
  for (const name of names)
    if (Object.hasOwn(a, name) && Object.hasOwn(b, name))
      sum += schemaSimilarity(a[name]!, b[name]!, depth + 1);
  return sum / names.size;
}

function mapSimilarity(a: JSONSchemaProps, b: JSONSchemaProps, depth: number): number {
  const [x, y] = [a.additionalProperties, b.additionalProperties];
  return isSchema(x) && isSchema(y) ? schemaSimilarity(x, y, depth + 1) : 0.5;
}

function enumSimilarity(a: readonly unknown[], b: readonly unknown[]): number {
  const shared = a.filter((value) => b.some((other) => deepEqual(value as never, other as never))).length;
  return 0.4 + (0.6 * shared) / Math.max(a.length, b.length, 1);
}
