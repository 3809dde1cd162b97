// All watches of the server: their number is limited, one timer sends their bookmarks, and they end together
// when the server shuts down.
import { apiErrors } from '@instar/machinery';
import type { Resource } from '../resource.ts';
import { FrameCache } from './event-encoder.ts';
import { type WatchLimits, type WatchObserver, type WatchRequest, WatchStream } from './watch-stream.ts';

export interface WatchCounter {
  opened(resource: Resource): void;
  closed(resource: Resource): void;
  sent(resource: Resource, events: number, bytes: number): void;
  tooSlow(resource: Resource): void;
}

export interface WatchServiceOptions extends WatchLimits {
  /** 0: no limit. */
  readonly maxWatches: number;
  readonly bookmarkIntervalMs: number;
  /**
   * A watch without a timeout of its own lasts between this and twice this, so that connections are
   * redistributed among servers, but not all at the same time.
   */
  readonly minTimeoutMs: number;
  readonly counter?: WatchCounter;
  /** A watch ended because of an error of the server. */
  readonly onFailure?: (resource: Resource, error: unknown) => void;
}

const TICKS_PER_BOOKMARK = 2;

export class WatchService {
  readonly #options: WatchServiceOptions;
  /** Each with the tick of the timer at which its next bookmark is due. */
  readonly #open = new Map<WatchStream, number>();
  #tick = 0;
  readonly #frames = new WeakMap<Resource, FrameCache>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: WatchServiceOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#sendBookmarks(), options.bookmarkIntervalMs / TICKS_PER_BOOKMARK);
    this.#timer.unref();
  }

  /** A new watch does not need a bookmark yet: its first one is sent after at least half an interval. */
  #sendBookmarks(): void {
    this.#tick++;
    for (const [stream, due] of this.#open) {
      if (due > this.#tick) continue;
      this.#open.set(stream, this.#tick + TICKS_PER_BOOKMARK);
      stream.bookmark();
    }
  }

  get size(): number {
    return this.#open.size;
  }

  defaultTimeoutMs(): number {
    return this.#options.minTimeoutMs * (1 + Math.random());
  }

  frames(resource: Resource): FrameCache {
    let frames = this.#frames.get(resource);
    if (frames === undefined) this.#frames.set(resource, (frames = new FrameCache()));
    return frames;
  }

  watch(request: WatchRequest): WatchStream {
    const { maxWatches } = this.#options;
    if (maxWatches > 0 && this.#open.size >= maxWatches)
      throw apiErrors.tooManyRequests('Too many watches, please try again later.', 5);
    return new WatchStream(request, this.#options, this.#observer(request.resource));
  }

  /** Ends every watch properly, so that clients reconnect elsewhere or later. */
  close(): void {
    clearInterval(this.#timer);
    for (const stream of [...this.#open.keys()]) stream.end();
  }

  #observer(resource: Resource): WatchObserver {
    const { counter, onFailure } = this.#options;
    return {
      opened: (stream) => {
        this.#open.set(stream, this.#tick + TICKS_PER_BOOKMARK);
        counter?.opened(resource);
      },
      closed: (stream) => {
        this.#open.delete(stream);
        counter?.closed(resource);
      },
      sent: (events, bytes) => counter?.sent(resource, events, bytes),
      tooSlow: () => counter?.tooSlow(resource),
      failed: (error) => onFailure?.(resource, error),
    };
  }
}
