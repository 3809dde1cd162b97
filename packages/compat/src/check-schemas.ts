// Runs the schema rules at every location that two schemas share. A difference that no rule covers is
// reported as unhandled.
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { movesOf } from './fields/moves.ts';
import type { Change, Rule } from './rule.ts';
import { documentation } from './rules/documentation.ts';
import { fieldAdded } from './rules/field-added.ts';
import { fieldRemoved } from './rules/field-removed.ts';
import { fieldRenamed } from './rules/field-renamed.ts';
import { SCHEMA_RULES } from './rules/index.ts';
import { newRequiredField } from './rules/new-required-field.ts';
import { unhandled } from './rules/reported.ts';
import { typeChanged } from './rules/type-changed.ts';
import type { NodePair, PairContext } from './walk/node-pair.ts';
import { walkSchemas } from './walk/walk-schemas.ts';

export interface SchemaFinding {
  readonly rule: Rule;
  readonly change: Change;
  readonly path: string;
}

export function checkSchemas(
  old: JSONSchemaProps,
  next: JSONSchemaProps,
  context: PairContext,
): SchemaFinding[] {
  const findings: SchemaFinding[] = [];
  let described = 0;
  walkSchemas(old, next, context, (pair) => {
    if (documentation.compare(pair).length > 0) described++;
    const found = checkLocation(pair);
    findings.push(...found);
    return !found.some(isOtherType);
  });
  markMoves(old, next, findings);
  if (described > 0) {
    const message = `descriptions of ${described} ${described === 1 ? 'field' : 'fields'} changed`;
    findings.push({ rule: documentation, change: { severity: 'safe', message }, path: '' });
  }
  return findings;
}

/** A field that was removed here and added elsewhere is reported as moved, at its old path. */
function markMoves(old: JSONSchemaProps, next: JSONSchemaProps, findings: SchemaFinding[]): void {
  const pathsOf = (...rules: readonly Rule[]): string[] =>
    findings.filter(({ rule }) => rules.includes(rule)).map(({ path }) => path);
  const moves = movesOf(old, next, pathsOf(fieldRemoved), pathsOf(fieldAdded, newRequiredField));
  findings.forEach(({ rule, change, path }, index) => {
    const to = rule === fieldRemoved ? moves.get(path) : undefined;
    if (to !== undefined)
      findings[index] = {
        rule: fieldRenamed,
        path,
        change: { ...change, message: `field seems to have moved to ${to} (the same schema)` },
      };
  });
}

const isOtherType = ({ rule, change }: SchemaFinding): boolean =>
  rule === typeChanged && change.severity === 'breaking';

const RULES = SCHEMA_RULES.filter((rule) => rule !== documentation);
const HANDLED = new Set(SCHEMA_RULES.flatMap(({ keywords }) => keywords));

/** The API server defines these fields, not the schema. */
const SERVER_FIELDS = new Set(['apiVersion', 'kind']);

function checkLocation(pair: NodePair): SchemaFinding[] {
  if (SERVER_FIELDS.has(pair.path)) return [];
  const differing = differingKeywords(pair);
  if (differing.length === 0) return [];
  const ofType = run(typeChanged.compare(pair), typeChanged, pair);
  // The limits of a string do not apply to the list that it became.
  if (ofType.some(isOtherType)) return ofType;
  // allOf can contain what any rule checks.
  const concerns = (keywords: readonly string[]): boolean =>
    differing.includes('allOf') || keywords.some((keyword) => differing.includes(keyword));
  const found = RULES.filter(({ keywords }) => concerns(keywords)).flatMap((rule) =>
    run(rule.compare(pair), rule, pair),
  );
  const unknown = differing.filter((keyword) => !HANDLED.has(keyword));
  return [
    ...found,
    ...unknown.flatMap((keyword) =>
      run([{ severity: 'unsure', message: `${keyword} changed` }], unhandled, pair),
    ),
  ];
}

function run(changes: readonly Change[], rule: Rule, { path }: NodePair): SchemaFinding[] {
  return changes.map((change) => ({ rule, change, path: `${path}${change.at ?? ''}`.replace(/^\./, '') }));
}

/** Of fields and items only the names are compared here; the walk visits their schemas later. */
function differingKeywords({ old, new: next }: NodePair): string[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...keys].filter(
    (key) => !isSame(key, old[key as keyof JSONSchemaProps], next[key as keyof JSONSchemaProps]),
  );
}

function isSame(key: string, was: unknown, is: unknown): boolean {
  if (key === 'properties')
    return (
      Object.keys(was ?? {})
        .sort()
        .join('\n') ===
      Object.keys(is ?? {})
        .sort()
        .join('\n')
    );
  if (
    (key === 'items' || key === 'additionalProperties') &&
    typeof was === 'object' &&
    typeof is === 'object'
  )
    return Array.isArray(was) === Array.isArray(is);
  return was === is || deepEqual(was as JsonValue | undefined, is as JsonValue | undefined);
}
