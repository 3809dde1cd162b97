// Order: numbers across types, strings by code point, bytes, bools, timestamps, durations.
import { compareUtf8 } from '@instar/go';
import { work } from '../meter.ts';
import { CelError, noSuchOverload } from '../values/error.ts';
import { Double, Uint } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import type { Value } from '../values.ts';

/** Negative, zero or positive; or an error for values without an order. */
export function compareValues(a: Value, b: Value): number | CelError {
  switch (typeof a) {
    case 'number':
    case 'bigint':
      return compareNumbers(a, b, false);
    case 'string':
      return typeof b === 'string' ? compareStrings(a, b) : noSuchOverload();
    case 'boolean':
      return typeof b === 'boolean' ? Number(a) - Number(b) : noSuchOverload();
    default:
      return a === null ? noSuchOverload() : compareObjects(a, b);
  }
}

function compareObjects(a: Value & object, b: Value): number | CelError {
  if (a instanceof Double || a instanceof Uint) return compareNumbers(a.value, b, a instanceof Double);
  if (a instanceof Timestamp) return b instanceof Timestamp ? order(a.nanos, b.nanos) : noSuchOverload();
  if (a instanceof Duration) return b instanceof Duration ? order(a.nanos, b.nanos) : noSuchOverload();
  return a instanceof Uint8Array && b instanceof Uint8Array ? compareBytes(a, b) : noSuchOverload();
}

function order(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An int or uint is compared with a double as a double, as upstream, even if that loses precision. */
function compareNumbers(a: number | bigint, b: Value, aIsDouble: boolean): number | CelError {
  if (b instanceof Double) return compareExactly(Number(a), b.value);
  const right = b instanceof Uint ? b.value : b;
  if (typeof right !== 'number' && typeof right !== 'bigint') return noSuchOverload();
  return compareExactly(a, aIsDouble ? Number(right) : right);
}

function compareExactly(a: number | bigint, right: number | bigint): number | CelError {
  if (Number.isNaN(a) || Number.isNaN(right)) return new CelError('NaN values cannot be ordered');
  return order(a, right);
}

/** By code point, which is the order of UTF-8 too. */
export function compareStrings(a: string, b: string): number {
  work(Math.min(a.length, b.length) >> 3);
  return compareUtf8(a, b);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return a.length - b.length;
}

const relation =
  (holds: (order: number) => boolean) =>
  (a: Value, b: Value): Value => {
    const found = compareValues(a, b);
    return found instanceof CelError ? found : holds(found);
  };

export const less = relation((found) => found < 0);
export const lessEquals = relation((found) => found <= 0);
export const greater = relation((found) => found > 0);
export const greaterEquals = relation((found) => found >= 0);
