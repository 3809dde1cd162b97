// Checks of a validation rule that do not need compilation.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import {
  type JSONSchemaProps,
  normalFieldPath,
  unsupportedKeyword,
  type ValidationRule,
} from '@instar/schema';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

export function validateRuleTexts(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  return rules.flatMap((rule, index) =>
    validateRule(rule, schema, path.child('x-kubernetes-validations').index(index)),
  );
}

function validateRule(rule: ValidationRule, schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors = validateRuleAndMessage(rule, path);
  const { messageExpression = '', reason } = rule;
  if (isBlank(messageExpression)) {
    errors.push(
      fieldErrors.required(
        path.child('messageExpression'),
        'messageExpression must be non-empty if specified',
      ),
    );
  }
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(fieldErrors.notSupported(path.child('reason'), reason, REASONS));
  return [...errors, ...validateFieldPath(rule.fieldPath ?? '', schema, path.child('fieldPath'))];
}

/** Only the first of these errors is reported. */
function validateRuleAndMessage({ rule = '', message = '' }: ValidationRule, path: FieldPath): FieldError[] {
  if (rule.trim() === '') return [fieldErrors.required(path.child('rule'), 'rule is not specified')];
  const place = path.child('message');
  if (isBlank(message)) return [fieldErrors.invalid(place, message, 'must be non-empty if specified')];
  if (hasLineBreak(message.trim()))
    return [fieldErrors.invalid(place, message, 'must not contain line breaks')];
  if (hasLineBreak(rule.trim()) && message === '') {
    return [fieldErrors.required(place, 'message must be specified if rule contains line breaks')];
  }
  return [];
}

function validateFieldPath(fieldPath: string, schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  if (isBlank(fieldPath)) errors.push(fieldErrors.invalid(path, fieldPath, 'must be non-empty if specified'));
  if (hasLineBreak(fieldPath))
    errors.push(fieldErrors.invalid(path, fieldPath, 'must not contain line breaks'));
  if (normalFieldPath(fieldPath, schema) === undefined && unsupportedKeyword(schema) === undefined) {
    errors.push(fieldErrors.invalid(path, fieldPath, 'must be a valid path'));
  }
  return errors;
}

const isBlank = (text: string): boolean => text !== '' && text.trim() === '';
const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);
