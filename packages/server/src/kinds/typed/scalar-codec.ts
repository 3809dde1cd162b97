// Strings, numbers, booleans, bytes and times as Go's encoding/json reads them into fields of those types.

import {
  base64Fault,
  canonicalQuantity,
  isPrintedTime,
  parseMicroTime,
  parseTime,
  printMicroTime,
  printTime,
} from '@instar/go';
import type { ScalarType } from '@instar/kinds';
import { type JsonValue, WholeFloat } from '@instar/machinery';
import type { Codec, Decode, Walk } from './decode-walk.ts';

const isNumber = (value: JsonValue): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof WholeFloat;
const never = (): boolean => false;

/** Notes that the value has the wrong type, and returns the zero value. */
type Refuse = (value: JsonValue, walk: Walk, instead: JsonValue) => JsonValue;

export function scalarCodec(type: ScalarType): Codec {
  const { name } = type;
  const refuse: Refuse = (value, walk, instead) => {
    walk.fault(walk.mismatch(value, name));
    return instead;
  };
  switch (type.kind) {
    case 'string':
      return {
        decode: (value, walk) => (typeof value === 'string' ? value : refuse(value, walk, '')),
        zero: () => '',
        isEmpty: (v) => v === '',
      };
    case 'bool':
      return {
        decode: (value, walk) => (typeof value === 'boolean' ? value : refuse(value, walk, false)),
        zero: () => false,
        isEmpty: (v) => v === false,
      };
    case 'int32':
      return integerCodec(refuse, (n) => n >= -(2 ** 31) && n < 2 ** 31);
    case 'int64':
      return integerCodec(refuse, (n) => n >= -(2n ** 63n) && n < 2n ** 63n);
    case 'float64':
      return {
        decode: (value, walk) => (isNumber(value) ? value : refuse(value, walk, 0)),
        zero: () => 0,
        isEmpty: (v) => v === 0,
      };
    case 'bytes':
      return {
        decode: (value, walk) => decodeBytes(value, walk, refuse),
        zero: () => '',
        isEmpty: (v) => v === '',
      };
    case 'time':
      return {
        decode: (value, walk) => decodeTime(value, walk, normalTime),
        zero: () => null,
        isEmpty: never,
      };
    case 'microTime':
      return {
        decode: (value, walk) => decodeTime(value, walk, normalMicroTime),
        zero: () => null,
        isEmpty: never,
      };
    case 'intOrString':
      return { decode: decodeIntOrString, zero: () => 0, isEmpty: never };
    case 'quantity':
      return { decode: decodeQuantity, zero: () => '0', isEmpty: never };
    case 'raw':
      return { decode: (value) => value, zero: () => null, isEmpty: never };
  }
}

function integerCodec(refuse: Refuse, fits: (n: number | bigint) => boolean): Codec {
  const decode: Decode = (value, walk) => {
    if ((typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) && fits(value))
      return value;
    return refuse(value, walk, 0);
  };
  return { decode, zero: () => 0, isEmpty: (value) => value === 0 };
}

function decodeBytes(value: JsonValue, walk: Walk, refuse: Refuse): JsonValue {
  if (typeof value !== 'string') return refuse(value, walk, '');
  const fault = base64Fault(value);
  // In canonical form, without line breaks and unused bits.
  if (fault === undefined) return Buffer.from(value, 'base64').toString('base64');
  walk.fault(fault);
  return '';
}

type NormalTime = { readonly text: string } | { readonly fault: string };

function normalTime(text: string): NormalTime {
  if (isPrintedTime(text)) return { text };
  const parsed = parseTime(text);
  return 'fault' in parsed ? parsed : { text: printTime(parsed.milliseconds) };
}

function normalMicroTime(text: string): NormalTime {
  const parsed = parseMicroTime(text);
  return 'fault' in parsed ? parsed : { text: printMicroTime(parsed.milliseconds, parsed.microseconds) };
}

function decodeTime(value: JsonValue, walk: Walk, normal: (text: string) => NormalTime): JsonValue {
  if (typeof value !== 'string') {
    walk.fatal(walk.mismatch(value, 'string'));
    return null;
  }
  const time = normal(value);
  if ('text' in time) return time.text;
  walk.fatal(time.fault);
  return null;
}

/** In canonical form. Go reads whatever JSON there is as the text of a quantity. */
function decodeQuantity(value: JsonValue, walk: Walk): JsonValue {
  const written = value instanceof WholeFloat ? value.text : value;
  const text = typeof written === 'string' || isNumber(written) ? String(written).trim() : '{}';
  const quantity = canonicalQuantity(text);
  if ('text' in quantity) return quantity.text;
  walk.fatal(quantity.error);
  return '0';
}

function decodeIntOrString(value: JsonValue, walk: Walk): JsonValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31)
    return value;
  walk.fatal(walk.mismatch(value, 'int32'));
  return 0;
}
