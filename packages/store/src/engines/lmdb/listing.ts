// Lists over LMDB: one read transaction holds the state, however long the list takes, and the work is cut
// into slices between which other work runs. A list of the past merges what has not changed since with what
// was superseded since.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareUtf8 } from '@instar/go';
import type { Transaction } from 'lmdb';
import { compactedError, futureError } from '../../check-request.ts';
import type { ListOptions, ListPage, StoredEntry } from '../../store.ts';
import { loggedRevisions } from './history.ts';
import { boundsOf } from './key-encodings.ts';
import type { StoreState } from './records.ts';
import { readState, type Tables } from './tables.ts';
import { entryOf, extraOf, modRevisionOf } from './version-records.ts';
import { LmdbVersions } from './versions.ts';

const SLICE_MILLISECONDS = 2;
const LOOK_AT_CLOCK_EVERY = 32;
/** Beyond so many revisions, counting the rest of a past list is no longer cheap. */
const COUNTED_REVISIONS = 5_000;

export async function listPage(tables: Tables, options: ListOptions): Promise<ListPage> {
  const transaction = tables.root.useReadTransaction();
  try {
    const state = readState(tables, transaction);
    const revision = options.revision ?? state.revision;
    if (revision < state.compacted) throw compactedError(revision, state.compacted);
    if (revision > state.revision) throw futureError(revision, state.revision);
    return await readPage({ tables, transaction, state, revision, prefix: options.prefix }, options);
  } finally {
    transaction.done();
  }
}

interface Listing {
  readonly tables: Tables;
  readonly transaction: Transaction;
  readonly state: StoreState;
  readonly revision: number;
  readonly prefix: string;
}

async function readPage(
  listing: Listing,
  { after, limit = Number.POSITIVE_INFINITY }: ListOptions,
): Promise<ListPage> {
  const { revision, state } = listing;
  const entries = await takeSliced(
    revision === state.revision ? currentEntries(listing, after) : entriesThen(listing, after),
    limit,
  );
  if (entries.length < limit) return { entries, revision, more: false, remaining: 0 };
  const last = entries.at(-1)!.key;
  const remaining = countAfter(listing, last);
  const more = remaining === undefined ? !entriesThen(listing, last).next().done : remaining > 0;
  return { entries, revision, more, ...(remaining !== undefined && { remaining }) };
}

async function takeSliced(source: Iterable<StoredEntry>, limit: number): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = [];
  let sliceStart = performance.now();
  for (const entry of source) {
    entries.push(entry);
    if (entries.length >= limit) break;
    if (entries.length % LOOK_AT_CLOCK_EVERY !== 0 || performance.now() - sliceStart < SLICE_MILLISECONDS)
      continue;
    await nextTurn();
    sliceStart = performance.now();
  }
  return entries;
}

function rangeOf({ prefix, transaction }: Listing, after: string | undefined) {
  const { start, end } = boundsOf(prefix);
  if (after === undefined || compareUtf8(after, prefix) < 0) return { start, end, transaction };
  return { start: Buffer.from(after), end, exclusiveStart: true, transaction };
}

function* currentEntries(listing: Listing, after: string | undefined): Generator<StoredEntry> {
  for (const { key, value } of listing.tables.current.getRange(rangeOf(listing, after)))
    yield entryOf(key, value);
}

/**
 * The entries at a past revision, in key order: a key is either unchanged since, or superseded since, never
 * both.
 */
function* entriesThen(listing: Listing, after: string | undefined): Generator<StoredEntry> {
  const superseded = supersededThen(listing, after);
  let next = superseded.next();
  for (const { key, value } of listing.tables.current.getRange(rangeOf(listing, after))) {
    if (modRevisionOf(value) > listing.revision) continue;
    for (; !next.done && compareUtf8(next.value.key, key) < 0; next = superseded.next()) yield next.value;
    yield entryOf(key, value);
  }
  for (; !next.done; next = superseded.next()) yield next.value;
}

function* supersededThen(listing: Listing, after: string | undefined): Generator<StoredEntry> {
  const { start, ...range } = rangeOf(listing, after);
  // The versions of `after` itself follow it, each with a NUL and its revision; 1 is greater than that NUL.
  const from = range.exclusiveStart ? Buffer.concat([start, Buffer.of(1)]) : start;
  const versions = new LmdbVersions(listing.tables, { transaction: listing.transaction });
  for (const { key, value } of listing.tables.superseded.getRange({
    start: from,
    end: range.end,
    transaction: range.transaction,
  })) {
    if (key.modRevision <= listing.revision && extraOf(value) > listing.revision)
      yield versions.of(key.key, value);
  }
}

/**
 * How many keys followed `after`: the current number, corrected by what happened since. Undefined if that is
 * too expensive.
 */
function countAfter(listing: Listing, after: string): number | undefined {
  const { tables, transaction, revision, state } = listing;
  if (state.revision - revision > COUNTED_REVISIONS) return undefined;
  let count = tables.current.getCount(rangeOf(listing, after));
  const seen = new Set<string>();
  for (const { changes } of loggedRevisions(tables, revision + 1, state.revision, transaction)) {
    for (const { key, previous } of changes) {
      if (seen.has(key) || !key.startsWith(listing.prefix) || compareUtf8(key, after) <= 0) continue;
      seen.add(key);
      if (previous > 0) count++;
      if (tables.current.getBinary(key, { transaction }) !== undefined) count--;
    }
  }
  return count;
}
