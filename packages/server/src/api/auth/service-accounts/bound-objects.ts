// The objects that tokens name: the account itself, and what a token is bound to. Read from the caches, and
// from the storage only what they do not have.
import type { CachedObject } from '../../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';

type BoundKind = 'serviceaccounts' | 'pods' | 'secrets' | 'nodes';

/** Finds an object of the core group; undefined: there is none of this name. */
export type FindBound = (
  plural: BoundKind,
  namespace: string,
  name: string,
) => Promise<CachedObject | undefined>;

export const findBoundIn =
  (registry: ResourceRegistry): FindBound =>
  async (plural, namespace, name) => {
    const resource = registry.get('', plural)!;
    const key = resource.key(namespace, name);
    await resource.cache.waitUntilStarted();
    const cached = resource.cache.get(key);
    if (cached !== undefined) return cached;
    // It may have been created just now, by another server.
    await resource.cache.waitUntilFresh();
    return resource.cache.get(key);
  };
