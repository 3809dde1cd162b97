// Keeps a controller told of the objects of a resource: of all that are there, then of every change; and anew
// when the cache has lost its place in history, for as long as it takes. What to make of them is the
// controller's.
import { Backoff } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { CacheEvent } from '../../objects/watch/cache-event.ts';
import type { ResourceCache } from '../../objects/watch/resource-cache.ts';

export interface Followed {
  /** What is there. Told again after a loss: what is not among it has gone without an event. */
  onState(objects: Iterable<CachedObject>): void;
  onEvent(event: CacheEvent): void;
  /** Events may be missing from now on, until the state is told again. */
  onLost?(): void;
  /** The cache cannot be read; it is tried again. */
  onError(error: unknown): void;
}

const MIN_DELAY_MS = 50;
const MAX_DELAY_MS = 30_000;

export class CacheFollower {
  readonly #cache: ResourceCache;
  readonly #followed: Followed;
  #unsubscribe: (() => void) | undefined;
  #stopped = false;
  #wake: (() => void) | undefined;

  constructor(cache: ResourceCache, followed: Followed) {
    this.#cache = cache;
    this.#followed = followed;
  }

  /** Resolves when the state has been told, or the follower was stopped. */
  async start(): Promise<void> {
    const backoff = new Backoff({ firstMs: MIN_DELAY_MS, maxMs: MAX_DELAY_MS, jitter: 0 });
    while (!this.#stopped) {
      try {
        await this.#cache.waitUntilFresh();
      } catch (error) {
        if (this.#stopped) return;
        this.#followed.onError(error);
        await this.#pause(backoff.next());
        continue;
      }
      if (!this.#stopped) this.#subscribe();
      return;
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe?.();
    this.#wake?.();
  }

  #subscribe(): void {
    this.#unsubscribe = this.#cache.subscribe({
      onEvent: (event) => this.#followed.onEvent(event),
      onReset: () => {
        if (this.#stopped) return;
        this.#followed.onLost?.();
        void this.start();
      },
    });
    this.#followed.onState(this.#cache.values());
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
