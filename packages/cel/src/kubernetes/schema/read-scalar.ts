/**
 * Scalars from JSON, typed by their schema. The values have been validated before, so the errors here are for
 * what validation accepts.
 */

import { decodeBase64, parseDurationFormat } from '@instar/go';
import { CelError, Double, Duration, intOf, Timestamp, type Value } from '../../values.ts';
import { readDate, readDateTime } from '../string-formats.ts';

export function readIntOrString(raw: unknown): Value {
  if (typeof raw === 'string') return raw;
  return (
    integerOf(raw) ??
    new CelError('invalid data, expected XIntOrString value to be either a string or integer')
  );
}

export function readInteger(raw: unknown): Value {
  return integerOf(raw) ?? mismatch('int', raw);
}

function integerOf(raw: unknown): Value | undefined {
  if (typeof raw === 'bigint') return intOf(raw);
  if (typeof raw !== 'number' || !Number.isInteger(raw)) return undefined;
  // Adding zero turns negative zero into zero.
  return Number.isSafeInteger(raw) ? raw + 0 : intOf(BigInt(raw));
}

export function readNumber(raw: unknown): Value {
  return typeof raw === 'number' || typeof raw === 'bigint' || raw instanceof Number
    ? new Double(Number(raw))
    : mismatch('float', raw);
}

export function readBoolean(raw: unknown): Value {
  return typeof raw === 'boolean' ? raw : mismatch('bool', raw);
}

export function readString(raw: unknown): Value {
  return typeof raw === 'string' ? raw : mismatch('string', raw);
}

export function readBytes(raw: unknown): Value {
  return formatted(raw, 'byte formatted string', readBase64);
}

export function readDateString(raw: unknown): Value {
  return formatted(raw, 'date formatted string', startOfDay);
}

export function readDateTimeString(raw: unknown): Value {
  return formatted(raw, 'date-time formatted string', readDateTime);
}

export function readDurationString(raw: unknown): Value {
  return formatted(raw, 'duration', readDuration);
}

function readDuration(text: string): Duration | undefined {
  const nanos = parseDurationFormat(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

/**
 * The API server decodes with the URL alphabet, although it validates the format with the standard one: text
 * with `+` or `/` is valid and then has no value.
 */
function readBase64(text: string): Uint8Array | undefined {
  const bytes = decodeBase64(text, 'url');
  return typeof bytes === 'string' ? undefined : bytes;
}

function startOfDay(text: string): Timestamp | undefined {
  const nanos = readDate(text);
  return nanos === undefined ? undefined : new Timestamp(nanos);
}

function formatted(raw: unknown, what: string, read: (text: string) => Value | undefined): Value {
  if (typeof raw !== 'string') return mismatch('string', raw);
  return read(raw) ?? new CelError(`Invalid ${what} ${raw}`);
}

/** Go's names of JSON values. */
function mismatch(expected: string, raw: unknown): CelError {
  return new CelError(`invalid data, expected ${expected}, got ${goTypeName(raw)}`);
}

function goTypeName(raw: unknown): string {
  if (typeof raw === 'number') return Number.isInteger(raw) ? 'int64' : 'float64';
  if (typeof raw === 'bigint') return 'int64';
  // Whole, but written as a float.
  if (raw instanceof Number) return 'float64';
  if (typeof raw === 'boolean') return 'bool';
  return typeof raw === 'string'
    ? 'string'
    : Array.isArray(raw)
      ? '[]interface {}'
      : 'map[string]interface {}';
}
