// An error of one field. Validation returns lists of these and never throws; `apiErrors.invalid` turns a list
// into a Status.

import { printGoNumber, quoteGo } from '@instar/go';
import { encodeGoJson } from '../json/encode-go.ts';
import type { JsonValue } from '../json-value.ts';
import type { StatusCause } from '../status.ts';
import type { FieldPath } from './path.ts';

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

/** The reasons that causes of a Status have. */
export type FieldErrorType = keyof typeof TITLES;

/** Upstream prints no value for these. */
const VALUELESS: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

/** What is wrong with one field. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** Absent: the value is not printed. */
  readonly value?: JsonValue;
  /**
   * The printed value, where it is not JSON with sorted keys (upstream prints the fields of a struct in the
   * order of declaration).
   */
  readonly valueText?: string;
  readonly detail: string;
}

type FieldLocation = FieldPath | string;

function fieldError(
  type: FieldErrorType,
  location: FieldLocation,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  const field = typeof location === 'string' ? location : location.toString();
  return value === undefined ? { type, field, detail } : { type, field, value, detail };
}

/** Constructors of field errors, one per type. */
export const fieldErrors = {
  invalid: (location: FieldLocation, value: JsonValue | undefined, detail: string) =>
    fieldError('FieldValueInvalid', location, value, detail),
  typeInvalid: (location: FieldLocation, value: JsonValue | undefined, detail: string) =>
    fieldError('FieldValueTypeInvalid', location, value, detail),
  required: (location: FieldLocation, detail = '') =>
    fieldError('FieldValueRequired', location, undefined, detail),
  forbidden: (location: FieldLocation, detail: string) =>
    fieldError('FieldValueForbidden', location, undefined, detail),
  duplicate: (location: FieldLocation, value: JsonValue) =>
    fieldError('FieldValueDuplicate', location, value, ''),
  notFound: (location: FieldLocation, value: JsonValue) =>
    fieldError('FieldValueNotFound', location, value, ''),
  notSupported: (location: FieldLocation, value: JsonValue, supported: readonly string[]) =>
    fieldError(
      'FieldValueNotSupported',
      location,
      value,
      supported.length ? `supported values: ${supported.map(quoteGo).join(', ')}` : '',
    ),
  tooLong: (location: FieldLocation, maxBytes: number) =>
    fieldError(
      'FieldValueTooLong',
      location,
      undefined,
      `may not be more than ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}`,
    ),
  tooLongCharacters: (location: FieldLocation, max: number) =>
    fieldError(
      'FieldValueTooLong',
      location,
      undefined,
      `may not be more than ${max} ${max === 1 ? 'character' : 'characters'}`,
    ),
  tooShort: (location: FieldLocation, min: number) =>
    fieldError(
      'FieldValueTooShort',
      location,
      undefined,
      `must be at least ${min} ${min === 1 ? 'character' : 'characters'}`,
    ),
  tooMany: (location: FieldLocation, actual: number, max: number) =>
    fieldError(
      'FieldValueTooMany',
      location,
      actual,
      `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
    ),
  tooFew: (location: FieldLocation, actual: number, min: number) =>
    fieldError(
      'FieldValueTooFew',
      location,
      actual,
      `must have at least ${min} ${min === 1 ? 'item' : 'items'}`,
    ),
  internal: (location: FieldLocation, detail: string) =>
    fieldError('InternalError', location, undefined, detail),
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

/** The text of an error, with its field. */
export function fieldErrorMessage(error: FieldError): string {
  return `${error.field === '' ? '<nil>' : error.field}: ${fieldErrorBody(error)}`;
}

/** Upstream's aggregate: the distinct messages, in brackets if there are several. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  return messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;
}

/** Field errors as `details.causes` of a Status. */
export function statusCauses(errors: readonly FieldError[]): StatusCause[] {
  return errors.map((error) => ({
    reason: error.type,
    message: fieldErrorBody(error),
    field: error.field === '' ? '<nil>' : error.field,
  }));
}
