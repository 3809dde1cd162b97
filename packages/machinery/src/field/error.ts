// One problem with one field. Validation returns lists of these and never throws; `invalid()` in api-error.ts
// turns a list into a Status.

import { printGoNumber, quoteGo } from '@instar/go';
import { encodeGoJson } from '../json/encode-go.ts';
import type { JsonValue } from '../json-value.ts';
import type { StatusCause } from '../status.ts';
import { FieldPath } from './path.ts';

const TITLES = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTooShort: 'Too short',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
} as const;

export type FieldErrorType = keyof typeof TITLES;

/** Upstream prints no value for these, whatever it was. */
const VALUELESS: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** Absent: the value is not printed. */
  readonly value?: JsonValue;
  /**
   * How the value is printed, where it is not as JSON with its keys in order (upstream prints the fields of a
   * struct as they are declared).
   */
  readonly valueText?: string;
  readonly detail: string;
}

type Where = FieldPath | string;

function fieldError(
  type: FieldErrorType,
  where: Where,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  const field = typeof where === 'string' ? where : where.toString();
  return value === undefined ? { type, field, detail } : { type, field, value, detail };
}

export const fieldErrors = {
  invalid: (where: Where, value: JsonValue | undefined, detail: string) =>
    fieldError('FieldValueInvalid', where, value, detail),
  typeInvalid: (where: Where, value: JsonValue | undefined, detail: string) =>
    fieldError('FieldValueTypeInvalid', where, value, detail),
  required: (where: Where, detail = '') => fieldError('FieldValueRequired', where, undefined, detail),
  forbidden: (where: Where, detail: string) => fieldError('FieldValueForbidden', where, undefined, detail),
  duplicate: (where: Where, value: JsonValue) => fieldError('FieldValueDuplicate', where, value, ''),
  notFound: (where: Where, value: JsonValue) => fieldError('FieldValueNotFound', where, value, ''),
  notSupported: (where: Where, value: JsonValue, supported: readonly string[]) =>
    fieldError(
      'FieldValueNotSupported',
      where,
      value,
      supported.length ? `supported values: ${supported.map(quoteGo).join(', ')}` : '',
    ),
  tooLong: (where: Where, maxBytes: number) =>
    fieldError(
      'FieldValueTooLong',
      where,
      undefined,
      `may not be more than ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}`,
    ),
  tooLongCharacters: (where: Where, max: number) =>
    fieldError(
      'FieldValueTooLong',
      where,
      undefined,
      `may not be more than ${max} ${max === 1 ? 'character' : 'characters'}`,
    ),
  tooShort: (where: Where, min: number) =>
    fieldError(
      'FieldValueTooShort',
      where,
      undefined,
      `must be at least ${min} ${min === 1 ? 'character' : 'characters'}`,
    ),
  tooMany: (where: Where, actual: number, max: number) =>
    fieldError(
      'FieldValueTooMany',
      where,
      actual,
      `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
    ),
  tooFew: (where: Where, actual: number, min: number) =>
    fieldError(
      'FieldValueTooFew',
      where,
      actual,
      `must have at least ${min} ${min === 1 ? 'item' : 'items'}`,
    ),
  internal: (where: Where, detail: string) => fieldError('InternalError', where, undefined, detail),
} as const;

function printValue(value: JsonValue): string {
  if (typeof value === 'string') return quoteGo(value);
  return typeof value === 'number' || typeof value === 'bigint' ? printGoNumber(value) : encodeGoJson(value);
}

/** The message without the field: `Invalid value: "x": must be …`. */
export function fieldErrorBody(error: FieldError): string {
  const title = TITLES[error.type];
  const head =
    error.value === undefined || VALUELESS.has(error.type)
      ? title
      : `${title}: ${error.valueText ?? printValue(error.value)}`;
  return error.detail === '' ? head : `${head}: ${error.detail}`;
}

export function fieldErrorMessage(error: FieldError): string {
  return `${error.field === '' ? '<nil>' : error.field}: ${fieldErrorBody(error)}`;
}

/** Upstream's aggregate: the messages without repetitions, in brackets when there are several. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  return messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;
}

export function statusCauses(errors: readonly FieldError[]): StatusCause[] {
  return errors.map((error) => ({
    reason: error.type,
    message: fieldErrorBody(error),
    field: error.field === '' ? '<nil>' : error.field,
  }));
}

export { FieldPath };
