// All entries of a store at one revision, as a stream: the source of backups and copies.
import type { ReadableStore, StoredEntry } from '../store.ts';

const PAGE = 500;

/** All entries of a store at one revision. */
export interface Snapshot {
  /** The revision that is shown. */
  readonly revision: number;
  readonly entries: AsyncIterable<StoredEntry>;
}

/** Keys about the store itself: no resource has them, since group names have a dot. */
export const ownKeys = (prefix: string): string => `${prefix}instar/`;

/** The first page is read immediately, so that a store that cannot be read fails early. */
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
