// Reports the objects of a resource to a controller: first the current state, then every event; and the state
// again after the cache has lost its watch, with retries until it can be read.
import { Backoff } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { CacheEvent } from '../../objects/watch/cache-event.ts';
import type { ResourceCache } from '../../objects/watch/resource-cache.ts';

interface FollowerCallbacks {
  /**
   * The current state. Called again after a loss: objects that are missing then were deleted without an
   * event.
   */
  onState(objects: Iterable<CachedObject>): void;
  onEvent(event: CacheEvent): void;
  /** Events may be missing from now on, until the next `onState`. */
  onLost?(): void;
  /** The cache could not be read, and will be tried again. */
  onError(error: unknown): void;
}

const MIN_DELAY_MS = 50;
const MAX_DELAY_MS = 30_000;

export class CacheFollower {
  readonly #cache: ResourceCache;
  readonly #callbacks: FollowerCallbacks;
  #unsubscribe: (() => void) | undefined;
  #isStopped = false;
  #wake: (() => void) | undefined;

  constructor(cache: ResourceCache, callbacks: FollowerCallbacks) {
    this.#cache = cache;
    this.#callbacks = callbacks;
  }

  /** Resolves when the state has been reported, or the follower was stopped. */
  async start(): Promise<void> {
    const backoff = new Backoff({ firstMs: MIN_DELAY_MS, maxMs: MAX_DELAY_MS, jitter: 0 });
    while (!this.#isStopped) {
      try {
        await this.#cache.waitUntilFresh();
      } catch (error) {
        if (this.#isStopped) return;
        this.#callbacks.onError(error);
        await this.#pause(backoff.next());
        continue;
      }
      if (!this.#isStopped) this.#subscribe();
      return;
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe?.();
    this.#wake?.();
  }

  #subscribe(): void {
    this.#unsubscribe = this.#cache.subscribe({
      onEvent: (event) => this.#callbacks.onEvent(event),
      onReset: () => {
        if (this.#isStopped) return;
        this.#callbacks.onLost?.();
        void this.start();
      },
    });
    this.#callbacks.onState(this.#cache.values());
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
