// Values of types that only a library knows (an IP address, a quantity). The core can compare them and name
// their type, no more.
import { Comparable } from './comparable.ts';
import type { CelType } from './types.ts';

export abstract class Opaque extends Comparable {
  abstract readonly type: CelType;

  /** What cost accounting takes as the size of the value. */
  get size(): number {
    return 1;
  }
}
