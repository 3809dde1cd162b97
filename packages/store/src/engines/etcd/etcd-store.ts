// The `etcd://` engine: storage in an etcd cluster, for any number of servers at once.
//
// What it promises beyond the contract's words:
// - Reads and commits are etcd's own, linearizable. The watches of the process are fed by one watch of etcd
//   over all keys of the store, so they hear of the writes of other servers as of their own; `commit`, `list`
//   and `currentRevision` answer when that watch is as far as they are.
// - A commit that fails with `unavailable` may have happened. It is sent twice only if it certainly had no
//   effect the first time, or can have it only once.
// - Keys and values are those that are given, with the namespace of the URL in front: what kube-apiserver
//   writes can be read here and back.
import {
  checkCommit,
  checkKey,
  checkList,
  checkRevision,
  closedError,
  compactedError,
  futureError,
} from '../../check-request.ts';
import type { EngineOptions } from '../../options.ts';
import {
  type Commit,
  type CommitResult,
  type ListOptions,
  type ListPage,
  type Store,
  type StoredEntry,
  StoreError,
  type StoreWatch,
  type WatchBatch,
  type WatchOptions,
} from '../../store.ts';
import type { EtcdAddress, EtcdOptions } from './address.ts';
import { readCompactedRevision } from './compacted-revision.ts';
import { Compactor } from './compactor.ts';
import { isLeaseLost } from './errors.ts';
import { EtcdClient } from './etcd-client.ts';
import { happensOnce, hedgedTxn } from './hedged-txn.ts';
import { prefixRange } from './key-range.ts';
import { readPage } from './listing.ts';
import { LiveFeed, type StartingPoint, startingPoint } from './live-feed.ts';
import type { TxnResponse } from './messages/kv.ts';
import { OwnValues } from './own-values.ts';
import { SharedCall } from './shared-call.ts';
import { SharedLeases } from './shared-leases.ts';
import { txnOf } from './transactions.ts';
import { Watchers } from './watchers.ts';

/** Within the store's keys, but not a key that a resource could have: group names have a dot. */
const MARKER = 'instar/progress';

/**
 * A commit without an answer after this part of its timeout is sent again, if that cannot make it happen
 * twice.
 */
const HEDGE_PART = 5;

export async function openEtcdStore(
  address: EtcdAddress,
  etcd: EtcdOptions,
  options: EngineOptions,
): Promise<Store> {
  const client = new EtcdClient(address, etcd);
  try {
    const markerKey = (etcd.scope ?? '') + MARKER;
    const start = await startingPoint(client, Buffer.from(address.namespace + markerKey));
    return new EtcdStore(
      client,
      { namespace: address.namespace, scope: etcd.scope ?? '', markerKey, start },
      options,
    );
  } catch (error) {
    await client.close();
    throw error;
  }
}

interface EtcdKeyspace {
  readonly namespace: string;
  readonly scope: string;
  readonly markerKey: string;
  readonly start: StartingPoint;
}

class EtcdStore implements Store {
  readonly isShared = true;
  readonly #client: EtcdClient;
  readonly #place: EtcdKeyspace;
  readonly #marker: Buffer;
  readonly #feed: LiveFeed;
  readonly #watchers: Watchers;
  readonly #leases: SharedLeases;
  readonly #compactor: Compactor;
  readonly #own = new OwnValues();
  readonly #revision: SharedCall<number>;
  readonly #inFlight = new Set<Promise<unknown>>();
  #compacted = 0;
  #closing: Promise<void> | undefined;

