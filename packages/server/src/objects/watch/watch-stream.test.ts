import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Converter, CutJson } from '@instar/convert';
import type { JsonObject, KubeObject } from '@instar/machinery';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestApi, type TestApiOptions } from '../../testing/test-api.ts';
import { TestSink } from '../../testing/test-sink.ts';
import { widgetDefinition, widgetVersion } from '../../testing/widget-definition.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';
import type { VersionDefinition } from '../definition.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const open: TestApi[] = [];
async function start(options?: TestApiOptions): Promise<TestApi> {
  const api = await TestApi.start(options);
  open.push(api);
  return api;
}
afterEach(async () => {
  vi.useRealTimers();
  for (const api of open.splice(0)) await api.close();
});

const create = (api: TestApi, name: string, labels = {}, data = {}) =>
  api.ok('POST', MAPS, { metadata: { name, labels }, data });
const label = (api: TestApi, name: string, labels: object) =>
  api.ok('PATCH', `${MAPS}/${name}`, { metadata: { labels } });
const revisionOf = async (api: TestApi): Promise<string> =>
  (await api.ok('GET', MAPS)).metadata.resourceVersion;

describe('the start of a watch', () => {
  it('sends the current state, then events', async () => {
    const api = await start();
    await create(api, 'a');
    const sink = await api.watch(`${MAPS}?watch=true`);
    await sink.until(1);
    await create(api, 'b');
    await api.ok('DELETE', `${MAPS}/a`);
    expect(await sink.until(3)).toEqual(['ADDED a', 'ADDED b', 'DELETED a']);
  });

  it('sends events after a revision from memory', async () => {
    const api = await start();
    await create(api, 'a');
    const revision = await revisionOf(api);
    await create(api, 'b');
    await label(api, 'a', { x: '1' });
    const sink = await api.watch(`${MAPS}?watch=true&resourceVersion=${revision}`);
    expect(await sink.until(2)).toEqual(['ADDED b', 'MODIFIED a']);
  });

  it('sends events after a revision that is no longer in memory, none missing and none twice', async () => {
    const api = await start({ maxLogEvents: 3 });
    await create(api, 'a');
    const revision = await revisionOf(api);
    for (let i = 0; i < 20; i++) await label(api, 'a', { i: String(i) });
    const sink = await api.watch(`${MAPS}?watch=true&resourceVersion=${revision}`);
    for (let i = 20; i < 30; i++) await label(api, 'a', { i: String(i) });
    await sink.until(30);
    expect(sink.events.map(({ object }) => Number(object.metadata.labels.i))).toEqual(
      Array.from({ length: 30 }, (_, i) => i),
    );
  });

  it('sends an error and ends for a revision that is too old', async () => {
    const api = await start({ maxLogEvents: 1 });
    await create(api, 'a');
    for (const i of ['1', '2', '3']) await label(api, 'a', { i });
    await api.store.compact(await api.store.currentRevision());
    const sink = await api.watch(`${MAPS}?watch=true&resourceVersion=2`);
    await sink.untilClosed();
    expect(sink.events).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
    ]);
    expect(sink.ended).toBe(true);
  });

  it('sends the current state and a bookmark at its end, if requested', async () => {
    const api = await start();
    await create(api, 'a');
    const query =
      'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const sink = await api.watch(`${MAPS}?${query}`);
    expect(await sink.until(2)).toEqual(['ADDED a', 'BOOKMARK']);
    expect(sink.events[1].object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    expect(sink.events[1].object.metadata.resourceVersion).toBe(await revisionOf(api));
  });
});

describe('a selection', () => {
  it('turns entering it into ADDED and leaving it into DELETED, with the previous state', async () => {
    const api = await start();
    await create(api, 'a', { app: 'x' });
    await create(api, 'b');
    const sink = await api.watch(`${MAPS}?watch=true&labelSelector=app%3Dx`);
    await sink.until(1);
    await label(api, 'b', { app: 'x' });
    await label(api, 'b', { other: '1' });
    await label(api, 'a', { app: 'y' });
    await label(api, 'a', { app: 'z' });
    await api.ok('DELETE', `${MAPS}/b`);
    expect(await sink.until(5)).toEqual(['ADDED a', 'ADDED b', 'MODIFIED b', 'DELETED a', 'DELETED b']);
    const left = sink.events[3].object.metadata;
    expect(left.labels).toEqual({ app: 'x' });
    expect(Number(left.resourceVersion)).toBeGreaterThan(
      Number(sink.events[2].object.metadata.resourceVersion),
    );
  });

  it('by name gets that object alone', async () => {
    const api = await start();
    await create(api, 'a');
    await create(api, 'b');
    const sink = await api.watch(`${MAPS}?watch=true&fieldSelector=metadata.name%3Db`);
    await label(api, 'a', { x: '1' });
    await label(api, 'b', { x: '1' });
    expect(await sink.until(2)).toEqual(['ADDED b', 'MODIFIED b']);
  });

  it('by a field follows that field', async () => {
    const api = await start();
    const secrets = '/api/v1/namespaces/default/secrets';
    await api.ok('POST', secrets, { metadata: { name: 'a' }, type: 'example.com/x' });
    await api.ok('POST', secrets, { metadata: { name: 'b' }, type: 'Opaque' });
    const sink = await api.watch(`${secrets}?watch=true&fieldSelector=type%3DOpaque`);
    await api.ok('POST', secrets, { metadata: { name: 'c' }, type: 'Opaque' });
    await api.ok('DELETE', `${secrets}/a`);
    await api.ok('DELETE', `${secrets}/b`);
    expect(await sink.until(3)).toEqual(['ADDED b', 'ADDED c', 'DELETED b']);
  });

  it('of a namespace gets no other', async () => {
    const api = await start();
    const sink = await api.watch(`${MAPS}?watch=true`);
    await api.ok('POST', '/api/v1/namespaces/kube-system/configmaps', { metadata: { name: 'elsewhere' } });
    await create(api, 'here');
    expect(await sink.until(1)).toEqual(['ADDED here']);
  });
});

