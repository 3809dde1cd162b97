// The expressions of a policy: that they exist and compile, and the fields beside them.
import type {
  AuditAnnotationSource,
  PolicyCompiler,
  ValidationSource,
  VariableSource,
} from '@instar/admission';
import { utf8Length, validateQualifiedName } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';

const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MAX_ANNOTATIONS = 20;
const MAX_VALUE_BYTES = 5 * 1024;

export function validateVariable(
  variable: VariableSource,
  compiler: PolicyCompiler,
  path: FieldPath,
): FieldError[] {
  const { name, expression } = variable;
  const errors: FieldError[] = [];
  if (name.trim() === '') errors.push(fieldErrors.required(path.child('name'), 'name is not specified'));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED.has(name)) {
    errors.push(fieldErrors.invalid(path.child('name'), name, 'must be a valid CEL identifier'));
  }
  if (expression.trim() === '')
    return [...errors, fieldErrors.required(path.child('expression'), 'expression is not specified')];
  return [...errors, ...compiled(expression, compiler.variable(variable).error, path.child('expression'))];
}

const compiled = (expression: string, error: string | undefined, path: FieldPath): FieldError[] =>
  error === undefined ? [] : [fieldErrors.invalid(path, expression, error)];

export function validateValidation(
  validation: ValidationSource,
  compiler: PolicyCompiler,
  path: FieldPath,
): FieldError[] {
  const { expression, reason } = validation;
  const at = path.child('expression');
  const errors =
    expression.trim() === ''
      ? [fieldErrors.required(at, 'expression is not specified')]
      : compiled(expression, compiler.validation(expression).error, at);
  errors.push(...validateMessages(validation, compiler, path));
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(fieldErrors.notSupported(path.child('reason'), reason, REASONS));
  return errors;
}

function validateMessages(
  { message = '', messageExpression = '' }: ValidationSource,
  compiler: PolicyCompiler,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const byExpression = path.child('messageExpression');
  const blank = 'must be non-empty if specified';
  if (messageExpression !== '') {
    if (messageExpression.trim() === '')
      errors.push(fieldErrors.invalid(byExpression, messageExpression, blank));
    else errors.push(...compiled(messageExpression, compiler.message(messageExpression).error, byExpression));
  }
  if (message !== '' && message.trim() === '')
    errors.push(fieldErrors.invalid(path.child('message'), message, blank));
  else if (/[\n\r]/.test(message.trim()))
    errors.push(fieldErrors.invalid(path.child('message'), message, 'must not contain line breaks'));
  return errors;
}

export function validateAnnotations(
  annotations: readonly AuditAnnotationSource[],
  policy: string,
  compiler: PolicyCompiler,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (annotations.length > MAX_ANNOTATIONS) {
    const why = `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`;
    errors.push(fieldErrors.invalid(path, annotations as unknown as JsonValue, why));
  }
  annotations.forEach(({ key, valueExpression }, index) => {
    const at = path.index(index);
    errors.push(
      ...validateKey(key, policy, at.child('key')),
      ...validateValue(valueExpression, compiler, at.child('valueExpression')),
    );
    if (annotations.findIndex((other) => other.key === key) < index)
      errors.push(fieldErrors.duplicate(at.child('key'), key));
  });
  return errors;
}

function validateKey(key: string, policy: string, path: FieldPath): FieldError[] {
  if (policy === '') return [fieldErrors.invalid(path, key, 'requires metadata.name be non-empty')];
  const full = `${policy}/${key}`;
  return validateQualifiedName(full).map((reason) => fieldErrors.invalid(path, full, reason));
}

function validateValue(expression: string, compiler: PolicyCompiler, path: FieldPath): FieldError[] {
  const trimmed = expression.trim();
  if (trimmed === '') return [fieldErrors.required(path, 'valueExpression is not specified')];
  if (utf8Length(trimmed) > MAX_VALUE_BYTES)
    return [fieldErrors.required(path, `must not exceed ${MAX_VALUE_BYTES} bytes in length`)];
  return compiled(expression, compiler.annotation(trimmed).error, path);
}
