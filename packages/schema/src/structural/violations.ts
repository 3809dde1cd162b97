// What makes a schema not structural: the requirements by which one tree specifies all fields, independent of
// anyOf, allOf, oneOf and not. Other checks of a CRD's schema (forbidden keywords, defaults, rules) are
// elsewhere.
import { type FieldError, type FieldPath, fieldErrorMessage, fieldErrors } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { incompletenesses } from './completeness.ts';
import { metadataViolations } from './metadata-violations.ts';
import { nestedViolations } from './nested-violations.ts';
import { checkPattern } from './pattern-violation.ts';
import { setKeys } from './set-keys.ts';

type Level = 'root' | 'item' | 'field';

/** Sorted by message, as upstream. */
export function structuralViolations(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, 'root', path, errors);
  errors.push(...incompletenesses(schema, path));
  return errors
    .map((error) => ({ error, message: fieldErrorMessage(error) }))
    .sort((a, b) => (a.message < b.message ? -1 : a.message > b.message ? 1 : 0))
    .map(({ error }) => error);
}

function checkNode(schema: JSONSchemaProps, level: Level, path: FieldPath, errors: FieldError[]): void {
  checkChildren(schema, level, path, errors);
  checkExtensions(schema, path, errors);
  const isFirstAllOf = isIntOrString(schema.allOf?.[0]?.anyOf);
  errors.push(
    ...nestedViolations(schema, path, {
      skipAnyOf: isIntOrString(schema.anyOf),
      skipFirstAllOfAnyOf: isFirstAllOf,
    }),
  );
  checkPattern(schema, path, errors);
  checkType(schema, level, path, errors);
  errors.push(...metadataViolations(schema, level === 'root', path));
  const isEmptyEmbedding =
    schema['x-kubernetes-embedded-resource'] && !schema['x-kubernetes-preserve-unknown-fields'];
  if (isEmptyEmbedding && Object.keys(schema.properties ?? {}).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(fieldErrors.required(path.child('properties'), detail));
  }
}

function checkChildren(schema: JSONSchemaProps, level: Level, path: FieldPath, errors: FieldError[]): void {
  const { items, properties = {}, additionalProperties } = schema;
  if (schema.type === 'array' && items === undefined)
    errors.push(fieldErrors.required(path.child('items'), 'must be specified'));
  if (items !== undefined && !Array.isArray(items)) checkNode(items, 'item', path.child('items'), errors);
  for (const name in properties)
    checkNode(properties[name]!, 'field', path.child('properties').key(name), errors);
  if (additionalProperties === undefined) return;
  const keywordPath = path.child('additionalProperties');
  if (level === 'root') errors.push(fieldErrors.forbidden(keywordPath, 'must not be used at the root'));
  if (typeof additionalProperties === 'object') checkNode(additionalProperties, 'field', keywordPath, errors);
}

function checkExtensions(schema: JSONSchemaProps, path: FieldPath, errors: FieldError[]): void {
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema['x-kubernetes-int-or-string'] && schema[name])
      errors.push(fieldErrors.invalid(path.child(name), true, detail));
  }
  if (schema['x-kubernetes-embedded-resource'] && schema.additionalProperties !== undefined) {
    errors.push(
      fieldErrors.forbidden(
        path.child('additionalProperties'),
        'must not be used if x-kubernetes-embedded-resource is set',
      ),
    );
  }
}

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkType(schema: JSONSchemaProps, level: Level, path: FieldPath, errors: FieldError[]): void {
  const type = schema.type ?? '';
  const keywordPath = path.child('type');
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(
      type === ''
        ? fieldErrors.required(keywordPath, detail)
        : fieldErrors.invalid(keywordPath, type, detail),
    );
  } else if (
    type === '' &&
    !schema['x-kubernetes-int-or-string'] &&
    !schema['x-kubernetes-preserve-unknown-fields']
  ) {
    errors.push(fieldErrors.required(keywordPath, EMPTY_TYPE[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(fieldErrors.invalid(keywordPath, type, 'must be object at the root'));
}

/** The only types allowed below anyOf: x-kubernetes-int-or-string, written out. */
function isIntOrString(anyOf: JSONSchemaProps[] | undefined): boolean {
  if (anyOf?.length !== 2) return false;
  return (
    anyOf[0]!.type === 'integer' &&
    anyOf[1]!.type === 'string' &&
    anyOf.every((branch) => setKeys(branch).length === 1)
  );
}