describe('bookmarks', () => {
  it('are sent to clients that requested them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const api = await start();
    const [wants, not] = [
      await api.watch(`${MAPS}?watch=true&allowWatchBookmarks=true`),
      await api.watch(`${MAPS}?watch=true`),
    ];
    await nextTurn();
    vi.advanceTimersByTime(60_000);
    expect([wants.summary, not.summary]).toEqual([['BOOKMARK'], []]);
    expect(wants.events[0].object).toMatchObject({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { resourceVersion: expect.any(String) },
    });
  });

  it('do not overtake history that is still being read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const api = await start({ maxLogEvents: 1 });
    await create(api, 'a');
    const revision = await revisionOf(api);
    for (const i of ['1', '2', '3']) await label(api, 'a', { i });
    const sink = await api.watch(`${MAPS}?watch=true&allowWatchBookmarks=true&resourceVersion=${revision}`);
    vi.advanceTimersByTime(60_000);
    expect(await sink.until(3)).toEqual(['MODIFIED a', 'MODIFIED a', 'MODIFIED a']);
    await nextTurn();
    vi.advanceTimersByTime(60_000);
    expect(sink.summary.at(-1)).toBe('BOOKMARK');
  });
});

describe('a client that does not keep up', () => {
  const large = { filler: 'x'.repeat(20_000) };

  it('is disconnected when too much is pending for it', async () => {
    const api = await start({ watches: { maxPendingBytes: 50_000 } });
    const sink = await api.watch(`${MAPS}?watch=true`, new TestSink({ reads: false }));
    await nextTurn();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(api, name, {}, large);
    expect(sink.destroyed).toBe(true);
    expect(api.watches.size).toBe(0);
    expect(sink.maxPending).toBeLessThan(100_000);
  });

  it('can read the initial state slowly without missing events', async () => {
    const api = await start({ watches: { maxPendingBytes: 200_000 } });
    for (let i = 0; i < 30; i++) await create(api, `a${i}`, {}, large);
    const sink = await api.watch(`${MAPS}?watch=true`, new TestSink({ reads: false }));
    for (let i = 0; i < 30; i++) await create(api, `b${i}`, {}, large);
    for (let round = 0; round < 100 && sink.events.length < 60; round++) {
      sink.read();
      await nextTurn();
    }
    expect(sink.summary.slice(30)).toEqual(Array.from({ length: 30 }, (_, i) => `ADDED b${i}`));
    expect(new Set(sink.summary).size).toBe(60);
    expect(sink.maxPending).toBeLessThan(250_000);
  });

  it('is disconnected when it reads nothing at all', async () => {
    const api = await start();
    for (let i = 0; i < 30; i++) await create(api, `a${i}`, {}, large);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sink = await api.watch(`${MAPS}?watch=true`, new TestSink({ reads: false }));
    await nextTurn();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(sink.destroyed).toBe(true);
  });
});

