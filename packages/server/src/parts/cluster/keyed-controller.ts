// A controller that works on one key at a time, such as namespace/name: it follows resources, and their
// objects say which keys to work on. Nothing is worked on before the state of all resources is known.
import { ApiError } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';
import type { CacheEvent } from '../../objects/watch/cache-event.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';

export interface Followed {
  readonly resource: Resource;
  /** Called for every object at the start, and for both states of one that changes. */
  readonly keysOf: (object: CachedObject) => Iterable<string>;
  /** False: the event changes nothing for this controller. */
  readonly isRelevant?: (event: CacheEvent) => boolean;
}

export interface KeyedControllerOptions {
  /** By kube-controller-manager's name; for the log. */
  readonly name: string;
  readonly log: Log;
  readonly follows: readonly Followed[];
  readonly work: (key: string) => Promise<void>;
  /** How long events are collected before a key is worked on. */
  readonly delayMs?: number;
}

export class KeyedController {
  readonly #options: KeyedControllerOptions;
  readonly #queue: WorkQueue;
  readonly #followers: CacheFollower[];

  constructor(options: KeyedControllerOptions) {
    this.#options = options;
    const { name, log, work, follows } = options;
    this.#queue = new WorkQueue({
      work,
      onError: (key, error) => {
        // Another write came first: its event has added the key again.
        if (error instanceof ApiError && error.reason === 'Conflict') return;
        log.warn({ controller: name, key, err: error }, 'an object could not be reconciled yet');
      },
    });
    this.#queue.pause();
    this.#followers = follows.map((followed) => this.#follow(followed));
  }

  /** Resolves when the state of all resources is known. */
  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
    this.#queue.resume();
  }

  async stop(): Promise<void> {
    for (const follower of this.#followers) follower.stop();
    await this.#queue.close();
  }

  add(key: string): void {
    const { delayMs = 0 } = this.#options;
    if (delayMs > 0) this.#queue.addLater(key, delayMs);
    else this.#queue.add(key);
  }

  addLater(key: string, delayMs: number): void {
    this.#queue.addLater(key, delayMs);
  }

  /** Follows one more resource from now on. */
  async follow(followed: Followed): Promise<void> {
    const follower = this.#follow(followed);
    this.#followers.push(follower);
    await follower.start();
  }

  #follow({ resource, keysOf, isRelevant }: Followed): CacheFollower {
    const { name, log } = this.#options;
    const addAll = (object: CachedObject | undefined): void => {
      if (object !== undefined) for (const key of keysOf(object)) this.add(key);
    };
    return new CacheFollower(resource.cache, {
      onState: (objects) => {
        for (const object of objects) addAll(object);
      },
      onEvent: (event) => {
        if (isRelevant?.(event) === false) return;
        addAll(event.previous);
        addAll(event.object);
      },
      onError: (error) =>
        log.error({ controller: name, resource: resource.prefix, err: error }, 'objects cannot be followed'),
    });
  }
}

/** namespace/name, as queues have it. */
export const keyOf = ({ metadata }: CachedObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

export function splitKey(key: string): { namespace: string; name: string } {
  const at = key.indexOf('/');
  return { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
