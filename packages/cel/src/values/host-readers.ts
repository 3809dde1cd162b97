// Reads host values in place, typed by the declared type: JSON as it came from a parser, or values that are
// CEL values already. An array becomes a list that reads its elements on demand; nothing is copied up
// front. JSON itself has no types, so the declared type decides: 1 is an int under `int` and a double under
// `double`. Without a declared type (dyn) a whole number is an int and any other a double. Objects of
// declared types are read by host-object.ts.
import { CelError } from './error.ts';
import { HostList } from './host-list.ts';
import { HostMap } from './host-map.ts';
import { isCelValue } from './is-cel-value.ts';
import { Double, intOf, uintOf } from './numbers.ts';
import type { HostReader } from './types.ts';
import type { Value } from './value.ts';

export function readInt(raw: unknown): Value {
  if (typeof raw === 'number')
    return Number.isSafeInteger(raw) ? raw + 0 : Number.isInteger(raw) ? intOf(BigInt(raw)) : new Double(raw);
  return typeof raw === 'bigint' ? intOf(raw) : readDyn(raw);
}

export function readUint(raw: unknown): Value {
  return (typeof raw === 'number' && Number.isInteger(raw)) || typeof raw === 'bigint'
    ? uintOf(raw)
    : readDyn(raw);
}

export function readDouble(raw: unknown): Value {
  return typeof raw === 'number' || typeof raw === 'bigint' ? new Double(Number(raw)) : readDyn(raw);
}

export const listReader =
  (element: HostReader): HostReader =>
  (raw) =>
    Array.isArray(raw) ? new HostList(raw, element) : readDyn(raw);

export const mapReader =
  (value: HostReader): HostReader =>
  (raw) =>
    isPlainObject(raw) ? new HostMap(raw, value) : readDyn(raw);

/** What has no declared type. */
export function readDyn(raw: unknown): Value {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
      return raw;
    case 'number':
      return Number.isInteger(raw) ? readInt(raw) : new Double(raw);
    case 'bigint':
      return intOf(raw);
    case 'object':
      return readDynObject(raw);
    default:
      return new CelError(`unsupported conversion to ref.Val: (${typeof raw})`);
  }
}

function readDynObject(raw: object | null): Value {
  if (raw === null || isCelValue(raw)) return raw;
  // A whole number that was written as a float.
  if (raw instanceof Number) return new Double(Number(raw));
  return Array.isArray(raw)
    ? new HostList(raw, readDyn)
    : new HostMap(raw as Record<string, unknown>, readDyn);
}

function isPlainObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !isCelValue(raw);
}