describe('the end of a watch', () => {
  it('comes with its timeout, however long that is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const api = await start();
    const [short, long] = [
      await api.watch(`${MAPS}?watch=true&timeoutSeconds=5`),
      await api.watch(`${MAPS}?watch=true&timeoutSeconds=9000000000`),
    ];
    await vi.advanceTimersByTimeAsync(5_000);
    expect([short.ended, long.ended]).toEqual([true, false]);
  });

  it('by the store lets the client resume from where it was', async () => {
    const api = await start();
    const sink = await api.watch(`${MAPS}?watch=true`);
    const { metadata } = await create(api, 'a');
    await sink.until(1);
    api.store.endWatches();
    expect(sink.ended).toBe(true);
    await create(api, 'b');
    const again = await api.watch(`${MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    expect(await again.until(1)).toEqual(['ADDED b']);
  });

  it('leaves nothing behind when the client disconnects', async () => {
    const api = await start();
    const sink = await api.watch(`${MAPS}?watch=true`);
    expect(api.watches.size).toBe(1);
    sink.leave();
    await create(api, 'a');
    expect(api.watches.size).toBe(0);
    expect(sink.summary).toEqual([]);
  });

  it('comes for all watches when the server closes', async () => {
    const api = await start();
    const sinks = [
      await api.watch(`${MAPS}?watch=true`),
      await api.watch(`${MAPS}?watch=true&resourceVersion=1`),
    ];
    api.watches.close();
    expect(sinks.map(({ ended }) => ended)).toEqual([true, true]);
  });

  it('is immediate beyond the allowed number of watches', async () => {
    const api = await start({ watches: { maxWatches: 1 } });
    await api.watch(`${MAPS}?watch=true`);
    expect((await api.call('GET', `${MAPS}?watch=true`)).status).toBe(429);
  });
});

describe('versions that must be converted', () => {
  const selectableFields = [
    { name: 'spec.size', value: (object: JsonObject) => String((object['spec'] as { size?: number }).size) },
  ];
  const version = (name: string, more: Partial<VersionDefinition> = {}) =>
    widgetVersion(name, undefined, { selectableFields, ...more });

  const widgets = (converter: Converter, versions = [version('v1'), version('v2')]) =>
    widgetDefinition(versions, converter);

  const relabel = (object: KubeObject, apiVersion: string): KubeObject => ({ ...object, apiVersion });
  const broken = (): never => {
    throw new Error('broken');
  };
  const WIDGETS = '/apis/example.com/v1/widgets';
  const widget = (name: string, size: number) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name },
    spec: { size },
  });

  /** The earlier an object, the longer its conversion takes. */
  const slow: Converter = {
    convert: async (sources, to, settle) => {
      for (let i = 0; i < sources.length; i++) {
        const source = sources.at(i)!;
        const { head, rest } = source.json() as CutJson;
        const object = parseOwnBytes(Buffer.concat([head, rest])) as unknown as KubeObject;
        for (
          let turns = 10 - ((object['spec'] as { size?: number } | undefined)?.size ?? 9);
          turns > 0;
          turns--
        )
          await nextTurn();
        settle(i, { ...relabel(object, to), metadata: { ...source.metadata } }, source);
      }
    },
  };

  it('are sent in order, however long each takes', async () => {
    const api = await start();
    api.registry.define(widgets(slow));
    const all = await api.watch('/apis/example.com/v2/widgets?watch=true');
    const some = await api.watch('/apis/example.com/v2/widgets?watch=true&fieldSelector=spec.size%3D3');
    for (let size = 0; size < 6; size++) await api.ok('POST', WIDGETS, widget(`w${size}`, size));
    await all.until(6);
    expect(api.failures).toEqual([]);
    expect(all.summary).toEqual(['ADDED w0', 'ADDED w1', 'ADDED w2', 'ADDED w3', 'ADDED w4', 'ADDED w5']);
    expect(all.events.every(({ object }) => object.apiVersion === 'example.com/v2')).toBe(true);
    expect(await some.until(1)).toEqual(['ADDED w3']);
  });

  it('disconnect the watch when too many are queued', async () => {
    const api = await start({ watches: { maxQueuedEvents: 3 } });
    const never: Converter = { convert: () => new Promise<void>(() => {}) };
    api.registry.define(widgets(never));
    const sink = await api.watch('/apis/example.com/v2/widgets?watch=true');
    await nextTurn();
    for (let size = 0; size < 6; size++) await api.ok('POST', WIDGETS, widget(`w${size}`, size));
    expect(sink.destroyed).toBe(true);
  });

  it.each<[string, Converter]>([
    ['at once', { convertNow: broken }],
    ['later', { convert: async () => broken() }],
  ])('fail their own watch alone when they fail %s', async (_, converter) => {
    const api = await start();
    api.registry.define(widgets(converter));
    const [failing, fine] = [
      await api.watch('/apis/example.com/v2/widgets?watch=true'),
      await api.watch(`${WIDGETS}?watch=true`),
    ];
    await nextTurn();
    await api.ok('POST', WIDGETS, widget('a', 1));
    await failing.untilClosed();
    expect(failing.events).toMatchObject([{ type: 'ERROR', object: { code: 500 } }]);
    expect(api.failures).toMatchObject([{ message: 'broken' }]);
    expect(await fine.until(1)).toEqual(['ADDED a']);
  });

  it('end the watch when the definition changes how objects look', async () => {
    const api = await start();
    const quick: Converter = { convertNow: relabel };
    const before = widgets(quick);
    api.registry.define(before);
    const sink = await api.watch(`${WIDGETS}?watch=true`);
    api.registry.define({ ...before, versions: before.versions.map((v) => ({ ...v })) });
    await api.ok('POST', WIDGETS, widget('a', 1));
    expect(await sink.until(1)).toEqual(['ADDED a']);
    api.registry.define(widgets(quick));
    await api.ok('POST', WIDGETS, widget('b', 1));
    expect([sink.ended, sink.summary]).toEqual([true, ['ADDED a']]);
  });
});
