// How format() writes values since version 4 of the strings library: without regard to locale.

import { decodeValidUtf8 } from '@instar/go';
import { formatDuration } from '../stdlib/duration-text.ts';
import { formatTimestamp } from '../stdlib/timestamp-text.ts';
import { mapOfValue } from '../values/comparable.ts';
import type { CelError } from '../values/error.ts';
import { CelList } from '../values/list.ts';
import { Double } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { listText, mapText } from './aggregate-text.ts';
import type { Clauses } from './format.ts';
import {
  asDouble,
  binary,
  fixedPoint,
  hex,
  octal,
  plainNumber,
  refuse,
  scientific,
  special,
  wholeNumber,
} from './format-numbers.ts';

const textClause =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

function textOf(value: Value): string | CelError {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || value === null) return String(value);
  const whole = wholeNumber(value);
  if (whole !== undefined) return whole.toString();
  return textOfObject(value as Value & object);
}

function textOfObject(value: Value & object): string | CelError {
  if (value instanceof Double) return plainNumber(value.value);
  if (value instanceof Uint8Array)
    return decodeValidUtf8(value) ?? String.fromCharCode(...value.slice(0, 4096));
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Timestamp) return formatTimestamp(new Timestamp(value.nanos));
  if (value instanceof CelType) return value.name;
  if (value instanceof CelList) return listText(value, textOf);
  const map = mapOfValue(value);
  return map === undefined ? refuse(textClause, value) : mapText(map, textOf, ': ');
}

const onNumber =
  (clause: string, write: (value: number, precision: number) => string) =>
  (value: Value, precision: number): string | CelError => {
    const number = asDouble(value);
    if (number === undefined)
      return refuse(`${clause} clause can only be used on ints, uints, and doubles`, value);
    return special(number) ?? write(number, precision);
  };

export const clauses: Clauses = {
  text: textOf,
  decimal: (value) =>
    wholeNumber(value)?.toString() ??
    (value instanceof Double
      ? plainNumber(value.value)
      : refuse('decimal clause can only be used on ints, uints, and doubles', value)),
  fixed: onNumber('fixed-point', fixedPoint),
  scientific: onNumber('scientific', scientific),
  binary,
  hex,
  octal,
};
