// How format() wrote values before version 4 of the strings library, in the locale en_US, as in Kubernetes:
// %f groups thousands, %e is written as a power of ten, and values in lists and maps are written as CEL
// literals.

import { toText } from '../stdlib/convert.ts';
import { formatDuration } from '../stdlib/duration-text.ts';
import { formatTimestamp } from '../stdlib/timestamp-text.ts';
import { mapOfValue } from '../values/comparable.ts';
import { CelError, failure } from '../values/error.ts';
import { CelList } from '../values/list.ts';
import { Double, Uint } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import { typeOf } from '../values/type-of.ts';
import { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { listText, mapText } from './aggregate-text.ts';
import type { Clauses } from './format.ts';
import {
  binary,
  fixedPoint,
  hex,
  octal,
  refuse,
  scientific,
  special,
  wholeNumber,
} from './format-numbers.ts';

const textClause =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

function textOf(value: Value): string | CelError {
  if (value === null) return 'null';
  if (value instanceof CelList) return listText(value, literalOf);
  const map = mapOfValue(value);
  if (map !== undefined) return mapText(map, literalOf, ':');
  if (value instanceof CelType) return value.name;
  const text = isScalar(value) ? toText(value) : refuse(textClause, value);
  return text as string | CelError;
}

function isScalar(value: Value): boolean {
  if (typeof value !== 'object') return true;
  return (
    value instanceof Double ||
    value instanceof Uint ||
    value instanceof Uint8Array ||
    value instanceof Timestamp ||
    value instanceof Duration
  );
}

/** A value within a list or map, as it would be written in CEL. */
function literalOf(value: Value): string | CelError {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) {
    const text = textOf(value);
    return text instanceof CelError ? text : `b${JSON.stringify(text)}`;
  }
  if (value instanceof Timestamp) return `timestamp(${JSON.stringify(formatTimestamp(value))})`;
  if (value instanceof Duration) return `duration(${JSON.stringify(formatDuration(value))})`;
  if (value instanceof Double)
    return Number.isFinite(value.value) ? fixedPoint(value.value, 6) : JSON.stringify(infinite(value.value));
  const known = value === null || typeof value !== 'object' || isScalar(value) || isAggregate(value);
  return known ? textOf(value) : failure(`no formatting function for ${typeOf(value).name}`);
}

const isAggregate = (value: Value): boolean =>
  value instanceof CelList || mapOfValue(value) !== undefined || value instanceof CelType;
const infinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');

const named: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

function doubleOnly(clause: string, write: (value: number, precision: number) => string) {
  return (value: Value, precision: number): string | CelError => {
    const number =
      value instanceof Double
        ? value.value
        : typeof value === 'string' && Object.hasOwn(named, value)
          ? named[value]
          : undefined;
    if (number === undefined) return refuse(`${clause} clause can only be used on doubles`, value);
    // Zero has no sign.
    return write(number === 0 ? 0 : number, precision);
  };
}

const symbol = (value: number): string | undefined => special(value)?.replace('Infinity', '∞');

function grouped(value: number, precision: number): string {
  const unwritable = symbol(value);
  if (unwritable !== undefined) return unwritable;
  const [integer, fraction] = trimmed(fixedPoint(value, precision), precision).split('.') as [
    string,
    string?,
  ];
  const digits = integer.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/** Go's formatter stores the minimum number of digits, unlike the maximum, in a byte. */
function trimmed(text: string, precision: number): string {
  if (precision < 256) return text;
  const end = text.indexOf('.') + 1 + (precision % 256);
  return (text.slice(0, end) + text.slice(end).replace(/0+$/, '')).replace(/\.$/, '');
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The precision is treated as a width, and there are always six digits: a bug of cel-go. */
function powerOfTen(value: number, width: number): string {
  const unwritable = symbol(value);
  if (unwritable !== undefined) return unwritable.padStart(width);
  const [digits, power] = scientific(value, 6).split('e') as [string, string];
  const shown = power.slice(1).replace(/\d/g, (digit) => superscripts[Number(digit)]!);
  return `${digits}×10${power[0] === '-' ? '⁻' : ''}${shown}`.padStart(width);
}

export const legacyClauses: Clauses = {
  text: textOf,
  decimal: (value) =>
    wholeNumber(value)?.toString() ?? refuse('decimal clause can only be used on integers', value),
  fixed: doubleOnly('fixed-point', grouped),
  scientific: doubleOnly('scientific', powerOfTen),
  binary,
  hex,
  octal,
};
