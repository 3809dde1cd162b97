// How an operation reads values in one direction.
import type { JsonValue } from '@instar/machinery';
import { LensError } from '../lens-error.ts';

export type Values = readonly (JsonValue | undefined)[];

/** As many values come out as the other side has places; undefined stands for nothing. Throws LensError for what it cannot read. */
export interface Reading {
  convert(from: Values): Values;
  /** With what was kept of the other side, when the visible part was changed in the meantime. */
  convertOver?(from: Values, before: Values): Values;
}

/** Undefined where the values cannot be read: whoever tries the way back out must not fail on it. */
export function tryConvert(reading: Reading, from: Values): Values | undefined {
  try {
    return reading.convert(from);
  } catch (error) {
    if (error instanceof LensError) return undefined;
    throw error;
  }
}
