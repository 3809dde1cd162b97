// History as LMDB stores it: what happened at each revision, and its compaction. Lists at a past revision:
// see listing.ts.
import type { Transaction } from 'lmdb';
import type { StoreEvent, WatchBatch } from '../../store.ts';
import type { Draft } from './draft.ts';
import { type LoggedChange, logTimeOf, parseLogRecord } from './records.ts';
import type { Tables } from './tables.ts';
import { LmdbVersions } from './versions.ts';

/** What changed at each revision from one to another (both inclusive), in order. */
export function* loggedRevisions(
  tables: Tables,
  from: number,
  to: number,
  transaction?: Transaction,
): Generator<{ readonly revision: number; readonly changes: readonly LoggedChange[] }> {
  // A group is stored under its last revision, so the first record from here on is the one that contains
  // `from`.
  for (const { key: last, value } of tables.log.getRange({
    start: from,
    ...(transaction && { transaction }),
  })) {
    const { revisions } = parseLogRecord(value);
    for (let at = 0, revision = last - revisions.length + 1; revision <= last; at++, revision++) {
      if (revision > to) return;
      if (revision >= from) yield { revision, changes: revisions[at]! };
    }
  }
}

/** The same as a watch needs it: at most `limit` revisions, each with its events under the prefix. */
export function readHistory(
  tables: Tables,
  from: number,
  to: number,
  limit: number,
  prefix: string,
): WatchBatch[] {
  const batches: WatchBatch[] = [];
  const versions = new LmdbVersions(tables, { remember: true });
  for (const { revision, changes } of loggedRevisions(tables, from, to)) {
    const events = changes
      .filter(({ key }) => key.startsWith(prefix))
      .map((change) => eventOf(versions, revision, change));
    batches.push({ revision, events });
    if (batches.length === limit) break;
  }
  return batches;
}

function eventOf(
  versions: LmdbVersions,
  revision: number,
  { type, key, previous }: LoggedChange,
): StoreEvent {
  return {
    type,
    key,
    revision,
    ...(type === 'put' && { entry: versions.at(key, revision) }),
    ...(previous > 0 && { previous: versions.at(key, previous) }),
  };
}

/**
 * The newest revision that happened before `time`, or 0. Times never decrease with revisions, so it is found
 * by bisection.
 */
export function newestBefore(tables: Tables, time: number, oldest: number, newest: number): number {
  let found = 0;
  for (let low = oldest, high = newest; low <= high; ) {
    const [group] = tables.log.getRange({ start: Math.floor((low + high) / 2), limit: 1 });
    if (group !== undefined && logTimeOf(group.value) < time) {
      found = group.key;
      low = group.key + 1;
    } else high = Math.floor((low + high) / 2) - 1;
  }
  return found;
}

/** When the newest revision happened, if known. */
export function newestTime(tables: Tables): number {
  const [newest] = tables.log.getRange({ start: undefined, reverse: true, limit: 1 });
  return newest === undefined ? 0 : logTimeOf(newest.value);
}

/**
 * Records the removal of the oldest groups before the compacted revision, until about `limit` revisions are
 * removed. Returns whether more are left.
 */
export function forgetSlice(tables: Tables, draft: Draft, limit: number): boolean {
  let count = 0;
  for (const { key: last, value } of tables.log.getRange({
    start: undefined,
    end: draft.state.compacted + 1,
  })) {
    if (count >= limit) return true;
    const { revisions, room } = parseLogRecord(value);
    for (const { key, previous } of revisions.flat())
      if (previous > 0) draft.remove(tables.superseded, { key, modRevision: previous });
    draft.remove(tables.log, last);
    draft.freeHistory(room);
    count += revisions.length;
  }
  return false;
}

/**
 * How far history must be compacted, from the oldest, to free so much space. Looks at no more than `limit`
 * groups.
 */
export function revisionThatFrees(tables: Tables, room: number, limit: number): number {
  let freed = 0;
  let revision = 0;
  for (const { key: last, value } of tables.log.getRange({ start: undefined, limit })) {
    if (freed >= room) break;
    freed += parseLogRecord(value).room;
    revision = last;
  }
  return revision;
}
