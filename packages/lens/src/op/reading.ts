// How an operation reads values in one direction. Undefined stands for nothing, and null for what a schema
// lets be null.
import { deepCopy, type JsonValue } from '@instar/machinery';
import { LensError } from '../lens-error.ts';

export type Value = JsonValue | undefined;
export type Values = readonly Value[];

/** One value from another. Throws LensError for what it cannot read. */
export interface Reading {
  convert(value: Value): Value;
  /** With what was kept of the other side, when the visible part was changed in the meantime. */
  convertOver?(value: Value, before: Value): Value;
}

/** Several values from several others. */
export interface ManyReading {
  convert(values: Values): Values;
  convertOver?(values: Values, before: Values): Values;
}

export function manyOf(reading: Reading): ManyReading {
  const { convertOver } = reading;
  return {
    convert: (values) => [reading.convert(values[0])],
    ...(convertOver !== undefined && {
      convertOver: (values: Values, before: Values) => [convertOver(values[0], before[0])],
    }),
  };
}

/** A constant of the lens, for an object: what is done to the object later must not reach the lens. */
export const fresh = <T extends Value>(constant: T): T =>
  typeof constant === 'object' && constant !== null ? (deepCopy(constant as JsonValue) as T) : constant;

/** What no way back can have read. */
export const UNREADABLE = Symbol('unreadable');

/** For whoever tries the way back out: it must not fail on it. */
export function tryConvert(reading: Reading, value: Value): Value | typeof UNREADABLE {
  try {
    return reading.convert(value);
  } catch (error) {
    if (error instanceof LensError) return UNREADABLE;
    throw error;
  }
}
