// The census of one resource, kept current by its cache: counted once when the cache is filled, in time
// slices, and updated with every event from then on. Reading it never counts again.
import type { Log } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { inSlices } from '../../objects/time-slice.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { Census } from './census.ts';

interface Change {
  readonly object: CachedObject;
  readonly by: 1 | -1;
}

export class ResourceCensus {
  readonly #resource: Resource;
  readonly #follower: CacheFollower;
  #census: Census;
  /** What is still to be counted, if it takes more than one time slice. Events are appended. */
  #backlog: Change[] | undefined;
  #counting: Promise<void> | undefined;

  constructor(resource: Resource, log: Log) {
    this.#resource = resource;
    this.#census = this.#empty();
    this.#follower = new CacheFollower(resource.cache, {
      onState: (objects) => this.#countAll(objects),
      onEvent: ({ type, object, previous }) => {
        if (type !== 'DELETED') this.#change({ object, by: 1 });
        if (previous !== undefined) this.#change({ object: previous, by: -1 });
      },
      onError: (error) =>
        log.error({ err: error, resource: resource.prefix }, 'stored versions cannot be counted'),
    });
  }

  start(): Promise<void> {
    return this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  /** The current state, without waiting; during the first count, the part that is counted. */
  get soFar(): Census {
    return this.#census;
  }

  /** Includes every write that was acknowledged before the call. */
  async current(): Promise<Census> {
    await this.#resource.cache.waitUntilFresh();
    while (this.#counting !== undefined) await this.#counting;
    return this.#census;
  }

  #countAll(objects: Iterable<CachedObject>): void {
    const census = this.#empty();
    const backlog: Change[] = [];
    for (const object of objects) backlog.push({ object, by: 1 });
    this.#census = census;
    this.#backlog = backlog;
    const counting = inSlices(backlog, ({ object, by }) => census.count(object, by)).then(() => {
      // The cache may have been reset meanwhile, and another count begun.
      if (this.#counting !== counting) return;
      this.#backlog = undefined;
      this.#counting = undefined;
    });
    this.#counting = counting;
  }

  #change(change: Change): void {
    if (this.#backlog === undefined) this.#census.count(change.object, change.by);
    else this.#backlog.push(change);
  }

  #empty(): Census {
    return new Census(this.#resource.prefix, this.#resource.definition.namespaced);
  }
}
