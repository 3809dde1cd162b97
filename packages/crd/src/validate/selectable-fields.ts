// The fields that field selectors may use: few, scalar, and in the schema.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { SelectableFieldDefinition } from '../types.ts';
import { MAX_SELECTABLE_FIELDS } from './options.ts';

export function validateSelectableFields(
  fields: readonly SelectableFieldDefinition[],
  schema: JSONSchemaProps,
  tooManyAllowed: boolean,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const known = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    errors.push(...validateField(jsonPath, schema, known, path.index(index).child('jsonPath')));
  }
  if (known.size > MAX_SELECTABLE_FIELDS && !tooManyAllowed)
    errors.push(fieldErrors.tooMany(path, known.size, MAX_SELECTABLE_FIELDS));
  return errors;
}

/** Adds the path to `known`, whatever is wrong with its field. */
function validateField(
  jsonPath: string,
  schema: JSONSchemaProps,
  known: Set<string>,
  path: FieldPath,
): FieldError[] {
  if (jsonPath === '') return [fieldErrors.required(path)];
  const found = resolve(jsonPath, schema);
  if (typeof found === 'string') return [fieldErrors.invalid(path, jsonPath, `is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (found.names[0] === 'metadata')
    errors.push(fieldErrors.invalid(path, jsonPath, 'must not point to fields in metadata'));
  if (!SCALARS.includes(found.schema?.type ?? '')) {
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    errors.push(fieldErrors.invalid(path, jsonPath, detail));
  }
  const normal = found.names.join('.');
  if (known.has(normal)) errors.push(fieldErrors.duplicate(path, jsonPath));
  known.add(normal);
  return errors;
}

const SCALARS = ['string', 'boolean', 'integer'];

interface Resolved {
  readonly names: readonly string[];
  readonly schema: JSONSchemaProps | undefined;
}

/** The error, if there is no such field. */
function resolve(jsonPath: string, root: JSONSchemaProps): Resolved | string {
  const tokens = jsonPath.match(/[.[\]]|[^.[\]]+/g) ?? [];
  const names: string[] = [];
  let schema: JSONSchemaProps | undefined = root;
  for (let index = 0; index < tokens.length; index += 2) {
    if (tokens[index] === '[') return 'array notation is not allowed';
    if (tokens[index] !== '.') return `expected [ or . but got: ${tokens[index]}`;
    const name = tokens[index + 1];
    if (name === undefined) return 'unexpected end of JSON path';
    const next: JSONSchemaProps | boolean | undefined =
      schema === undefined ? undefined : fieldOf(schema, name);
    if (next === undefined) return 'does not refer to a valid field';
    names.push(name);
    schema = typeof next === 'object' ? next : undefined;
  }
  return { names, schema };
}

function fieldOf(
  { properties = {}, additionalProperties }: JSONSchemaProps,
  name: string,
): JSONSchemaProps | boolean | undefined {
  if (Object.keys(properties).length === 0) return additionalProperties;
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
