// Two schemas at the same path, and what rules read from them. allOf is read as part of its schema, so that
// limits in it count too.
import type { JsonValue } from '@instar/machinery';
import type { JSONSchemaProps, ValidationRule } from '@instar/schema';

export interface NodePair {
  readonly old: JSONSchemaProps;
  readonly new: JSONSchemaProps;
  /** As in spec.rules[*].name. */
  readonly path: string;
  readonly context: PairContext;
  /** If the schema is a field of an object: its name, and the new schema of that object. */
  readonly field?: { readonly name: string; readonly holder: JSONSchemaProps };
}

/** The same during the whole walk. */
export interface PairContext {
  /** Runs changed rules on values. */
  readonly judgeRules: RuleJudge;
  /** The values of given objects at a path. */
  readonly given: (path: string) => readonly JsonValue[];
  /** Paths of enums that are open for new values, although their descriptions do not say so. */
  readonly openEnums: ReadonlySet<string>;
  /** A webhook converts, although the definition does not say so: overlays and charts patch that in. */
  readonly converted?: boolean;
}

interface RuleVerdict {
  /**
   * Of `tried` values that the old schema accepts, those that the new rules refuse and those that only the
   * new rules accept.
   */
  readonly tried: number;
  readonly refused: readonly string[];
  readonly admitted: readonly string[];
  /** Of values in given objects. */
  readonly given: { readonly tried: number; readonly refused: number };
}

export type RuleJudge = (
  pair: NodePair,
  oldRules: readonly ValidationRule[],
  newRules: readonly ValidationRule[],
) => RuleVerdict | undefined;

/** The schema and, flattened, the schemas in its allOf. */
export function conjunctsOf(schema: JSONSchemaProps): JSONSchemaProps[] {
  return [schema, ...(schema.allOf ?? []).flatMap(conjunctsOf)];
}

type LimitKeyword = 'maxLength' | 'minLength' | 'maxItems' | 'minItems' | 'maxProperties' | 'minProperties';

export function limitOf(schema: JSONSchemaProps, keyword: LimitKeyword): number | undefined {
  const limits = conjunctsOf(schema).flatMap((one) =>
    one[keyword] === undefined ? [] : [Number(one[keyword])],
  );
  if (limits.length === 0) return undefined;
  return keyword.startsWith('max') ? Math.min(...limits) : Math.max(...limits);
}

/** Undefined: any value. */
export function enumOf(schema: JSONSchemaProps): readonly JsonValue[] | undefined {
  const lists = conjunctsOf(schema).flatMap((one) =>
    one.enum === undefined || one.enum.length === 0 ? [] : [one.enum],
  );
  if (lists.length === 0) return undefined;
  return lists.reduce((common, list) => common.filter((value) => list.some((other) => isSame(value, other))));
}

export function patternsOf(schema: JSONSchemaProps): readonly string[] {
  return [
    ...new Set(
      conjunctsOf(schema).flatMap(({ pattern }) =>
        pattern === undefined || pattern === '' ? [] : [pattern],
      ),
    ),
  ];
}

export function requiredOf(schema: JSONSchemaProps): ReadonlySet<string> {
  return new Set(conjunctsOf(schema).flatMap(({ required }) => required ?? []));
}

export function isSame(a: JsonValue, b: JsonValue): boolean {
  return a === b || JSON.stringify(a, bigintAsText) === JSON.stringify(b, bigintAsText);
}

function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** A value as messages show it. */
export function show(value: JsonValue | undefined): string {
  const text = JSON.stringify(value, bigintAsText) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
