// Numbers, percentages and fields that must not change, as many kinds validate them.
import { deepEqual, type FieldError, type FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';
import { goText } from './go-text.ts';

const MAX_INT32 = 0x7fffffff;

/** Absent is valid. */
export function validateNonnegative(value: number | bigint | undefined, path: FieldPath): FieldError[] {
  return value !== undefined && value < 0
    ? [fieldErrors.invalid(path, value, 'must be greater than or equal to 0')]
    : [];
}

export function validateImmutable(
  value: unknown,
  old: unknown,
  path: FieldPath,
  valueText?: string,
): FieldError[] {
  const next = value as JsonValue | undefined;
  if (deepEqual(next, old as JsonValue | undefined)) return [];
  const error = fieldErrors.invalid(path, next ?? null, 'field is immutable');
  return [
    typeof next === 'object' && next !== null ? { ...error, valueText: valueText ?? goText(next) } : error,
  ];
}

const PERCENT = /^[0-9]+%$/;
const PERCENT_RULE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number that is not negative, or a percentage. */
export function validateIntOrPercent(value: number | string, path: FieldPath): FieldError[] {
  if (typeof value === 'number') return validateNonnegative(value, path);
  return PERCENT.test(value) ? [] : [fieldErrors.invalid(path, value, PERCENT_RULE)];
}

export function validateAtMost100Percent(value: number | string, path: FieldPath): FieldError[] {
  return (percentOf(value) ?? 0) > 100
    ? [fieldErrors.invalid(path, value, 'must not be greater than 100%')]
    : [];
}

/** Either sort of value as a number; 0 for a text that is neither. */
export function intOrPercentOf(value: number | string): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? (/^[+-]?[0-9]+$/.test(value) ? Number(value) : 0);
}

function percentOf(value: number | string): number | undefined {
  if (typeof value === 'number' || !PERCENT.test(value)) return undefined;
  return Math.min(Number(value.slice(0, -1)), MAX_INT32);
}
