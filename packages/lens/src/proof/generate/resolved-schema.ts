// The junctors of a schema resolved by choice: which branch of a oneOf or anyOf an object takes, merged into
// the schema around it. Merging covers what schemas really have in branches (required names, values of
// fields, limits). The validator finds what it misses.
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { Dice } from './dice.ts';

export interface ResolvedSchema {
  /** Without junctors of its own. */
  readonly schema: JSONSchemaProps;
  /** Names of fields that should be absent. */
  readonly forbidden: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export const hasJunctors = ({ allOf, anyOf, oneOf, not }: JSONSchemaProps): boolean =>
  not !== undefined || (allOf?.length ?? 0) > 0 || (anyOf?.length ?? 0) > 0 || (oneOf?.length ?? 0) > 0;

export function shapeOf(schema: JSONSchemaProps, dice: Dice): ResolvedSchema {
  if (!hasJunctors(schema)) return { schema, forbidden: NONE };
  const forbidden = new Set<string>();
  const waiting = [schema];
  let merged = withoutJunctors(schema);
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one !== schema) merged = merge(merged, one);
    waiting.push(...(one.allOf ?? []));
    if ((one.anyOf?.length ?? 0) > 0) waiting.push(dice.pick(one.anyOf!));
    if ((one.oneOf?.length ?? 0) > 0) waiting.push(chosen(one.oneOf!, forbidden, dice));
    if (one.not !== undefined) forbid(one.not, new Set(), forbidden, dice);
  }
  for (const name of merged.required ?? []) forbidden.delete(name);
  return { schema: merged, forbidden };
}

/** One branch of a oneOf; what would make another branch hold as well is forbidden. */
function chosen(branches: readonly JSONSchemaProps[], forbidden: Set<string>, dice: Dice): JSONSchemaProps {
  const branch = dice.pick(branches);
  const wanted = new Set(branch.required);
  for (const other of branches) if (other !== branch) forbid(other, wanted, forbidden, dice);
  return branch;
}

function forbid(
  schema: JSONSchemaProps,
  wanted: ReadonlySet<string>,
  forbidden: Set<string>,
  dice: Dice,
): void {
  const names = (schema.required ?? []).filter((name) => !wanted.has(name));
  if (names.length > 0 && !names.some((name) => forbidden.has(name))) forbidden.add(dice.pick(names));
  for (const one of schema.anyOf ?? []) forbid(one, wanted, forbidden, dice);
}

function withoutJunctors(schema: JSONSchemaProps): JSONSchemaProps {
  const { allOf: _allOf, anyOf: _anyOf, oneOf: _oneOf, not: _not, ...rest } = schema;
  return rest;
}

/** Both hold. Junctors of `over` stay in the schemas of fields, where they are resolved later. */
function merge(base: JSONSchemaProps, over: JSONSchemaProps): JSONSchemaProps {
  const {
    required,
    properties,
    items,
    additionalProperties,
    enum: values,
    ...limits
  } = withoutJunctors(over);
  const merged: JSONSchemaProps = { ...base };
  mergeLimits(merged, limits);
  if (required !== undefined) merged.required = [...new Set([...(base.required ?? []), ...required])];
  if (values !== undefined) merged.enum = base.enum === undefined ? values : common(base.enum, values);
  if (properties !== undefined) merged.properties = mergeProperties(base.properties ?? {}, properties);
  if (items !== undefined && !Array.isArray(items) && base.items !== undefined && !Array.isArray(base.items))
    merged.items = mergeField(base.items, items);
  if (typeof additionalProperties === 'object' && typeof base.additionalProperties === 'object')
    merged.additionalProperties = mergeField(base.additionalProperties, additionalProperties);
  return merged;
}

function mergeProperties(
  base: Record<string, JSONSchemaProps>,
  over: Record<string, JSONSchemaProps>,
): Record<string, JSONSchemaProps> {
  const merged = { ...base };
  for (const [name, schema] of Object.entries(over))
    if (Object.hasOwn(base, name) && Object.keys(schema).length > 0)
      merged[name] = mergeField(base[name]!, schema);
  return merged;
}

function mergeField(base: JSONSchemaProps, over: JSONSchemaProps): JSONSchemaProps {
  const { allOf, anyOf, oneOf, not } = base;
  const kept: JSONSchemaProps = {
    ...(allOf && { allOf }),
    ...(anyOf && { anyOf }),
    ...(oneOf && { oneOf }),
    ...(not && { not }),
  };
  const merged = { ...merge(withoutJunctors(base), over), ...kept };
  return hasJunctors(over) ? { ...merged, allOf: [...(allOf ?? []), over] } : merged;
}

const HIGHER = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const LOWER = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

function mergeLimits(merged: JSONSchemaProps, over: JSONSchemaProps): void {
  for (const name of HIGHER)
    if (over[name] !== undefined)
      merged[name] = Math.max(Number(merged[name] ?? over[name]), Number(over[name]));
  for (const name of LOWER)
    if (over[name] !== undefined)
      merged[name] = Math.min(Number(merged[name] ?? over[name]), Number(over[name]));
  if (over.pattern !== undefined) merged.pattern = over.pattern;
  if (over.format !== undefined) merged.format = over.format;
  if (over.multipleOf !== undefined) merged.multipleOf = over.multipleOf;
  if (over.type !== undefined) merged.type = over.type;
}

const common = (a: readonly JsonValue[], b: readonly JsonValue[]): JsonValue[] =>
  a.filter((one) => b.some((other) => deepEqual(one, other)));
