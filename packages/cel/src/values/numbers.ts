// The numbers of CEL: int64 as a number or bigint in one normal form, uint64 and double wrapped.
import { CelError } from './error.ts';
import type { Int, Value } from './value.ts';

export const maxInt = 2n ** 63n - 1n;
export const minInt = -(2n ** 63n);
const maxUint = 2n ** 64n - 1n;

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

/** A 64-bit floating-point number. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/**
 * An unsigned 64-bit integer; its value is in the same normal form as an int. Use uintOf to create one, which
 * checks the range.
 */
export class Uint {
  readonly value: Int;

  constructor(value: Int) {
    this.value = value;
  }
}

export function isInt(value: Value): value is Int {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The normal form: a number if it is a safe integer. */
export function normalInt(value: bigint): Int {
  return value <= maxSafe && value >= -maxSafe ? Number(value) : value;
}

/** An integer, or an error if it does not fit into 64 bits. */
export function intOf(value: bigint, overflow = 'integer overflow'): Int | CelError {
  if (value > maxInt || value < minInt) return new CelError(overflow);
  return normalInt(value);
}

/** An unsigned integer, or an error if it does not fit into 64 bits. */
export function uintOf(value: bigint | number, overflow = 'unsigned integer overflow'): Uint | CelError {
  const wide = BigInt(value);
  if (wide < 0n || wide > maxUint) return new CelError(overflow);
  return new Uint(normalInt(wide));
}
