import { StoreError } from '@instar/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FaultyStore, openFaultyStore } from '../../testing/faulty-store.ts';
import { encodeForStore } from '../cached-object.ts';
import type { CacheEvent } from './cache-event.ts';
import { ResourceCache } from './resource-cache.ts';

const PREFIX = '/registry/widgets/';
let store: FaultyStore;
let cache: ResourceCache;

const cacheOf = (options: { maxLogEvents?: number; historyFloor?: number } = {}) =>
  new ResourceCache({
    store,
    prefix: PREFIX,
    historyFloor: 0,
    maxLogEvents: 100,
    maxLogBytes: 1 << 20,
    ...options,
  });

async function put(name: string, labels: Record<string, string> = {}): Promise<number> {
  const value = encodeForStore({ apiVersion: 'v1', kind: 'Widget', metadata: { name, labels } });
  const { revision } = await store.commit({
    conditions: [],
    operations: [{ type: 'put', key: PREFIX + name, value }],
  });
  return revision;
}
async function remove(name: string): Promise<number> {
  return (await store.commit({ conditions: [], operations: [{ type: 'delete', key: PREFIX + name }] }))
    .revision;
}
const names = () => cache.slice(PREFIX).map(({ key }) => key.slice(PREFIX.length));
const shown = ({ type, object, revision }: CacheEvent) => `${type} ${object.metadata.name} ${revision}`;
const listening = () => {
  const events: string[] = [];
  let resets = 0;
  const stop = cache.subscribe({
    onEvent: (event) => events.push(shown(event)),
    onReset: () => void resets++,
  });
  return { events, stop, resets: () => resets };
};

beforeEach(async () => {
  store = await openFaultyStore();
  cache = cacheOf();
});
afterEach(async () => {
  vi.useRealTimers();
  cache.stop();
  await store.close();
});

describe('starting', () => {
  it('reads all objects, however many pages it takes', async () => {
    for (let i = 0; i < 4_100; i++) await put(`w${String(i).padStart(5, '0')}`);
    await cache.waitUntilFresh();
    expect(cache.size).toBe(4_100);
    expect(names()[4_099]).toBe('w04099');
  });

  it('happens once for concurrent requests', async () => {
    await Promise.all([cache.waitUntilFresh(), cache.waitUntilFresh(), cache.waitUntilAtLeast(1)]);
    expect(store.watchCount).toBe(1);
  });

  it('misses nothing that is written meanwhile', async () => {
    await put('before');
    const writing = (async () => {
      for (let i = 0; i < 50; i++) {
        await put(`w${i}`);
        if (i % 3 === 0) await remove(`w${i}`);
      }
    })();
    await cache.waitUntilFresh();
    await writing;
    await cache.waitUntilFresh();
    const { entries, revision } = await store.list({ prefix: PREFIX });
    expect(cache.slice(PREFIX).map(({ key, revision: at }) => [key, at])).toEqual(
      entries.map(({ key, modRevision }) => [key, modRevision]),
    );
    expect(cache.revision).toBe(revision);
  });

  it('is retried when history is compacted before it is done', async () => {
    const list = store.list.bind(store);
    let pages = 0;
    for (let i = 0; i < 2_001; i++) await put(`w${i}`);
    store.list = async (options) => {
      if (++pages === 2) throw new StoreError('compacted', 'gone', { compactedRevision: 1 });
      return list(options);
    };
    await cache.waitUntilFresh();
    expect(cache.size).toBe(2_001);
  });

  it('fails on each attempt until every value can be read', async () => {
    await store.commit({
      conditions: [],
      operations: [{ type: 'put', key: `${PREFIX}bad`, value: Buffer.from('k8s\0') }],
    });
    await expect(cache.waitUntilFresh()).rejects.toThrow('not an object');
    await expect(cache.waitUntilFresh()).rejects.toThrow('not an object');
    await remove('bad');
    await cache.waitUntilFresh();
    expect(cache.size).toBe(0);
  });
});

