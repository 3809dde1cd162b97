// Values of types that only a library knows (an IP address, a quantity). The core can only compare them and
// name their type.
import { Comparable } from './comparable.ts';
import type { CelType } from './types.ts';

/** A value of a library's own type. */
export abstract class Opaque extends Comparable {
  abstract readonly type: CelType;

  /** The size of the value for cost accounting. */
  get size(): number {
    return 1;
  }
}
