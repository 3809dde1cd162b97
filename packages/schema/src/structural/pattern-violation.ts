// A pattern must be a regular expression that RE2 accepts, anywhere in a schema.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { compilePattern } from '../validate/pattern.ts';

export function checkPattern({ pattern }: JSONSchemaProps, path: FieldPath, errors: FieldError[]): void {
  if (pattern === undefined || pattern === '') return;
  const compiled = compilePattern(pattern);
  if (!(compiled instanceof Error)) return;
  errors.push(
    fieldErrors.invalid(
      path.child('pattern'),
      pattern,
      `must be a valid regular expression, but isn't: ${compiled.message}`,
    ),
  );
}
