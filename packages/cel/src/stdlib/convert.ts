// Conversions between types: int(x), string(x), timestamp(x), … A value that cannot be converted is an error.

import { decodeValidUtf8, encodeUtf8, parseFloat64, printFloat } from '@instar/go';
import { CelError } from '../values/error.ts';
import { Double, intOf, Uint, uintOf } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import { typeOf } from '../values/type-of.ts';
import type { Value } from '../values.ts';
import { formatDuration, parseDuration } from './duration-text.ts';
import { parseInteger } from './number-text.ts';
import { formatTimestamp, parseTimestamp, timestampOf } from './timestamp-text.ts';

const conversionError = (from: Value, to: string): CelError =>
  new CelError(`type conversion error from '${typeOf(from).name}' to '${to}'`);

const two63 = 2 ** 63;
const two64 = 2 ** 64;

export function toInt(value: Value): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Double) {
    const number = value.value;
    return Number.isNaN(number) || number <= -two63 || number >= two63
      ? new CelError('integer overflow')
      : intOf(BigInt(Math.trunc(number)));
  }
  if (value instanceof Uint) return intOf(BigInt(value.value));
  if (value instanceof Timestamp) return intOf(floorSeconds(value.nanos));
  if (value instanceof Duration) return intOf(value.nanos);
  const parsed = typeof value === 'string' ? parseInteger(value, true) : undefined;
  const result = parsed === undefined ? undefined : intOf(parsed);
  return result === undefined || result instanceof CelError ? conversionError(value, 'int') : result;
}

function floorSeconds(nanos: bigint): bigint {
  const seconds = nanos / 1_000_000_000n;
  return nanos < 0n && nanos % 1_000_000_000n !== 0n ? seconds - 1n : seconds;
}

export function toUint(value: Value): Value {
  if (value instanceof Uint) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return uintOf(value);
  if (value instanceof Double) {
    const number = value.value;
    const outside = Number.isNaN(number) || number < 0 || number >= two64;
    return outside ? new CelError('unsigned integer overflow') : uintOf(BigInt(Math.trunc(number)));
  }
  const parsed = typeof value === 'string' ? parseInteger(value, false) : undefined;
  const result = parsed === undefined ? undefined : uintOf(parsed);
  return result === undefined || result instanceof CelError ? conversionError(value, 'uint') : result;
}

export function toDouble(value: Value): Value {
  if (value instanceof Double) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return new Double(Number(value));
  if (value instanceof Uint) return new Double(Number(value.value));
  const parsed = typeof value === 'string' ? parseFloat64(value) : undefined;
  return parsed === undefined ? conversionError(value, 'double') : new Double(parsed);
}

/** `string(value)`. */
export function toText(value: Value): Value {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
    case 'number':
    case 'bigint':
      return String(value);
    default:
      return objectText(value);
  }
}

function objectText(value: Value): Value {
  if (value instanceof Double) return printFloat(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (!(value instanceof Uint8Array)) return conversionError(value, 'string');
  return decodeValidUtf8(value) ?? new CelError('invalid UTF-8 in bytes, cannot convert to string');
}

export function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? encodeUtf8(value) : conversionError(value, 'bytes');
}

const trueTexts = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseTexts = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

export function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && trueTexts.has(value)) return true;
  return typeof value === 'string' && falseTexts.has(value) ? false : conversionError(value, 'bool');
}

export function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'string') return parseTimestamp(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return timestampOf(BigInt(value) * 1_000_000_000n);
  return conversionError(value, 'google.protobuf.Timestamp');
}

export function toDuration(value: Value): Value {
  if (value instanceof Duration) return value;
  return typeof value === 'string'
    ? parseDuration(value)
    : conversionError(value, 'google.protobuf.Duration');
}
