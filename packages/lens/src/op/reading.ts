// How an operation reads values in one direction. Undefined means nothing, and null what a schema allows to
// be null.
import { deepCopy, type JsonValue } from '@instar/machinery';
import { LensError } from '../lens-error.ts';

export type Value = JsonValue | undefined;
export type Values = readonly Value[];

/** One value from another. Throws LensError for what it cannot read. */
export interface ValueReading {
  convert(value: Value): Value;
  /** With what was stashed of the other side, if the visible part has changed since. */
  convertOver?(value: Value, before: Value): Value;
}

/** Several values from several others. */
export interface ManyReading {
  convert(values: Values): Values;
  convertOver?(values: Values, before: Values): Values;
}

export function manyOf(reading: ValueReading): ManyReading {
  const { convertOver } = reading;
  return {
    convert: (values) => [reading.convert(values[0])],
    ...(convertOver !== undefined && {
      convertOver: (values: Values, before: Values) => [convertOver(values[0], before[0])],
    }),
  };
}

/** A constant of the lens, for an object: later changes of the object must not reach the lens. */
export const fresh = <T extends Value>(constant: T): T =>
  typeof constant === 'object' && constant !== null ? (deepCopy(constant as JsonValue) as T) : constant;

/** What no reverse conversion can have read. */
export const UNREADABLE = Symbol('unreadable');

/** For trying the reverse conversion: it must not fail on it. */
export function tryConvert(reading: ValueReading, value: Value): Value | typeof UNREADABLE {
  try {
    return reading.convert(value);
  } catch (error) {
    if (error instanceof LensError) return UNREADABLE;
    throw error;
  }
}
