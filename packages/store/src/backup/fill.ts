// Writes a snapshot into a store. It may be aborted and resumed: existing entries are not written twice, and
// a partly filled store is marked as such.
import { type Operation, type Store, type StoredEntry, StoreError } from '../store.ts';
import { ownKeys, type Snapshot } from './entries.ts';

/** How a snapshot is copied into a store. */
export interface FillOptions {
  /** The same for every attempt with the same snapshot. */
  readonly id: string;
  /** The prefix of every key; nothing else in the store is looked at. */
  readonly prefix: string;
  /** Removes existing data first. */
  readonly force?: boolean;
  /** Entries that expire do so this long after now; their old time is unknown. */
  readonly ttlSecondsOf?: (key: string) => number | undefined;
  readonly onProgress?: (entries: number) => void;
}

/** The result of copying a snapshot into a store. */
export interface Filled {
  readonly entries: number;
  /** Of these, how many an earlier attempt had written. */
  readonly kept: number;
  readonly revision: number;
}

/** Marks an unfinished restore, with its id. */
const unfinishedKey = (prefix: string): string => `${ownKeys(prefix)}unfinished-restore`;
const REMOVING = 'removing';
const BATCH_ENTRIES = 100;
const BATCH_BYTES = 512 * 1024;

/** Copies a snapshot into a store; resumes if it was interrupted. */
export async function fillStore(store: Store, snapshot: Snapshot, options: FillOptions): Promise<Filled> {
  const key = unfinishedKey(options.prefix);
  const unfinished = await store.get(key);
  const isOurs = unfinished !== undefined && Buffer.from(unfinished.value).toString() === options.id;
  if (!isOurs) await makeEmpty(store, options);
  await store.commit({ conditions: [], operations: [{ type: 'put', key, value: Buffer.from(options.id) }] });
  // No revision that a client may remember is reused: a watch from one gets "too old", and starts over.
  await store.advanceTo?.(snapshot.revision);
  const counted = await putAll(store, snapshot.entries, options, isOurs);
  await store.commit({ conditions: [], operations: [{ type: 'delete', key }] });
  const revision = await store.currentRevision();
  await store.compact(revision);
  return { ...counted, revision };
}

/** Why a store must not be served: a restore into it was aborted. */
export async function isUnfinished(store: Pick<Store, 'get'>, prefix: string): Promise<boolean> {
  return (await store.get(unfinishedKey(prefix))) !== undefined;
}

async function makeEmpty(store: Store, { prefix, force = false }: FillOptions): Promise<void> {
  const { entries } = await store.list({ prefix, limit: 1 });
  if (entries.length > 0 && !force) {
    throw new StoreError(
      'invalid',
      `there is data already, beginning with ${JSON.stringify(entries[0]!.key)}: --force removes it first`,
    );
  }
  if (entries.length === 0) return;
  // From the first removal on the store is incomplete. The mark is not an id: the next attempt has to start
  // with this again.
  const mark = unfinishedKey(prefix);
  await store.commit({
    conditions: [],
    operations: [{ type: 'put', key: mark, value: Buffer.from(REMOVING) }],
  });
  for (;;) {
    const page = await store.list({ prefix, limit: BATCH_ENTRIES });
    const keys = page.entries.map(({ key }) => key).filter((key) => key !== mark);
    if (keys.length === 0) return;
    await store.commit({ conditions: [], operations: keys.map((key) => ({ type: 'delete', key })) });
  }
}

async function putAll(
  store: Store,
  entries: AsyncIterable<StoredEntry>,
  options: FillOptions,
  mayBeThere: boolean,
) {
  const counts = { entries: 0, kept: 0 };
  let batch: Operation[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await store.commit({ conditions: [], operations: batch });
    batch = [];
    bytes = 0;
    options.onProgress?.(counts.entries);
  };
  for await (const { key, value } of entries) {
    if (!key.startsWith(options.prefix))
      throw new StoreError(
        'invalid',
        `${JSON.stringify(key)} is not below ${options.prefix}: see --etcd-prefix`,
      );
    counts.entries++;
    if (mayBeThere && (await isThere(store, key, value))) {
      counts.kept++;
      continue;
    }
    // A batch with a large value must not have much else: etcd accepts 1.5 MiB at a time.
    if (batch.length >= BATCH_ENTRIES || bytes + value.length > BATCH_BYTES) await flush();
    const ttlSeconds = options.ttlSecondsOf?.(key);
    batch.push({ type: 'put', key, value, ...(ttlSeconds !== undefined && { ttlSeconds }) });
    bytes += value.length;
  }
  await flush();
  return counts;
}

async function isThere(store: Store, key: string, value: Uint8Array): Promise<boolean> {
  const found = await store.get(key);
  return found !== undefined && Buffer.compare(found.value, value) === 0;
}
