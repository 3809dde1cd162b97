// Number literals to values; undefined if they are out of range.

import { CelError } from '../values/error.ts';
import { Double, intOf, uintOf } from '../values/numbers.ts';
import type { Value } from '../values.ts';

/** The number of digits that always make a safe integer. */
const fewDigits = 15;

export function intLiteral(text: string, negative: boolean): Value | undefined {
  if (text.length <= fewDigits) return negative ? 0 - Number(text) : Number(text);
  const wide = BigInt(text);
  const value = intOf(negative ? -wide : wide);
  return value instanceof CelError ? undefined : value;
}

export function uintLiteral(text: string): Value | undefined {
  const value = uintOf(BigInt(text.slice(0, -1)));
  return value instanceof CelError ? undefined : value;
}

export function doubleLiteral(text: string, negative: boolean): Value | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? new Double(negative ? -value : value) : undefined;
}
