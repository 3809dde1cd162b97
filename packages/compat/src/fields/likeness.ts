// How similar two fields are: whether an added field may be a removed one under another name. This is a
// guess, and reported as one.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { typeOf } from '../walk/type-of.ts';
import { isSchema } from '../walk/walk-schemas.ts';

interface Likeness {
  readonly score: number;
  readonly reason: string;
}

/** Undefined: they are not similar. */
export function likenessOf(
  from: string,
  was: JSONSchemaProps,
  to: string,
  is: JSONSchemaProps,
): Likeness | undefined {
  const names = nameLikeness(from, to);
  if (isSchema(is.items) && typeOf(is.items) === typeOf(was) && names >= 0.6)
    return { score: 2 + names, reason: 'a list of the same type' };
  if (typeOf(was) !== typeOf(is)) return undefined;
  const isSameShape = shapeOf(was) === shapeOf(is);
  const fields = fieldOverlap(was, is);
  // All plain strings have the same schema: only the name can say that one is the other.
  if (isSameShape && (fields.count >= 2 || names >= (isDistinctive(was) ? 0.5 : 0.75)))
    return { score: 3 + names, reason: 'the same schema' };
  if (isSameShape && isDistinctive(was)) return { score: 1.5 + names, reason: 'the same validation' };
  if (fields.count >= 3 && fields.share >= 0.7)
    return { score: 1 + fields.share + names, reason: 'mostly the same fields' };
  return names >= 0.75 && fields.count === 0 && typeOf(was) !== 'object'
    ? { score: names, reason: 'the same type and a similar name' }
    : undefined;
}

/** 1 for the same letters; otherwise by how much the names overlap. */
function nameLikeness(a: string, b: string): number {
  const [x, y] = [a, b].map((name) =>
    name.toLowerCase().replace(/[-_]/g, '').replace(/ies$/, 'y').replace(/s$/, ''),
  ) as [string, string];
  if (x === y) return 1;
  if (x.length > 2 && y.length > 2 && (x.includes(y) || y.includes(x)))
    return Math.max(0.5, Math.min(x.length, y.length) / Math.max(x.length, y.length));
  return 1 - editDistance(x, y) / Math.max(x.length, y.length);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

function fieldOverlap(
  was: JSONSchemaProps,
  is: JSONSchemaProps,
): { readonly count: number; readonly share: number } {
  const [a, b] = [was, is].map((schema) =>
    Object.keys((isSchema(schema.items) ? schema.items : schema).properties ?? {}),
  ) as [string[], string[]];
  const common = a.filter((name) => b.includes(name)).length;
  return { count: common, share: common / Math.max(a.length, b.length, 1) };
}

/** Plain strings are all alike; an enum, a pattern or rules make a field distinctive. */
function isDistinctive(schema: JSONSchemaProps): boolean {
  return (
    schema.enum !== undefined ||
    schema.pattern !== undefined ||
    (schema['x-kubernetes-validations']?.length ?? 0) > 0
  );
}

const DOCUMENTATION = new Set(['description', 'title', 'example', 'externalDocs', '$schema', 'id']);

/** A schema as text, without documentation, with sorted keys. */
export function shapeOf(schema: JSONSchemaProps): string {
  return JSON.stringify(bare(schema as unknown as JsonValue, true));
}

function bare(value: JsonValue, isSchemaHere: boolean): JsonValue {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((item) => bare(item, isSchemaHere));
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value)
    .sort()
    .filter((key) => !isSchemaHere || !DOCUMENTATION.has(key));
  const members = keys.map((key): [string, JsonValue] => [
    key,
    bare(value[key]!, !isSchemaHere || key !== 'properties'),
  ]);
  return Object.fromEntries(members) as JsonObject;
}
