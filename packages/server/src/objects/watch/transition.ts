// What an event on a resource is to a client that has selected some of its objects.
import type { CachedObject } from '../cached-object.ts';
import type { Selection } from '../selection.ts';
import type { CacheEvent } from './cache-event.ts';
import type { WatchEventType } from './event-encoder.ts';

export interface Transition {
  readonly type: WatchEventType;
  readonly object: CachedObject;
}

/**
 * An object that enters the selection is ADDED, one that leaves it DELETED: with its last selected state, at
 * the revision of the change. Undefined: the client does not see it. Forms must be at hand where the
 * selection needs them.
 */
export function transitionOf(
  event: CacheEvent,
  selection: Pick<Selection, 'selects' | 'matchesNow'>,
): Transition | undefined {
  if (!selection.selects) return event;
  const { type, object, previous, revision } = event;
  const now = type !== 'DELETED' && selection.matchesNow(object);
  const before = previous !== undefined && selection.matchesNow(previous);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object };
  if (!before) return undefined;
  return { type: 'DELETED', object: type === 'DELETED' ? object : previous.atRevision(revision) };
}
