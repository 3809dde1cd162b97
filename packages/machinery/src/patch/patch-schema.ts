// The schema that strategic merge patch needs: how lists and objects merge. Structural schemas of built-in
// kinds satisfy it.
import { PatchError } from './patch-error.ts';

export interface PatchSchema {
  readonly properties?: ReadonlyMap<string, PatchSchema> | undefined;
  readonly items?: PatchSchema | undefined;
  readonly additionalProperties?: PatchSchema | boolean | undefined;
  /** "merge", "replace", "retainKeys", or two of them separated by a comma. */
  readonly patchStrategy?: string | undefined;
  readonly patchMergeKey?: string | undefined;
}

const UNKNOWN: PatchSchema = {};

export function fieldSchema(schema: PatchSchema, field: string): PatchSchema {
  const known = schema.properties?.get(field);
  if (known !== undefined) return known;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : UNKNOWN;
}

export function itemSchema(schema: PatchSchema): PatchSchema {
  return schema.items ?? UNKNOWN;
}

/** The strategy without retainKeys, which only allows the directive. */
export function patchStrategyOf(schema: PatchSchema): string {
  const strategies = (schema.patchStrategy ?? '').split(',').filter((strategy) => strategy !== '');
  const others = strategies.filter((strategy) => strategy !== 'retainKeys');
  if (others.length > 1 || strategies.length > 2)
    throw new PatchError(`unexpected patch strategy: [${strategies.join(' ')}]`);
  return others[0] ?? '';
}