describe('following', () => {
  it('reports events in order, with the previous state', async () => {
    const first = await put('a');
    await cache.waitUntilFresh();
    const { events } = listening();
    await put('a', { x: '1' });
    await put('b');
    await remove('a');
    expect(events).toEqual([`MODIFIED a ${first + 1}`, `ADDED b ${first + 2}`, `DELETED a ${first + 3}`]);
    expect(names()).toEqual(['b']);
    expect(cache.eventsAfter(first)?.map(({ previous }) => previous?.revision)).toEqual([
      first,
      undefined,
      first + 1,
    ]);
  });

  it('shows a deleted object at the revision of its deletion', async () => {
    const created = await put('a');
    await cache.waitUntilFresh();
    await remove('a');
    expect(cache.eventsAfter(created)![0]!.object.metadata.resourceVersion).toBe(String(created + 1));
  });

  it('ignores changes of other resources', async () => {
    await cache.waitUntilFresh();
    const { lastChange } = cache;
    await store.commit({
      conditions: [],
      operations: [{ type: 'put', key: '/registry/others/a', value: Buffer.from('x') }],
    });
    await cache.waitUntilFresh();
    expect(cache.revision).toBe(await store.currentRevision());
    expect(cache.lastChange).toBe(lastChange);
  });
});

describe('waiting for a revision', () => {
  it('ends when it is reached', async () => {
    await cache.waitUntilFresh();
    const next = (await store.currentRevision()) + 1;
    const waited = cache.waitUntilAtLeast(next);
    await put('a');
    await waited;
    expect(cache.revision).toBe(next);
  });

  it('times out if it is not reached', async () => {
    await cache.waitUntilFresh();
    vi.useFakeTimers();
    const waited = expect(cache.waitUntilAtLeast(999)).rejects.toMatchObject({
      status: { code: 504, message: `Timeout: Too large resource version: 999, current: ${cache.revision}` },
    });
    await vi.advanceTimersByTimeAsync(3_000);
    await waited;
  });
});

describe('history', () => {
  it('is read from the store if it is no longer in memory', async () => {
    cache = cacheOf({ maxLogEvents: 2 });
    await cache.waitUntilFresh();
    const start = cache.revision;
    for (const name of ['a', 'b', 'a', 'c', 'd']) await put(name);
    await remove('a');
    expect(cache.eventsAfter(start)).toBeUndefined();
    const { events, upTo } = await cache.readHistory(start);
    const rest = cache.eventsAfter(upTo)!;
    expect([...events, ...rest].map(shown)).toEqual(
      ['ADDED a', 'ADDED b', 'MODIFIED a', 'ADDED c', 'ADDED d', 'DELETED a'].map(
        (text, i) => `${text} ${start + 1 + i}`,
      ),
    );
  });

  it('is read in pages', async () => {
    cache = cacheOf({ maxLogEvents: 2 });
    await cache.waitUntilFresh();
    let reached = cache.revision;
    for (let i = 0; i < 2_500; i++) await put('a', { i: String(i) });
    const seen: number[] = [];
    for (let recent = cache.eventsAfter(reached); recent === undefined; recent = cache.eventsAfter(reached)) {
      const piece = await cache.readHistory(reached);
      expect(piece.events.length).toBeLessThanOrEqual(1_000);
      seen.push(...piece.events.map(({ revision }) => revision));
      reached = piece.upTo;
    }
    seen.push(...cache.eventsAfter(reached)!.map(({ revision }) => revision));
    expect(seen).toEqual(Array.from({ length: 2_500 }, (_, i) => seen[0]! + i));
  });

  it('that was compacted is too old', async () => {
    cache = cacheOf({ maxLogEvents: 1 });
    await cache.waitUntilFresh();
    const start = cache.revision;
    for (const name of ['a', 'b', 'c', 'd']) await put(name);
    await store.compact(start + 2);
    await expect(cache.readHistory(start + 1)).rejects.toMatchObject({
      status: {
        code: 410,
        reason: 'Expired',
        message: `too old resource version: ${start + 1} (${start + 2})`,
      },
    });
    expect((await cache.readHistory(start + 2)).events.map(shown)).toEqual([`ADDED c ${start + 3}`]);
  });

  it('before the resource was defined does not exist', async () => {
    await put('a');
    const floor = await put('b');
    cache = cacheOf({ historyFloor: floor, maxLogEvents: 1 });
    await cache.waitUntilFresh();
    await put('c');
    await put('d');
    await expect(cache.readHistory(floor - 1)).rejects.toMatchObject({ status: { code: 410 } });
    expect((await cache.readHistory(floor)).events.map(shown)).toEqual([`ADDED c ${floor + 1}`]);
  });

  it('that cannot be read fails the caller, not the process', async () => {
    const start = await store.currentRevision();
    await store.commit({
      conditions: [],
      operations: [{ type: 'put', key: `${PREFIX}bad`, value: Buffer.from('x') }],
    });
    await remove('bad');
    await cache.waitUntilFresh();
    await expect(cache.readHistory(start)).rejects.toThrow('not an object');
  });
});

