// The schema of a version as a whole: structure first, then defaults, keywords, and the rules if everything
// they depend on is valid.
import { type FieldError, type FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';
import {
  checkDefaults,
  checkRules,
  type JSONSchemaProps,
  structuralViolations,
  unsupportedKeyword,
} from '@instar/schema';
import { checkKeywords } from './keywords.ts';
import type { ValidationOptions } from './options.ts';
import { printGoSchema, SCHEMA_FIELDS } from './print-go.ts';
import type { Steps } from './steps.ts';

export interface SchemaPlace {
  readonly statusEnabled: boolean;
  /** The schema is stored already: single rules are not refused for their cost. */
  readonly unchanged: boolean;
  /** Of the field that holds openAPIV3Schema. */
  readonly path: FieldPath;
}

export function* validateSchema(
  schema: JSONSchemaProps,
  place: SchemaPlace,
  options: ValidationOptions,
): Steps<FieldError[]> {
  const path = place.path.child('openAPIV3Schema');
  const errors = place.statusEnabled ? validateRootWithStatus(schema, place.path) : [];
  if (schema.nullable === true)
    errors.push(fieldErrors.forbidden(path.child('nullable'), 'nullable cannot be true at the root'));
  const unreadable = options.requireStructural ? unsupportedKeyword(schema) : undefined;
  const structural =
    options.requireStructural && unreadable === undefined
      ? yield* validateStructure(schema, options, path)
      : [];
  yield;
  const keywords = checkKeywords(schema, options, path);
  errors.push(...structural, ...keywords.errors);
  // A schema is mostly unreadable because of a forbidden keyword, which has been reported then.
  if (unreadable !== undefined)
    return errors.length > 0 ? errors : [fieldErrors.invalid(path, '', unreadable)];
  if (!options.requireStructural || structural.length > 0) return errors;
  yield;
  const isFaulty = (node: JSONSchemaProps) => keywords.faulty.has(node);
  return [...errors, ...checkRules(schema, path, { isFaulty, allowAnyRuleCost: place.unchanged })];
}

function* validateStructure(
  schema: JSONSchemaProps,
  { requirePrunedDefaults }: ValidationOptions,
  path: FieldPath,
): Steps<FieldError[]> {
  yield;
  const violations = structuralViolations(schema, path);
  yield;
  return violations.length > 0
    ? violations
    : checkDefaults(schema, path, { requirePruned: requirePrunedDefaults });
}

/**
 * What a root schema may have beside the status subresource: nothing that would be lost when the status alone
 * is validated.
 */
const ALLOWED_AT_ROOT =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'.split(
    ' ',
  );

/** Reports the first error only. */
function validateRootWithStatus(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  for (const [name, key] of SCHEMA_FIELDS) {
    const value = schema[key];
    if (value === undefined || value === '' || value === false) continue;
    if (key === 'type' && value !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [fieldErrors.invalid(path.child('openAPIV3Schema', 'type'), value as string, detail)];
    }
    if (ALLOWED_AT_ROOT.includes(name)) continue;
    const detail = `only [${ALLOWED_AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    const error = fieldErrors.invalid(path.child('openAPIV3Schema'), schema as unknown as JsonValue, detail);
    return [{ ...error, valueText: printGoSchema(schema) }];
  }
  return [];
}
