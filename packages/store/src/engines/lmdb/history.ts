// The past as LMDB keeps it: what happened at each revision, and the forgetting of what is too old. Lists at a past revision: see listing.ts.
import type { StoredEntry, StoreEvent, WatchBatch } from '../../store.ts';
import { corruptFile } from './data-file.ts';
import type { Draft } from './draft.ts';
import { entryOf, type LoggedChange, modRevisionOf, parseLogRecord } from './records.ts';
import type { Tables } from './tables.ts';

/** What happened from one revision to another (both inclusive): at most `limit` revisions, each with its events under the prefix. */
export function readHistory(tables: Tables, from: number, to: number, limit: number, prefix: string): WatchBatch[] {
  const batches: WatchBatch[] = [];
  for (const { key: revision, value } of tables.log.getRange({ start: from, end: to + 1, limit })) {
    const changes = parseLogRecord(value).changes.filter((change) => change.key.startsWith(prefix));
    batches.push({ revision, events: changes.map((change) => eventOf(tables, revision, change)) });
  }
  return batches;
}

function eventOf(tables: Tables, revision: number, { type, key, previous }: LoggedChange): StoreEvent {
  return {
    type,
    key,
    revision,
    ...(type === 'put' && { entry: versionOf(tables, key, revision) }),
    ...(previous > 0 && { previous: versionOf(tables, key, previous) }),
  };
}

function versionOf(tables: Tables, key: string, modRevision: number): StoredEntry {
  const superseded = tables.superseded.getBinary({ key, modRevision });
  if (superseded !== undefined) return entryOf(key, superseded);
  const current = tables.current.getBinary(key);
  if (current !== undefined && modRevisionOf(current) === modRevision) return entryOf(key, current);
  throw corruptFile(tables.path, `revision ${modRevision} of ${JSON.stringify(key)} is gone`);
}

/** The newest revision that happened before `time`, if any did. Times never fall with revisions, so it is found by halving. */
export function newestBefore(tables: Tables, time: number, newest: number): number | undefined {
  const [oldest] = tables.log.getRange({ start: undefined, limit: 1 });
  if (oldest === undefined) return undefined;
  let low = oldest.key;
  let high = newest + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const record = tables.log.getBinary(middle);
    if (record !== undefined && parseLogRecord(record).time < time) low = middle + 1;
    else high = middle;
  }
  return low === oldest.key ? undefined : low - 1;
}

/** When the newest revision happened, as far as is known. */
export function newestTime(tables: Tables): number {
  const [newest] = tables.log.getRange({ start: undefined, reverse: true, limit: 1 });
  return newest === undefined ? 0 : parseLogRecord(newest.value).time;
}

/** Notes the removal of the oldest records up to the compacted revision, at most `limit` of them. Returns whether more are left. */
export function forgetSlice(tables: Tables, draft: Draft, limit: number): boolean {
  const { compacted, historyRoom } = draft.state;
  let room = 0;
  let count = 0;
  for (const { key: revision, value } of tables.log.getRange({ start: undefined, end: compacted + 1, limit })) {
    const record = parseLogRecord(value);
    for (const { key, previous } of record.changes) if (previous > 0) draft.remove(tables.superseded, { key, modRevision: previous });
    draft.remove(tables.log, revision);
    room += record.room;
    count++;
  }
  draft.setState({ historyRoom: historyRoom - room });
  return count === limit;
}

/** How far history must be forgotten, counted from the oldest, to give back so much room. Looks at no more than `limit` revisions. */
export function revisionThatFrees(tables: Tables, room: number, limit: number): number {
  let freed = 0;
  let last = 0;
  for (const { key: revision, value } of tables.log.getRange({ start: undefined, limit })) {
    freed += parseLogRecord(value).room;
    last = revision;
    if (freed >= room) break;
  }
  return last;
}
