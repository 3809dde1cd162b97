// Events on a resource that are no longer in memory, read from the store's history in pages.
import { type Store, StoreError, type StoreEvent, type WatchBatch } from '@instar/store';
import { CachedObject } from '../cached-object.ts';
import type { CacheEvent } from './cache-event.ts';

/** Approximate limits of a page: a client that is far behind must not fill the memory of the server. */
const MAX_PAGE_EVENTS = 1_000;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface HistoryPage {
  readonly events: CacheEvent[];
  /** There are no other events up to this revision. */
  readonly upTo: number;
}

/** The events after one revision, up to another at most. */
export function readHistoryPage(
  store: Store,
  prefix: string,
  after: number,
  upTo: number,
): Promise<HistoryPage> {
  const events: CacheEvent[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const take = (batch: WatchBatch): void => {
      for (const event of batch.revision <= upTo ? batch.events : []) {
        const made = cacheEventOf(event);
        events.push(made);
        bytes += made.object.raw.byteLength;
      }
      if (batch.revision < upTo && events.length < MAX_PAGE_EVENTS && bytes < MAX_PAGE_BYTES) return;
      watch.stop();
      resolve({ events, upTo: Math.min(batch.revision, upTo) });
    };
    const onBatch = (batch: WatchBatch): void => {
      try {
        take(batch);
      } catch (error) {
        watch.stop();
        reject(error);
      }
    };
    const watch = store.watch({ prefix, fromRevision: after + 1, onBatch, onEnd: reject });
  });
}

function cacheEventOf(event: StoreEvent): CacheEvent {
  const { revision } = event;
  const previous = event.previous === undefined ? undefined : CachedObject.fromEntry(event.previous);
  if (event.entry !== undefined) {
    return {
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      revision,
      object: CachedObject.fromEntry(event.entry),
      previous,
    };
  }
  if (previous === undefined)
    throw new StoreError(
      'corrupt',
      `history has no value for ${event.key}, which was deleted at ${revision}`,
    );
  return { type: 'DELETED', revision, object: previous.atRevision(revision), previous };
}
