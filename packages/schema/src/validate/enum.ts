// The enum keyword. Numbers are converted to the type of the listed value before they are compared, as
// upstream does: an integer in the list also accepts the fractions above it. Null equals nothing, even if it
// is listed.
import { deepEqual, encodeGoJson, type JsonValue, WholeFloat } from '@instar/machinery';
import { isInteger } from './types.ts';
import { faults, type ValueFault } from './validation-result.ts';

export type EnumCheck = (value: JsonValue) => boolean;

export function enumCheck(allowed: readonly JsonValue[] | undefined): EnumCheck | undefined {
  if (allowed === undefined || allowed.length === 0) return undefined;
  if (allowed.every((one) => typeof one === 'string')) {
    const texts = new Set<JsonValue>(allowed);
    return (value) => texts.has(value);
  }
  return (value) => allowed.some((one) => isLike(value, one));
}

function isLike(value: JsonValue, listed: JsonValue): boolean {
  if (value === null || listed === null) return false;
  if (typeof value === 'number' && isInteger(listed) && !Number.isInteger(value))
    return Math.trunc(value) === Number(listed);
  return deepEqual(value instanceof WholeFloat ? Number(value) : value, listed);
}

export function enumFault(allowed: readonly JsonValue[], value: JsonValue, name: string): ValueFault {
  const supported = allowed.map((one) => (typeof one === 'string' ? one : encodeGoJson(one)));
  return faults.unsupported(name, value, supported);
}
