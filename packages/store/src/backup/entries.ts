// All entries of a store as they were at one moment, as a stream: what backups and copies are made of.
import type { ReadableStore, StoredEntry } from '../store.ts';

const PAGE = 500;

export interface Snapshot {
  /** The moment that is shown. */
  readonly revision: number;
  readonly entries: AsyncIterable<StoredEntry>;
}

/** Keys that are about the store itself: no resource has them, as the name of a group has a dot. */
export const ownKeys = (prefix: string): string => `${prefix}instar/`;

/** The first page is read at once, so that what cannot be read at all is known at once. */
export async function snapshotOf(store: ReadableStore, prefix: string): Promise<Snapshot> {
  const first = await store.list({ prefix, limit: PAGE });
  const { revision } = first;
  async function* entries(): AsyncGenerator<StoredEntry> {
    let page = first;
    for (;;) {
      yield* page.entries.filter(({ key }) => !key.startsWith(ownKeys(prefix)));
      const after = page.entries.at(-1)?.key;
      if (!page.more || after === undefined) return;
      page = await store.list({ prefix, limit: PAGE, revision, after });
    }
  }
  return { revision, entries: entries() };
}
