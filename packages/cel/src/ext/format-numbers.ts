// Numbers as format() writes them, in all versions.

import { encodeUtf8 } from '@instar/go';
import { plainDecimal } from '../stdlib/number-text.ts';
import { type CelError, failure } from '../values/error.ts';
import { Double, Uint } from '../values/numbers.ts';
import { typeOf } from '../values/type-of.ts';
import type { Value } from '../values.ts';

export const refuse = (clause: string, value: Value): CelError =>
  failure(`${clause}, was given ${typeOf(value).name}`);

export function wholeNumber(value: Value): bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value);
  return value instanceof Uint ? BigInt(value.value) : undefined;
}

export function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? undefined : value > 0 ? 'Infinity' : '-Infinity';
}

/** All digits, no exponent. */
export function plainNumber(value: number): string {
  const [digits, power] = value.toExponential().split('e') as [string, string];
  return (
    special(value) ??
    (value === 0 ? (Object.is(value, -0) ? '-0' : '0') : plainDecimal(digits, Number(power)))
  );
}

/** Rounded to the precision, exactly: the double itself is rounded, not its shortest text. */
export function fixedPoint(value: number, precision: number): string {
  if (precision <= 75 && Math.abs(value) < 1e21) return roundedHalfEven(value, precision);
  if (precision <= 100 && Math.abs(value) < 1e21) return value.toFixed(precision);
  const whole = Math.abs(value) >= 1e21 ? BigInt(value).toString() : value.toFixed(100);
  const [integer, fraction = ''] = whole.split('.') as [string, string?];
  return precision === 0 ? integer : `${integer}.${fraction.padEnd(precision, '0')}`;
}

/**
 * toFixed rounds a half up; Go rounds it to the even digit. It is exactly a half only if nothing follows the
 * 5.
 */
function roundedHalfEven(value: number, precision: number): string {
  const rounded = Object.is(value, -0) ? `-${(0).toFixed(precision)}` : value.toFixed(precision);
  const longer = value.toFixed(precision + 25);
  const isHalf = longer.endsWith(`5${'0'.repeat(24)}`);
  if (!isHalf || Number(rounded.at(-1)) % 2 === 0) return rounded;
  const cut = longer.slice(0, -25);
  return cut.endsWith('.') ? cut.slice(0, -1) : cut;
}

/** Exponent of at least two digits. */
export function scientific(value: number, precision: number): string {
  const [digits, power] = value.toExponential(Math.min(precision, 100)).split('e') as [string, string];
  const padded = precision > 100 ? digits.padEnd(digits.length + precision - 100, '0') : digits;
  return `${padded}e${power[0]}${power.slice(1).padStart(2, '0')}`;
}

export function binary(value: Value): string | CelError {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return (
    wholeNumber(value)?.toString(2) ?? refuse('only ints, uints, and bools can be formatted as binary', value)
  );
}

export function octal(value: Value): string | CelError {
  return wholeNumber(value)?.toString(8) ?? refuse('octal clause can only be used on ints and uints', value);
}

export function hex(value: Value, upper: boolean): string | CelError {
  const text = hexDigits(value);
  if (text === undefined)
    return refuse('only ints, uints, bytes, and strings can be formatted as hex', value);
  return upper ? text.toUpperCase() : text;
}

function hexDigits(value: Value): string | undefined {
  const bytes = typeof value === 'string' ? encodeUtf8(value) : value;
  if (bytes instanceof Uint8Array)
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return wholeNumber(value)?.toString(16);
}

export function asDouble(value: Value): number | undefined {
  if (value instanceof Double) return value.value;
  const whole = wholeNumber(value);
  return whole === undefined ? undefined : Number(whole);
}
