// Watches: history, then live, everything once and in order.
import { describe, expect, it } from 'vitest';
import { type ContractStore, put, remove, textOf, write } from './engine.ts';
import { Recorder, until } from './recorder.ts';

export function describeWatches({ open }: ContractStore): void {
  describe('watching', () => {
    it('reports what happens under its prefix, with the new and the previous entry', async () => {
      const store = await open();
      const watch = new Recorder(store, '/a/', (await store.currentRevision()) + 1);
      const created = await write(store, put('/a/1', 'one'), put('/b/1'));
      const changed = await write(store, put('/a/1', 'two'));
      const deleted = await write(store, remove('/a/1'));
      await watch.reaches(deleted);
      expect(watch.lines).toEqual([`put /a/1 ${created}`, `put /a/1 ${changed}`, `delete /a/1 ${deleted}`]);
      const [first, second, third] = watch.events;
      expect([first?.entry?.createRevision, first?.previous]).toEqual([created, undefined]);
      expect([textOf(second?.entry), textOf(second?.previous), second?.previous?.modRevision]).toEqual([
        'two',
        'one',
        created,
      ]);
      expect([third?.entry, textOf(third?.previous), third?.previous?.modRevision]).toEqual([
        undefined,
        'two',
        changed,
      ]);
      expect(watch.faults).toEqual([]);
    });

    it('reports all events of one revision together', async () => {
      const store = await open();
      const watch = new Recorder(store, '/a', (await store.currentRevision()) + 1);
      const revision = await write(store, put('/a/1'), put('/b/1'), put('/a/2'), remove('/a/none'));
      await watch.reaches(revision);
      const batch = watch.batches.find((one) => one.revision === revision);
      expect(batch?.events.map((event) => event.key).sort()).toEqual(['/a/1', '/a/2']);
    });

    it('reports history first, with values as they were', async () => {
      const store = await open();
      const start = await store.currentRevision();
      await write(store, put('/a/1', 'one'));
      await write(store, put('/a/1', 'two'), put('/a/2', 'x'));
      await write(store, remove('/a/1'), put('/c', 'y'));
      const watch = new Recorder(store, '/a/', start + 1);
      const live = await write(store, put('/a/1', 'three'));
      await watch.reaches(live);
      expect(watch.events.map((event) => [event.type, textOf(event.entry), textOf(event.previous)])).toEqual([
        ['put', 'one', undefined],
        ['put', 'two', 'one'],
        ['put', 'x', undefined],
        ['delete', undefined, 'two'],
        ['put', 'three', undefined],
      ]);
      expect(watch.faults).toEqual([]);
    });

    it('goes from history to live without a gap or a repetition, however busy the store is', async () => {
      const store = await open();
      const start = await store.currentRevision();
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let round = 0; round < 60; round++) await write(store, put(`/w/${writer}`, `${round}`));
      });
      const watches: Recorder[] = [];
      for (let at = 0; at < 10; at++) {
        await write(store, put('/other'));
        watches.push(new Recorder(store, '/w/', start + 1));
      }
      await Promise.all(writers);
      const end = await store.currentRevision();
      for (const watch of watches) await watch.reaches(end);
      for (const watch of watches) {
        expect(watch.faults).toEqual([]);
        expect(watch.lines).toEqual(watches[0]!.lines);
        expect(watch.events).toHaveLength(480);
      }
    });

    it('reports its progress, even without events of its own', async () => {
      const store = await open();
      const from = (await store.currentRevision()) + 1;
      const live = new Recorder(store, '/none/', from);
      const revision = await write(store, put('/a'));
      await live.reaches(revision);
      const late = new Recorder(store, '/none/', from);
      await late.reaches(revision);
      expect([live.events, late.events, live.ended, late.ended]).toEqual([[], [], undefined, undefined]);
      expect([...live.faults, ...late.faults]).toEqual([]);
    });

    it('reports nothing before watch() has returned, and nothing after stop()', async () => {
      const store = await open();
      const start = await store.currentRevision();
      await write(store, put('/a/1'));
      let returned = false;
      let early = false;
      const eager = store.watch({
        prefix: '/',
        fromRevision: start + 1,
        onBatch: () => (early ||= !returned),
        onEnd: () => undefined,
      });
      returned = true;
      const stopped = new Recorder(store, '/', start + 1);
      stopped.stop();
      stopped.stop();
      const revision = await write(store, put('/a/2'));
      const other = new Recorder(store, '/', start + 1);
      await other.reaches(revision);
      expect([early, stopped.batches, stopped.ended]).toEqual([false, [], undefined]);
      eager.stop();
    });

    it('may be stopped from within', async () => {
      const store = await open();
      const seen: number[] = [];
      const watch = store.watch({
        prefix: '/',
        fromRevision: (await store.currentRevision()) + 1,
        onBatch: (batch) => {
          seen.push(batch.revision);
          watch.stop();
        },
        onEnd: () => seen.push(-1),
      });
      const first = await write(store, put('/a'));
      await Promise.all([write(store, put('/a')), write(store, put('/b'))]);
      expect(seen).toEqual([first]);
    });

    it('lets its callback commit and watch', async () => {
      const store = await open();
      const from = (await store.currentRevision()) + 1;
      let inner: Promise<number> | undefined;
      let nested: Recorder | undefined;
      const outer = store.watch({
        prefix: '/ask/',
        fromRevision: from,
        onBatch: (batch) => {
          if (batch.events.length === 0 || inner !== undefined) return;
          nested = new Recorder(store, '/', batch.revision + 1);
          inner = write(store, put('/answer/1'));
        },
        onEnd: () => undefined,
      });
      const other = new Recorder(store, '/', from);
      const asked = await write(store, put('/ask/1'));
      await until(() => inner !== undefined);
      const answered = await inner!;
      await Promise.all([other.reaches(answered), nested!.reaches(answered)]);
      expect(other.lines).toEqual([`put /ask/1 ${asked}`, `put /answer/1 ${answered}`]);
      expect(nested!.lines).toEqual([`put /answer/1 ${answered}`]);
      expect([...other.faults, ...nested!.faults]).toEqual([]);
      outer.stop();
    });

    it('ends with "closed" when the store is closed', async () => {
      const store = await open();
      const from = (await store.currentRevision()) + 1;
      const watch = new Recorder(store, '/', from);
      await store.close();
      expect(await watch.end()).toMatchObject({ code: 'closed' });
      expect(await new Recorder(store, '/', from).end()).toMatchObject({ code: 'closed' });
    });
  });
}
