// Arithmetic on values of any type: int64 and uint64 exact, with overflow as an error; dates and durations;
// concatenation.
import { workAhead } from '../meter.ts';
import { CelError, divisionByZero, noSuchOverload } from '../values/error.ts';
import { CelList } from '../values/list.ts';
import { Double, intOf, minInt, Uint, uintOf } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import type { Int, Value } from '../values.ts';
import { timestampOf } from './timestamp-text.ts';

const isInt = (value: Value): value is Int => typeof value === 'number' || typeof value === 'bigint';
const durationOverflow = (): CelError => new CelError('duration overflow');

function durationOf(nanos: bigint): Duration | CelError {
  return intOf(nanos) instanceof CelError ? durationOverflow() : new Duration(nanos);
}

export function addInt(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intOf(BigInt(a) + BigInt(b));
}

export function subtractInt(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intOf(BigInt(a) - BigInt(b));
}

function multiplyInt(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return intOf(BigInt(a) * BigInt(b));
}

function divideInt(a: Int, b: Int): Int | CelError {
  if (b === 0) return divisionByZero();
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  if (BigInt(a) === minInt && b === -1) return new CelError('integer overflow');
  return intOf(BigInt(a) / BigInt(b));
}

function moduloInt(a: Int, b: Int): Int | CelError {
  if (b === 0) return new CelError('modulus by zero');
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  if (BigInt(a) === minInt && b === -1) return new CelError('integer overflow');
  return intOf(BigInt(a) % BigInt(b));
}

function concat(a: string, b: string): string {
  workAhead((a.length + b.length) >> 5);
  return a + b;
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  workAhead((a.length + b.length) >> 5);
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

export function add(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? addInt(a, b) : noSuchOverload();
  if (typeof a === 'string') return typeof b === 'string' ? concat(a, b) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value + b.value) : noSuchOverload();
  if (a instanceof CelList) return b instanceof CelList ? a.concat(b) : noSuchOverload();
  if (a instanceof Uint)
    return b instanceof Uint ? uintOf(BigInt(a.value) + BigInt(b.value)) : noSuchOverload();
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? concatBytes(a, b) : noSuchOverload();
  if (a instanceof Timestamp)
    return b instanceof Duration ? timestampOf(a.nanos + b.nanos, a.offset) : noSuchOverload();
  if (!(a instanceof Duration)) return noSuchOverload();
  if (b instanceof Duration) return durationOf(a.nanos + b.nanos);
  return b instanceof Timestamp ? timestampOf(a.nanos + b.nanos, b.offset) : noSuchOverload();
}

export function subtract(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? subtractInt(a, b) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value - b.value) : noSuchOverload();
  if (a instanceof Uint)
    return b instanceof Uint ? uintOf(BigInt(a.value) - BigInt(b.value)) : noSuchOverload();
  if (a instanceof Duration) return b instanceof Duration ? durationOf(a.nanos - b.nanos) : noSuchOverload();
  if (!(a instanceof Timestamp)) return noSuchOverload();
  if (b instanceof Duration) return timestampOf(a.nanos - b.nanos, a.offset);
  return b instanceof Timestamp ? durationOf(a.nanos - b.nanos) : noSuchOverload();
}

export function multiply(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? multiplyInt(a, b) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value * b.value) : noSuchOverload();
  return a instanceof Uint && b instanceof Uint
    ? uintOf(BigInt(a.value) * BigInt(b.value))
    : noSuchOverload();
}

export function divide(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? divideInt(a, b) : noSuchOverload();
  if (a instanceof Double) return b instanceof Double ? new Double(a.value / b.value) : noSuchOverload();
  if (!(a instanceof Uint && b instanceof Uint)) return noSuchOverload();
  return b.value === 0 ? divisionByZero() : uintOf(BigInt(a.value) / BigInt(b.value));
}

export function modulo(a: Value, b: Value): Value {
  if (isInt(a)) return isInt(b) ? moduloInt(a, b) : noSuchOverload();
  if (!(a instanceof Uint && b instanceof Uint)) return noSuchOverload();
  return b.value === 0 ? new CelError('modulus by zero') : uintOf(BigInt(a.value) % BigInt(b.value));
}

export function negate(value: Value): Value {
  if (typeof value === 'number') return 0 - value;
  if (typeof value === 'bigint') return intOf(-value);
  return value instanceof Double ? new Double(-value.value) : noSuchOverload();
}
