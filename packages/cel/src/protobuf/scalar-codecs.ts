// The scalars of protocol buffers. The range of 32-bit integers is checked when they are written; floats lose
// precision.
import { ScalarType } from '@bufbuild/protobuf';
import { CelError } from '../values/error.ts';
import { Double, isInt, normalInt, Uint } from '../values/numbers.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  intType,
  stringType,
  uintType,
} from '../values/types.ts';
import type { Int, Value } from '../values.ts';
import { type Codec, notConvertible } from './codec.ts';

type Integer = number | bigint | string;

const wide = (raw: unknown): Int => (typeof raw === 'number' ? raw : normalInt(BigInt(raw as Integer)));

function inRange(value: Int, min: number, max: number, overflow: string): number | CelError {
  return value < min || value > max ? new CelError(overflow) : Number(value);
}

export const int32 = (value: Int): number | CelError =>
  inRange(value, -0x80000000, 0x7fffffff, 'integer overflow');
const uint32 = (value: Int): number | CelError => inRange(value, 0, 0xffffffff, 'unsigned integer overflow');

function intCodec(raw: (value: Int) => unknown): Codec {
  return {
    type: intType,
    read: wide,
    write: (value) => (isInt(value) ? raw(value) : notConvertible(value, intType)),
    absent: () => 0,
  };
}

function uintCodec(raw: (value: Int) => unknown): Codec {
  return {
    type: uintType,
    read: (given) => new Uint(wide(given)),
    write: (value) => (value instanceof Uint ? raw(value.value) : notConvertible(value, uintType)),
    absent: () => new Uint(0),
  };
}

function doubleCodec(narrow: (value: number) => number): Codec {
  return {
    type: doubleType,
    read: (raw) => new Double(raw as number),
    write: (value) => (value instanceof Double ? narrow(value.value) : notConvertible(value, doubleType)),
    absent: () => new Double(0),
  };
}

function plainCodec(type: CelType, fits: (value: Value) => boolean, zero: () => Value): Codec {
  return {
    type,
    read: (raw) => raw as Value,
    write: (value) => (fits(value) ? value : notConvertible(value, type)),
    absent: zero,
  };
}

const boolCodec = plainCodec(
  boolType,
  (value) => typeof value === 'boolean',
  () => false,
);
const stringCodec = plainCodec(
  stringType,
  (value) => typeof value === 'string',
  () => '',
);
const bytesCodec = plainCodec(
  bytesType,
  (value) => value instanceof Uint8Array,
  () => new Uint8Array(),
);

const int32Codec = intCodec(int32);
const int64Codec = intCodec(BigInt);
const int64TextCodec = intCodec(String);
const uint32Codec = uintCodec(uint32);
const uint64Codec = uintCodec(BigInt);
const uint64TextCodec = uintCodec(String);
const floatCodec = doubleCodec(Math.fround);
const doublesCodec = doubleCodec((value) => value);

/** `longAsString`: 64-bit integers are strings in the message (the field option jstype = JS_STRING). */
export function scalarCodec(scalar: ScalarType, longAsString = false): Codec {
  switch (scalar) {
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return int32Codec;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return longAsString ? int64TextCodec : int64Codec;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return uint32Codec;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return longAsString ? uint64TextCodec : uint64Codec;
    case ScalarType.FLOAT:
      return floatCodec;
    case ScalarType.DOUBLE:
      return doublesCodec;
    case ScalarType.BOOL:
      return boolCodec;
    case ScalarType.STRING:
      return stringCodec;
    case ScalarType.BYTES:
      return bytesCodec;
  }
}
