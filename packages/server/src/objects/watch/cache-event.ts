// One change of an object, as the cache of its resource reports it.
import type { CachedObject } from '../cached-object.ts';

export interface CacheEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** For DELETED: the last state, at the revision of the deletion. */
  readonly object: CachedObject;
  readonly previous: CachedObject | undefined;
}
