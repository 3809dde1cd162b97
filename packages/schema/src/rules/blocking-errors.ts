// Rules run only on objects whose structure is valid: errors of these types block them, and an additional
// error says so.
import { type FieldError, type FieldErrorType, type FieldPath, fieldErrors } from '@instar/machinery';

const BLOCKING: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

export function blocksRules(errors: readonly FieldError[]): boolean {
  return errors.some(({ type }) => BLOCKING.has(type));
}

export function rulesNotChecked(path: FieldPath): FieldError {
  return fieldErrors.invalid(path, null, NOT_CHECKED);
}