describe('a watch of the store that ends', () => {
  it('leaves the cache as it was, with its listeners reset, until the next read', async () => {
    await put('a');
    await cache.waitUntilFresh();
    const { events, resets } = listening();
    store.endWatches();
    expect(resets()).toBe(1);
    await put('b');
    expect(events).toEqual([]);
    expect(names()).toEqual(['a']);
    await cache.waitUntilFresh();
    expect(names()).toEqual(['a', 'b']);
  });

  it('leaves the last known state readable until there is a newer one', async () => {
    await put('a');
    await cache.waitUntilFresh();
    store.endWatches();
    const restarting = cache.waitUntilFresh();
    expect(cache.get(`${PREFIX}a`)).toBeDefined();
    await restarting;
  });

  it('during a read of the newest revision does not make that read stale', async () => {
    await cache.waitUntilFresh();
    const { currentRevision } = store;
    store.currentRevision = async () => {
      store.currentRevision = currentRevision;
      store.endWatches();
      await put('late');
      return currentRevision();
    };
    await cache.waitUntilFresh();
    expect(names()).toEqual(['late']);
  });

  it('immediately resets listeners that subscribe before it runs again', async () => {
    await cache.waitUntilFresh();
    store.endWatches();
    const { resets } = listening();
    await Promise.resolve();
    expect(resets()).toBe(1);
  });

  it('is the result of a value that cannot be read', async () => {
    await cache.waitUntilFresh();
    const { resets } = listening();
    await store.commit({
      conditions: [],
      operations: [{ type: 'put', key: `${PREFIX}bad`, value: Buffer.from('x') }],
    });
    expect(resets()).toBe(1);
    expect(store.watchCount).toBe(0);
    await expect(cache.waitUntilFresh()).rejects.toThrow('not an object');
  });
});

describe('stopping', () => {
  it('releases the watch, the objects and the listeners', async () => {
    await put('a');
    await cache.waitUntilFresh();
    const { resets } = listening();
    cache.stop();
    expect([resets(), cache.size, store.watchCount]).toEqual([1, 0, 0]);
  });

  it('ends the cache for good: it does not start again', async () => {
    cache.stop();
    await expect(cache.waitUntilFresh()).rejects.toMatchObject({ status: { code: 429 } });
    expect(store.watchCount).toBe(0);
  });

  it('leaves no watch behind when the cache was starting', async () => {
    await put('a');
    const starting = cache.waitUntilFresh();
    cache.stop();
    await expect(starting).rejects.toMatchObject({ status: { code: 429 } });
    expect([cache.size, store.watchCount]).toEqual([0, 0]);
  });
});
