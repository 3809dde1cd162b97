// The base of every value that defines its own equality. It has its own file so that equality does not depend
// on the values.
import type { CelMap } from './map.ts';
import type { Value } from './value.ts';

export abstract class Comparable {
  /** Never an error: a value of another type is not equal. */
  abstract equals(other: Value): boolean;

  /**
   * The value as a map, if it is one. Objects of a host may be maps in expressions that do not know their
   * type.
   */
  asMap(): CelMap | undefined {
    return undefined;
  }
}

export function mapOfValue(value: Value): CelMap | undefined {
  return value instanceof Comparable ? value.asMap() : undefined;
}