  constructor(client: EtcdClient, place: EtcdKeyspace, options: EngineOptions) {
    this.#client = client;
    this.#place = place;
    this.#marker = Buffer.from(place.namespace + place.markerKey);
    const range = prefixRange(place.namespace + place.scope);
    this.#feed = new LiveFeed({
      client,
      range,
      start: place.start,
      marker: this.#marker,
      markerKey: place.markerKey,
      onBatches: (batches) => this.#announce(batches),
      onGap: (compacted) => this.#watchers.startOver(compactedError(this.#feed.reported, compacted)),
    });
    this.#revision = new SharedCall(() => this.#readRevision());
    this.#watchers = new Watchers({
      client,
      range,
      feed: this.#feed,
      currentRevision: () => this.#revision.next(),
      markerKey: place.markerKey,
    });
    this.#leases = new SharedLeases(client);
    this.#compactor = new Compactor({
      client,
      clock: options.clock,
      intervalMs: options.historySeconds * 1000,
      onCompacted: (revision) => this.#forgot(revision),
    });
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    this.#checkOpen();
    checkKey(key);
    const { entries } = await this.#tracked(this.#client.range({ key: this.#keyOf(key) }));
    const [entry] = entries;
    // A caller that sees a revision may watch from it.
    if (entry !== undefined) await this.#feed.reached(entry.modRevision, true);
    return entry;
  }

  async list(options: ListOptions): Promise<ListPage> {
    this.#checkOpen();
    checkList(options);
    const reading = readPage(this.#client, this.#place.namespace, options, this.#marker);
    const page = await this.#tracked(reading).catch((error: unknown) =>
      this.#explain(error, options.revision ?? 0),
    );
    await this.#feed.reached(page.revision);
    return page;
  }

  async commit(commit: Commit): Promise<CommitResult> {
    this.#checkOpen();
    checkCommit(commit);
    this.#checkScope(commit);
    const release = this.#own.add(commit.operations);
    try {
      return await this.#tracked(this.#commit(commit));
    } finally {
      release();
    }
  }

  watch(options: WatchOptions): StoreWatch {
    return this.#watchers.watch(options);
  }

  async currentRevision(): Promise<number> {
    this.#checkOpen();
    return this.#tracked(this.#revision.next());
  }

  async compactedRevision(): Promise<number> {
    this.#checkOpen();
    const revision = await this.#tracked(readCompactedRevision(this.#client, this.#marker, this.#compacted));
    this.#forgot(revision);
    return this.#compacted;
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    checkRevision(revision);
    if (revision === 0) return;
    try {
      await this.#tracked(this.#client.compact(revision));
      this.#forgot(revision);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'compacted') await this.#explain(error, revision);
    }
  }

  /** Every put adds 1: the only way to move etcd's counter. */
  async advanceTo(revision: number): Promise<void> {
    this.#checkOpen();
    const steps = Math.max(revision - (await this.currentRevision()), 0);
    let left = steps;
    const put = { type: 'put', key: this.#marker, value: Buffer.alloc(0) } as const;
    await Promise.all(
      Array.from({ length: Math.min(64, steps) }, async () => {
        while (left-- > 0) await this.#client.txn({ compare: [], success: [put], failure: [] });
      }),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#watchers.close();
    await Promise.all([this.#compactor.stop(), Promise.allSettled(this.#inFlight)]);
    this.#feed.close(closedError());
    await this.#client.close();
  }

  async #commit(commit: Commit): Promise<CommitResult> {
    const { revision, succeeded, ranges } = await this.#txn(commit).catch((error: unknown) => {
      if (!isLeaseLost(error)) throw error;
      this.#leases.forget();
      return this.#txn(commit);
    });
    if (!succeeded) return { committed: false, revision, current: ranges.flatMap(({ entries }) => entries) };
    // Only deletions of missing keys make no revision.
    const isOwn = commit.operations.some(({ type }) => type === 'put');
    await this.#feed.reached(revision, isOwn);
    return { committed: true, revision };
  }

  async #txn(commit: Commit): Promise<TxnResponse> {
    const request = await txnOf(commit, this.#place.namespace, (ttlSeconds) =>
      this.#leases.leaseFor(ttlSeconds),
    );
    if (!happensOnce(commit)) return this.#client.txn(request);
    const [operation] = commit.operations;
    const value = operation?.type === 'put' ? operation.value : undefined;
    const hedgeAfterMs = this.#client.timeoutMs / HEDGE_PART;
    return hedgedTxn(
      this.#client.txn(request, hedgeAfterMs),
      () => this.#client.txn(request),
      value,
      hedgeAfterMs,
    );
  }

  /** What is not watched could never be reported. */
  #checkScope({ operations }: Commit): void {
    const { scope } = this.#place;
    const outside = operations.find(({ key }) => !key.startsWith(scope));
    if (outside !== undefined)
      throw new StoreError('invalid', `${JSON.stringify(outside.key)} is not below ${scope}`);
  }

  async #readRevision(): Promise<number> {
    const before = this.#feed.reported;
    const { revision } = await this.#client.range({ key: this.#marker, countOnly: true });
    if (revision < before)
      throw new StoreError(
        'unavailable',
        `etcd is at revision ${revision}, and has been at ${before}: was it restored?`,
      );
    await this.#feed.reached(revision);
    return revision;
  }

  #announce(batches: readonly WatchBatch[]): void {
    this.#watchers.announce(this.#own.recognize(batches));
  }

  #forgot(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
    this.#watchers.forgetUpTo(this.#compacted);
  }

  /** etcd says that a revision is too old or too new, but not by how much. */
  async #explain(error: unknown, revision: number): Promise<never> {
    if (error instanceof StoreError && error.code === 'compacted')
      throw compactedError(revision, await this.compactedRevision());
    if (error instanceof StoreError && error.code === 'future-revision')
      throw futureError(revision, this.#feed.reported);
    throw error;
  }

  #keyOf(key: string): Buffer {
    return Buffer.from(this.#place.namespace + key);
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw closedError();
  }

  #tracked<T>(work: Promise<T>): Promise<T> {
    this.#inFlight.add(work);
    return work.finally(() => this.#inFlight.delete(work));
  }
}
