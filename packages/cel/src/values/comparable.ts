// The base of every value that knows for itself what it equals. It stands alone so that equality need not
// know the values.
import type { CelMap } from './map.ts';
import type { Value } from './value.ts';

export abstract class Comparable {
  /** Never an error: a value of another type is simply not equal. */
  abstract equals(other: Value): boolean;

  /**
   * The value seen as a map, if it is one. Objects of a host may be maps to whoever does not know their type.
   */
  asMap(): CelMap | undefined {
    return undefined;
  }
}

export function mapOfValue(value: Value): CelMap | undefined {
  return value instanceof Comparable ? value.asMap() : undefined;
}
