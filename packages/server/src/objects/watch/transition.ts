// What an event on a resource means for a watcher that has selected some of its objects.
import type { CachedObject } from '../cached-object.ts';
import type { Selection } from '../selection.ts';
import type { CacheEvent } from './cache-event.ts';
import type { WatchEventType } from './event-encoder.ts';

interface Transition {
  readonly type: WatchEventType;
  readonly object: CachedObject;
}

/**
 * An object that enters the selection is ADDED, one that leaves it DELETED: with its last selected state, at
 * the revision of the change. Undefined: the watcher does not get the event. Forms that the selection needs
 * must be cached.
 */
export function transitionOf(
  event: CacheEvent,
  selection: Pick<Selection, 'isSelective' | 'matchesNow'>,
): Transition | undefined {
  if (!selection.isSelective) return event;
  const { type, object, previous, revision } = event;
  const isSelected = type !== 'DELETED' && selection.matchesNow(object);
  const wasSelected = previous !== undefined && selection.matchesNow(previous);
  if (isSelected) return { type: wasSelected ? 'MODIFIED' : 'ADDED', object };
  if (!wasSelected) return undefined;
  return { type: 'DELETED', object: type === 'DELETED' ? object : previous.atRevision(revision) };
}
