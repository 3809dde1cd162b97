// Below anyOf, allOf, oneOf and not, a schema may only constrain values, not specify types or the meaning of
// fields.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { checkPattern } from './pattern-violation.ts';

interface IntOrStringPatterns {
  readonly skipAnyOf: boolean;
  readonly skipFirstAllOfAnyOf: boolean;
}

const NO_PATTERN: IntOrStringPatterns = { skipAnyOf: false, skipFirstAllOfAnyOf: false };

/** Checks the junctors of a schema. */
export function nestedViolations(
  schema: JSONSchemaProps,
  path: FieldPath,
  patterns: IntOrStringPatterns,
): FieldError[] {
  const errors: FieldError[] = [];
  const { anyOf = [], allOf = [], oneOf = [], not } = schema;
  for (const [index, branch] of patterns.skipAnyOf ? [] : anyOf.entries()) {
    checkNested(branch, path.child('anyOf').index(index), NO_PATTERN, errors);
  }
  for (const [index, branch] of allOf.entries()) {
    const skipAnyOf = patterns.skipFirstAllOfAnyOf && index === 0;
    checkNested(branch, path.child('allOf').index(index), { ...NO_PATTERN, skipAnyOf }, errors);
  }
  for (const [index, branch] of oneOf.entries())
    checkNested(branch, path.child('oneOf').index(index), NO_PATTERN, errors);
  if (not !== undefined) checkNested(not, path.child('not'), NO_PATTERN, errors);
  return errors;
}

function checkNested(
  schema: JSONSchemaProps,
  path: FieldPath,
  patterns: IntOrStringPatterns,
  errors: FieldError[],
): void {
  const { items, properties = {} } = schema;
  errors.push(...nestedViolations(schema, path, patterns));
  checkPattern(schema, path, errors);
  if (items !== undefined && !Array.isArray(items))
    checkNested(items, path.child('items'), NO_PATTERN, errors);
  for (const name in properties)
    checkNested(properties[name]!, path.child('properties').key(name), NO_PATTERN, errors);
  for (const [keyword, mustBe] of FORBIDDEN) {
    if (isSet(schema, keyword))
      errors.push(fieldErrors.forbidden(path.child(keyword), `must be ${mustBe} to be structural`));
  }
  if (Object.hasOwn(properties, 'metadata')) {
    errors.push(
      fieldErrors.forbidden(
        path.child('properties').key('metadata'),
        'must not be specified in a nested context',
      ),
    );
  }
}

const FORBIDDEN: readonly (readonly [keyof JSONSchemaProps, string])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
];

function isSet(schema: JSONSchemaProps, keyword: keyof JSONSchemaProps): boolean {
  const value = schema[keyword];
  if (value === undefined || value === null || value === false || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}
