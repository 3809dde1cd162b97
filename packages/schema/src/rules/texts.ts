// Validates the rules of one node without compiling them: blank texts, line breaks, unknown reasons, invalid
// paths. The caller walks the schema.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.ts';
import { normalFieldPath } from './field-path.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

export function ruleTextViolations(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const at = path.child('x-kubernetes-validations').index(index);
    return [...checkMessages(rule, at), ...checkReason(rule, at), ...checkFieldPath(rule, schema, at)];
  });
}

function checkMessages(
  { rule, message = '', messageExpression = '' }: ValidationRule,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const isBlank = message.trim() === '';
  if (rule.trim() === '') errors.push(fieldErrors.required(at.child('rule'), 'rule is not specified'));
  else if (message !== '' && isBlank)
    errors.push(fieldErrors.invalid(at.child('message'), message, 'must be non-empty if specified'));
  else if (hasLineBreak(message.trim()))
    errors.push(fieldErrors.invalid(at.child('message'), message, 'must not contain line breaks'));
  else if (hasLineBreak(rule.trim()) && isBlank) {
    errors.push(
      fieldErrors.required(at.child('message'), 'message must be specified if rule contains line breaks'),
    );
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(
      fieldErrors.required(at.child('messageExpression'), 'messageExpression must be non-empty if specified'),
    );
  }
  return errors;
}

function checkReason({ reason }: ValidationRule, at: FieldPath): FieldError[] {
  return reason === undefined || REASONS.includes(reason)
    ? []
    : [fieldErrors.notSupported(at.child('reason'), reason, REASONS)];
}

function checkFieldPath(
  { fieldPath = '' }: ValidationRule,
  schema: JSONSchemaProps,
  at: FieldPath,
): FieldError[] {
  if (fieldPath === '') return [];
  const invalid = (detail: string): FieldError =>
    fieldErrors.invalid(at.child('fieldPath'), fieldPath, detail);
  const errors: FieldError[] = [];
  if (fieldPath.trim() === '') errors.push(invalid('must be non-empty if specified'));
  if (hasLineBreak(fieldPath)) errors.push(invalid('must not contain line breaks'));
  if (normalFieldPath(fieldPath, schema) === undefined) errors.push(invalid('must be a valid path'));
  return errors;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
