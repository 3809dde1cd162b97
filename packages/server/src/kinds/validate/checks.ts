// Small checks that many kinds share.
import { validateDns1123Subdomain, validateQualifiedName } from '@instar/go';
import { deepEqual, type FieldError, type FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';

export const invalidFor = (path: FieldPath, value: JsonValue, reasons: readonly string[]): FieldError[] =>
  reasons.map((reason) => fieldErrors.invalid(path, value, reason));

/** `value` and `old` are JSON, or missing. */
export function validateUnchanged(
  value: unknown,
  old: unknown,
  path: FieldPath,
  detail = 'field is immutable',
): FieldError[] {
  const next = (value ?? null) as JsonValue;
  return deepEqual(next, (old ?? null) as JsonValue) ? [] : [fieldErrors.invalid(path, next, detail)];
}

/** A value out of a list; missing is valid. */
export const validateOneOf = (
  value: string | undefined,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] =>
  value === undefined || supported.includes(value) ? [] : [fieldErrors.notSupported(path, value, supported)];

export const validateSubdomain = (value: string, path: FieldPath): FieldError[] =>
  invalidFor(path, value, validateDns1123Subdomain(value));

export const validateQualified = (value: string, path: FieldPath): FieldError[] =>
  invalidFor(path, value, validateQualifiedName(value));

const MAX_DRIVER_BYTES = 63;

/** The name of a driver for volumes or devices. */
export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldErrors.required(path)];
  const tooLong = Buffer.byteLength(name) > MAX_DRIVER_BYTES;
  return [
    ...(tooLong ? [fieldErrors.tooLong(path, MAX_DRIVER_BYTES)] : []),
    ...invalidFor(path, name, validateDns1123Subdomain(name.toLowerCase())),
  ];
}
