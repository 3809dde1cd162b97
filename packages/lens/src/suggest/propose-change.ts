// Operations for a field that both versions have under the same path, with another schema.
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { MapValues, ScalarType } from '../document.ts';
import { printPath } from '../path/path.ts';
import { type ChangedField, isSchema } from './differences.ts';
import { nameSimilarity, typeOf } from './similarity.ts';
import type { Suggestion } from './suggestion.ts';

const SCALARS = new Set<string>(['string', 'integer', 'number', 'boolean']);

/** In the order in which they must run; none if nothing fits. */
export function proposeChange(change: ChangedField): Suggestion[] {
  return proposeEntries(change) ?? [proposeOne(change)].filter((suggestion) => suggestion !== undefined);
}

/** A map that became a list of its entries; its values become objects first, if they were not. */
function proposeEntries({ path, before, after }: ChangedField): Suggestion[] | undefined {
  const values = before.additionalProperties;
  if (!isSchema(values) || !isSchema(after.items) || after.items.properties === undefined) return undefined;
  const names = Object.keys(after.items.properties);
  const key = ['name', 'key', 'id'].find((name) => names.includes(name)) ?? names[0]!;
  const entries: Suggestion = {
    op: { entries: { from: printPath(path), key } },
    confidence: 0.7,
    why: `a map became a list; ${key} may hold its keys`,
  };
  if (values.properties !== undefined) return [entries];
  const as = names.find((name) => name !== key) ?? 'value';
  return [
    {
      op: { box: { from: `${printPath(path)}{*}`, as } },
      confidence: 0.7,
      why: `its values may go into ${as}`,
    },
    entries,
  ];
}

function proposeOne({ path, before, after }: ChangedField): Suggestion | undefined {
  const at = printPath(path);
  const [from, to] = [typeOf(before), typeOf(after)];
  if (from === to) return proposeMap(at, before.enum ?? [], after.enum ?? []);
  if (from === 'boolean' && to === 'string') return proposeMap(at, [false, true], after.enum ?? []);
  if (from === 'string' && to === 'boolean') return proposeMap(at, before.enum ?? [], [false, true]);
  if (to === 'int-or-string' || from === 'int-or-string' || from === 'any' || to === 'any') return undefined;
  if (SCALARS.has(from) && SCALARS.has(to))
    return {
      op: { cast: { path: at, from: from as ScalarType, to: to as ScalarType } },
      confidence: 0.85,
      why: `${from} became ${to}`,
    };
  return proposeShape(at, before, after);
}

function proposeShape(at: string, before: JSONSchemaProps, after: JSONSchemaProps): Suggestion | undefined {
  if (isSchema(after.items) && typeOf(after.items) === typeOf(before))
    return { op: { wrap: { from: at, to: at } }, confidence: 0.85, why: 'became a list of what it was' };
  if (isSchema(before.items) && typeOf(before.items) === typeOf(after))
    return {
      op: { head: { from: at, to: at } },
      confidence: 0.7,
      why: 'became one item of the list that it was',
    };
  const boxed = fieldOfType(after, typeOf(before));
  if (boxed !== undefined)
    return {
      op: { box: { from: at, as: boxed } },
      confidence: 0.6,
      why: `became an object; ${boxed} may hold what it was`,
    };
  const unboxed = fieldOfType(before, typeOf(after));
  if (unboxed !== undefined)
    return {
      op: { unbox: { from: at, field: unboxed } },
      confidence: 0.6,
      why: `was an object; ${unboxed} may hold what it became`,
    };
  return undefined;
}

function fieldOfType(schema: JSONSchemaProps, type: string): string | undefined {
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => typeOf(schema.properties![name]!) === type,
  );
  return names.find((name) => schema.required?.includes(name) === true) ?? names[0];
}

/** Removed values are paired with added ones; the rest is kept. */
function proposeMap(
  at: string,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Suggestion | undefined {
  const gone = before.filter((value) => !has(after, value));
  const fresh = after.filter((value) => !has(before, value));
  if (gone.length === 0) return undefined;
  const values: MapValues['values'] = [];
  const left = [...fresh];
  for (const from of gone) {
    const to = best(from, left);
    if (to === undefined) continue;
    left.splice(left.indexOf(to), 1);
    values.push({ from, to });
  }
  if (values.length === 0) return undefined;
  const isComplete = values.length === before.length && before.length === after.length;
  const unknown = isComplete ? {} : { unknown: 'keep' as const };
  return {
    op: { map: { path: at, values, ...unknown } },
    confidence: 0.5,
    why: 'the allowed values changed; which is which is a guess',
  };
}

const has = (values: readonly JsonValue[], value: JsonValue): boolean =>
  values.some((other) => deepEqual(other, value));

/** Usual names of booleans. */
const MEANS: readonly [RegExp, boolean][] = [
  [/^(dis|no|off|false|never|inactive|deny|none)/i, false],
  [/^(en|yes|on|true|always|active|allow)/i, true],
];

function best(from: JsonValue, candidates: readonly JsonValue[]): JsonValue | undefined {
  return [...candidates].sort((a, b) => likeness(from, b) - likeness(from, a))[0];
}

function likeness(a: JsonValue, b: JsonValue): number {
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    const [flag, word] = typeof a === 'boolean' ? [a, b] : [b, a];
    return MEANS.find(([pattern]) => pattern.test(String(word)))?.[1] === flag ? 1 : 0;
  }
  return nameSimilarity(String(a), String(b));
}
