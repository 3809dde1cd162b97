// The type keyword. Upstream's errors distinguish int64 from float64, as Go does. Here, integers within ±2^53
// and bigints are treated as int64, other numbers and WholeFloats as float64.
import { type JsonValue, WholeFloat } from '@instar/machinery';

/** The type or format that was expected, and that of the value. */
export interface TypeFault {
  readonly expected: string;
  readonly actual: string;
}

export function isInteger(value: JsonValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Upstream tolerates a relative error of 1e-9, for positive numbers. */
export function isAlmostInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return whole > 0 && (value - whole) / (value + whole) < 1e-9;
}

export function typeNameOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isInteger(value)) return 'integer';
  return value instanceof WholeFloat ? 'number' : typeof value;
}

/** `types` is empty where a schema leaves the type open. */
export function typeFault(
  types: readonly string[],
  format: string,
  nullable: boolean,
  value: JsonValue,
): TypeFault | undefined {
  const actual = typeNameOf(value);
  if (value === null)
    return types.length > 0 && !nullable ? { expected: types.join(','), actual } : undefined;
  if (types.length === 0 && format === '') return undefined;
  const isTextOrList = actual === 'string' || actual === 'array';
  const fits = types.includes(actual) || isNumberThatFits(types, value);
  if (format !== '' && !isTextOrList && !fits && goFormatOf(value) !== format)
    return { expected: format, actual: goFormatOf(value) };
  // A quirk of upstream that clients can see: a list is accepted for a string with a format.
  if (format !== '' && isTextOrList && !types.includes('number') && !types.includes('integer'))
    return undefined;
  return fits ? undefined : { expected: types.join(','), actual };
}

function isNumberThatFits(types: readonly string[], value: JsonValue): boolean {
  if (isInteger(value)) return types.includes('number');
  const isFloat = typeof value === 'number' || value instanceof WholeFloat;
  return isFloat && types.includes('integer') && isAlmostInteger(Number(value));
}

function goFormatOf(value: JsonValue): string {
  if (isInteger(value)) return 'int64';
  return typeof value === 'number' || value instanceof WholeFloat ? 'float64' : '';
}
