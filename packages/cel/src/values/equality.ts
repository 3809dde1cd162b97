// CEL equality: never an error. Numbers of different types are equal when they are the same number; values of
// other different types are not equal.
import { work } from '../meter.ts';
import { Comparable } from './comparable.ts';
import { Double, Uint } from './numbers.ts';
import { Duration, Timestamp } from './time.ts';
import { CelType } from './types.ts';
import type { Value } from './value.ts';

/** Whether two values are equal as `==` has it. */
export function equalValues(a: Value, b: Value): boolean {
  if (typeof a === 'object' && a !== null) return equalsObject(a, b);
  if (a === b) return true;
  return typeof a === 'number' || typeof a === 'bigint' ? equalsNumber(a, b, false) : false;
}

/**
 * An int or uint is compared with a double as a double, as upstream; ints and uints are in a normal form, so
 * === is enough.
 */
function equalsNumber(a: number | bigint, b: Value, aIsDouble: boolean): boolean {
  if (b instanceof Double) return Number(a) === b.value;
  const right = b instanceof Uint ? b.value : b;
  if (typeof right !== 'number' && typeof right !== 'bigint') return false;
  return aIsDouble ? a === Number(right) : a === right;
}

function equalsObject(a: Value & object, b: Value): boolean {
  if (a instanceof Comparable) return a.equals(b);
  if (a instanceof Double || a instanceof Uint) return equalsNumber(a.value, b, a instanceof Double);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  return a instanceof CelType && b instanceof CelType && a.name === b.name;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  work(a.length >> 3);
  return a.every((byte, index) => byte === b[index]);
}
