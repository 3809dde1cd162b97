// Values that occur in many fields of pods: names, ports, paths, modes of files.
import {
  nameIsDnsSubdomain,
  validateDns1123Label,
  validateDns1123Subdomain,
  validatePortNumber,
  validateQualifiedName,
} from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

export const invalidEach = (path: FieldPath, value: string, faults: readonly string[]): FieldError[] =>
  faults.map((fault) => fieldErrors.invalid(path, value, fault));

export const validateLabelText = (value: string, path: FieldPath): FieldError[] =>
  invalidEach(path, value, validateDns1123Label(value));

export const validateSubdomain = (value: string, path: FieldPath): FieldError[] =>
  invalidEach(path, value, validateDns1123Subdomain(value));

export const validateQualified = (value: string, path: FieldPath): FieldError[] =>
  invalidEach(path, value, validateQualifiedName(value));

export const validateObjectName = (value: string, path: FieldPath): FieldError[] =>
  invalidEach(path, value, nameIsDnsSubdomain(value, false));

/** One of a closed set; upstream lists the values sorted unless `supported` says otherwise. */
export function validateChoice(
  value: string | undefined,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (!value) return [fieldErrors.required(path)];
  return supported.includes(value) ? [] : [fieldErrors.notSupported(path, value, supported)];
}

/** Unset is fine, and so is a value of the set. */
export const validateOptionalChoice = (
  value: string | undefined,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] =>
  value === undefined || supported.includes(value) ? [] : [fieldErrors.notSupported(path, value, supported)];

export const isNotNegative = (value: number | undefined, path: FieldPath): FieldError[] =>
  (value ?? 0) >= 0 ? [] : [fieldErrors.invalid(path, value!, 'must be greater than or equal to 0')];

export const requireText = (value: string | undefined, path: FieldPath): FieldError[] =>
  value ? [] : [fieldErrors.required(path)];

export const MAX_INT32 = 2 ** 31 - 1;

/** Of users and groups. */
export const validateId = (id: number | undefined, path: FieldPath): FieldError[] =>
  id === undefined || (id >= 0 && id <= MAX_INT32)
    ? []
    : [fieldErrors.invalid(path, id, `must be between 0 and ${MAX_INT32}, inclusive`)];

const MAX_PORT_NAME = 15;

function portNameFaults(name: string): string[] {
  const faults: string[] = [];
  if (name.length > MAX_PORT_NAME) faults.push(`must be no more than ${MAX_PORT_NAME} characters`);
  if (!/^[-a-z0-9]+$/.test(name))
    faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) faults.push('must contain at least one letter (a-z)');
  if (name.includes('--')) faults.push('must not contain consecutive hyphens');
  if (/^-|-$/.test(name)) faults.push('must not begin or end with a hyphen');
  return faults;
}

export const validatePortName = (name: string, path: FieldPath): FieldError[] =>
  invalidEach(path, name, portNameFaults(name));

export const validatePortNumberAt = (port: number, path: FieldPath): FieldError[] =>
  validatePortNumber(port).map((fault) => fieldErrors.invalid(path, port, fault));

export const validatePortNumberOrName = (port: number | string, path: FieldPath): FieldError[] =>
  typeof port === 'number' ? validatePortNumberAt(port, path) : validatePortName(port, path);

export const validatePathNoBacksteps = (text: string, path: FieldPath): FieldError[] =>
  text.split('/').includes('..') ? [fieldErrors.invalid(path, text, "must not contain '..'")] : [];

export function validateDescendingPath(text: string, path: FieldPath): FieldError[] {
  const absolute = text.startsWith('/') ? [fieldErrors.invalid(path, text, 'must be a relative path')] : [];
  return [...absolute, ...validatePathNoBacksteps(text, path)];
}

/** A path in a volume: names that begin with two dots are reserved. */
export function validateVolumePath(text: string, path: FieldPath): FieldError[] {
  const errors = validateDescendingPath(text, path);
  if (text.startsWith('..') && !text.startsWith('../'))
    errors.push(fieldErrors.invalid(path, text, "must not start with '..'"));
  return errors;
}

const MAX_MODE = 0o777;

export const validateFileMode = (mode: number | undefined, path: FieldPath): FieldError[] =>
  mode === undefined || (mode >= 0 && mode <= MAX_MODE)
    ? []
    : [fieldErrors.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];

/** Environment variables may have any name of printable ASCII characters. */
export const envNameFaults = (name: string): string[] =>
  /^[\x20-\x3c\x3e-\x7e]+$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
