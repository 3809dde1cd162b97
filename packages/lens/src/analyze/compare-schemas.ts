// Compares the schema that a lens produces with that of the other version: fields without a counterpart,
// other types, values that are not allowed, required fields without a value.
import { deepEqual, encodeJson, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { FindingKind, Severity } from '../schema/finding.ts';
import { typesOf } from '../schema/schema-reading.ts';
import { isOpen, propertyOf } from '../schema/schema-tree.ts';

export interface SchemaComparison {
  report(kind: FindingKind, severity: Severity, path: string, message: string): void;
  prove(path: string, because: string): void;
  /** The operation that filled a field, if one did. */
  filledBy(path: string): string | undefined;
  /** Whether an operation moved the field, a parent of it, or something in it. */
  isTouched(path: string): boolean;
  /** The operation that stashes a field which only this version has. */
  readonly stashingOp: 'add' | 'remove';
}

/** `made` is what the lens produces, `wanted` what the version has. */
export function compareSchemas(
  made: JSONSchemaProps,
  wanted: JSONSchemaProps,
  path: string,
  to: SchemaComparison,
): void {
  if (!compareTypes(made, wanted, path, to)) return;
  compareConstraints(made, wanted, path, to);
  if (isObjectLike(made) || isObjectLike(wanted)) compareObjects(made, wanted, path, to);
  const items = [made.items, wanted.items];
  if (isSchema(items[0]) && isSchema(items[1])) compareSchemas(items[0], items[1], `${path}[*]`, to);
  const values = [made.additionalProperties, wanted.additionalProperties];
  if (isSchema(values[0]) && isSchema(values[1])) compareSchemas(values[0], values[1], `${path}{*}`, to);
}

const isSchema = (value: unknown): value is JSONSchemaProps =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isObjectLike = ({ properties, required }: JSONSchemaProps): boolean =>
  properties !== undefined || required !== undefined;
const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function compareTypes(
  made: JSONSchemaProps,
  wanted: JSONSchemaProps,
  path: string,
  to: SchemaComparison,
): boolean {
  const [has, wants] = [typesOf(made), typesOf(wanted)];
  if (has === undefined && wants !== undefined && isOpen(made)) {
    to.report('type', 'error', path, `may be anything here and only ${wants.join(' or ')} there`);
    return false;
  }
  if (has === undefined || wants === undefined) return true;
  const refused = has.filter(
    (type) => !wants.includes(type) && !(type === 'integer' && wants.includes('number')),
  );
  if (refused.length === 0) return true;
  const hint =
    refused.every((type) => SCALARS.has(type)) && wants.every((type) => SCALARS.has(type)) ? ': cast it' : '';
  to.report('type', 'error', path, `is ${has.join(' or ')} here and ${wants.join(' or ')} there${hint}`);
  return false;
}

const SCALARS = new Set(['string', 'integer', 'number', 'boolean']);

const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;

/** Only what can be compared: a different pattern may still allow the same. */
function compareConstraints(
  made: JSONSchemaProps,
  wanted: JSONSchemaProps,
  path: string,
  to: SchemaComparison,
): void {
  const texts = [
    ...(wanted.enum === undefined ? [] : enumTexts(made.enum, wanted.enum)),
    ...(made.enum === undefined ? boundTexts(made, wanted) : []),
  ];
  if (texts.length > 0) to.report('narrower', 'warning', path, texts.join('; '));
}

function boundTexts(made: JSONSchemaProps, wanted: JSONSchemaProps): string[] {
  const upper = UPPER.filter(
    (key) => wanted[key] !== undefined && !(made[key] !== undefined && made[key] <= wanted[key]),
  );
  const lower = LOWER.filter(
    (key) => (wanted[key] ?? 0) > 0 && !(made[key] !== undefined && made[key] >= wanted[key]!),
  );
  const bounds = [...upper, ...lower].map((key) => `${key} is ${wanted[key]} there${was(made[key])}`);
  if (wanted.pattern !== undefined && wanted.pattern !== made.pattern)
    bounds.push(`must match ${wanted.pattern} there${was(made.pattern)}`);
  if (made.nullable === true && wanted.nullable !== true) bounds.push('may be null here and not there');
  return bounds;
}

const was = (value: number | string | undefined): string => (value === undefined ? '' : `, ${value} here`);

function enumTexts(made: readonly JsonValue[] | undefined, wanted: readonly JsonValue[]): string[] {
  const list = (values: readonly JsonValue[]): string => values.map((value) => encodeJson(value)).join(', ');
  if (made === undefined) return [`only ${list(wanted)} are allowed there, and anything here`];
  const extra = made.filter((value) => !wanted.some((other) => deepEqual(value, other)));
  return extra.length > 0 ? [`${list(extra)} are not allowed there`] : [];
}

function compareObjects(
  made: JSONSchemaProps,
  wanted: JSONSchemaProps,
  path: string,
  to: SchemaComparison,
): void {
  for (const [key, schema] of Object.entries(made.properties ?? {})) {
    const other = propertyOf(wanted, key);
    if (other === undefined) to.report('missing', 'error', below(path, key), noPlace(to.stashingOp));
    else if (!isOpen(other) || other.type !== undefined) compareField(schema, other, below(path, key), to);
    if (other !== undefined) compareDefaults(key, made, wanted, path, to);
  }
  if (isOpen(made) && !isOpen(wanted) && wanted.properties !== undefined)
    to.report(
      'missing',
      'error',
      path === '' ? '.' : path,
      'holds anything here, and only the fields of the schema there: the rest is pruned',
    );
  for (const key of Object.keys(wanted.properties ?? {})) {
    const field = below(path, key);
    if (
      propertyOf(made, key) === undefined &&
      wanted.required?.includes(key) !== true &&
      to.filledBy(field) === undefined
    )
      to.report('unfilled', 'info', field, 'gets no value: no operation mentions it');
  }
  for (const key of wanted.required ?? []) compareRequired(key, made, wanted, path, to);
}

const noPlace = (op: string): string =>
  `has no counterpart there and no operation takes it, so it would be pruned: move it, or ${op} it, so that it is stashed`;

/** What the server defaults there comes back as if a client had written it. */
function compareDefaults(
  key: string,
  made: JSONSchemaProps,
  wanted: JSONSchemaProps,
  path: string,
  to: SchemaComparison,
): void {
  const there = wanted.properties?.[key]?.default;
  if (
    there === undefined ||
    made.required?.includes(key) === true ||
    deepEqual(there, made.properties?.[key]?.default)
  )
    return;
  to.report(
    'lossy',
    'warning',
    below(path, key),
    `has the default ${encodeJson(there)} there, which comes back: default it in the lens, so that it does not`,
  );
}

/** For equal schemas only the proofs matter. */
const ignore = (): void => {};

function compareField(
  made: JSONSchemaProps,
  wanted: JSONSchemaProps,
  path: string,
  to: SchemaComparison,
): void {
  const isTouched = to.isTouched(path);
  const isSame = deepEqual(made as JsonValue, wanted as JsonValue);
  if (!isTouched && (isSame || made.properties === undefined))
    to.report('carried', 'info', path, 'no operation mentions it: carried over unchanged');
  compareSchemas(made, wanted, path, isSame && !isTouched ? { ...to, report: ignore } : to);
}

function compareRequired(
  key: string,
  made: JSONSchemaProps,
  wanted: JSONSchemaProps,
  path: string,
  to: SchemaComparison,
): void {
  const field = below(path, key);
  const filler = to.filledBy(field);
  if (made.required?.includes(key) === true)
    to.prove(field, filler === undefined ? 'it is required here too' : `${filler} always gives it a value`);
  else if (wanted.properties?.[key]?.default !== undefined) to.prove(field, 'the schema there has a default');
  else if (made.properties?.[key]?.default !== undefined) to.prove(field, 'the schema here has a default');
  else if (filler !== undefined)
    to.report('required', 'error', field, `is required there, and ${filler} does not always give it a value`);
  else
    to.report(
      'required',
      'error',
      field,
      made.properties?.[key] === undefined
        ? 'is required there and gets no value: add it with a default'
        : 'is required there and optional here',
    );
}
