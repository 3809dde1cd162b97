// Where two schemas differ: fields that only one of them has, and fields that both have with differences.
import { deepEqual } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { ITEMS, type Path, VALUES } from '../path/path.ts';
import { typeOf } from './similarity.ts';

export interface Field {
  readonly path: Path;
  readonly name: string;
  readonly schema: JSONSchemaProps;
  readonly isRequired: boolean;
}

export interface ChangedField {
  readonly path: Path;
  readonly before: JSONSchemaProps;
  readonly after: JSONSchemaProps;
}

export interface Differences {
  readonly gone: Field[];
  readonly fresh: Field[];
  readonly changed: ChangedField[];
  /** Both have it, and only the new one, or only the old one, requires it. */
  readonly newlyRequired: Field[];
  readonly noLongerRequired: Field[];
  /** The server applies other defaults, or only in one of the versions. */
  readonly otherDefaults: ChangedField[];
}

const NOT_FOR_LENSES = new Set(['apiVersion', 'kind', 'metadata']);

export function differencesOf(before: JSONSchemaProps, after: JSONSchemaProps): Differences {
  const found: Differences = {
    gone: [],
    fresh: [],
    changed: [],
    newlyRequired: [],
    noLongerRequired: [],
    otherDefaults: [],
  };
  compareObjects(before, after, [], found);
  return found;
}

export function fieldsOf(schema: JSONSchemaProps, path: Path): Field[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => path.length > 0 || !NOT_FOR_LENSES.has(name))
    .map(([name, field]) => ({
      path: [...path, { key: name }],
      name,
      schema: field,
      isRequired: schema.required?.includes(name) === true,
    }));
}

function compareObjects(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  path: Path,
  found: Differences,
): void {
  const [old, now] = [fieldsOf(before, path), fieldsOf(after, path)];
  const names = new Map(now.map((field) => [field.name, field]));
  for (const field of old) {
    const other = names.get(field.name);
    if (other === undefined) {
      found.gone.push(field);
      continue;
    }
    if (other.isRequired && !field.isRequired && other.schema.default === undefined)
      found.newlyRequired.push(other);
    if (field.isRequired && !other.isRequired && field.schema.default === undefined)
      found.noLongerRequired.push(field);
    if (!deepEqual(field.schema.default, other.schema.default))
      found.otherDefaults.push({ path: field.path, before: field.schema, after: other.schema });
    compareFields(field.schema, other.schema, field.path, found);
  }
  const known = new Set(old.map(({ name }) => name));
  found.fresh.push(...now.filter(({ name }) => !known.has(name)));
}

function compareFields(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  path: Path,
  found: Differences,
): void {
  if (deepEqual(before as never, after as never)) return;
  if (typeOf(before) !== typeOf(after)) found.changed.push({ path, before, after });
  else if (before.properties !== undefined && after.properties !== undefined)
    compareObjects(before, after, path, found);
  else if (isSchema(before.items) && isSchema(after.items))
    compareFields(before.items, after.items, [...path, ITEMS], found);
  else if (isSchema(before.additionalProperties) && isSchema(after.additionalProperties))
    compareFields(before.additionalProperties, after.additionalProperties, [...path, VALUES], found);
  else if (!deepEqual((before.enum ?? null) as never, (after.enum ?? null) as never))
    found.changed.push({ path, before, after });
}

export const isSchema = (value: unknown): value is JSONSchemaProps =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
