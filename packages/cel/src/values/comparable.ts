// The base of every value that knows for itself what it equals. It stands alone so that equality need not know the values.
import type { Value } from '../values.ts';

export abstract class Comparable {
  /** Never an error: a value of another type is simply not equal. */
  abstract equals(other: Value): boolean;
}
