// A page of a collection at one revision.
import type { CachedObject } from './cached-object.ts';

export interface Listing {
  readonly objects: CachedObject[];
  readonly revision: number;
  /** Set when there are more objects than the limit. */
  readonly continue: string;
  readonly remaining: number | undefined;
}
