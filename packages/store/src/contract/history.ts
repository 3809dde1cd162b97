// The past: lists at, and watches from, a revision; compaction on request and by age.
import { describe, expect, it } from 'vitest';
import { type ContractStore, keysOf, put, remove, write } from './engine.ts';
import { ManualClock } from './manual-clock.ts';
import { Recorder, until } from './recorder.ts';

export function describeHistory({ open, engine }: ContractStore): void {
  describe('history', () => {
    it('lists the state as of any revision', async () => {
      const store = await open();
      const states: { revision: number; keys: string[] }[] = [];
      const steps = [
        [put('/a', '1')],
        [put('/b', '1'), put('/c', '1')],
        [put('/a', '2')],
        [remove('/b')],
        [put('/b', '2'), remove('/a')],
        [put('/d')],
      ];
      for (const operations of steps)
        states.push({ revision: await write(store, ...operations), keys: await keysOf(store, '/') });
      for (const { revision, keys } of states) {
        expect(await keysOf(store, '/', revision)).toEqual(keys);
        expect(await store.list({ prefix: '/', revision })).toMatchObject({ revision });
      }
    });

    it('knows no future', async () => {
      const store = await open();
      const next = (await store.currentRevision()) + 1;
      await expect(store.list({ prefix: '/', revision: next })).rejects.toMatchObject({
        code: 'future-revision',
      });
      await expect(store.compact(next)).rejects.toMatchObject({ code: 'future-revision' });
      expect(await new Recorder(store, '/', next + 1).end()).toMatchObject({ code: 'future-revision' });
    });

    it('forgets what came before a compaction, and nothing else', async () => {
      const store = await open();
      const first = await write(store, put('/a', '1'));
      const second = await write(store, put('/a', '2'), put('/b', '1'));
      const third = await write(store, remove('/b'));
      const before = await keysOf(store, '/', second);
      await store.compact(second);
      expect(await store.compactedRevision()).toBe(second);
      await expect(store.list({ prefix: '/', revision: first })).rejects.toMatchObject({
        code: 'compacted',
        compactedRevision: second,
      });
      expect(await new Recorder(store, '/', first).end()).toMatchObject({
        code: 'compacted',
        compactedRevision: second,
      });
      expect(await keysOf(store, '/', second)).toEqual(before);
      expect(await keysOf(store, '/', third)).toEqual([`/a=2@${second}`]);
      const watch = new Recorder(store, '/', second + 1);
      await watch.reaches(third);
      expect(watch.lines).toEqual([`delete /b ${third}`]);
      await store.compact(first);
      await store.compact(second);
      expect(await store.compactedRevision()).toBe(second);
    });

    it('can be compacted up to the newest revision', async () => {
      const store = await open();
      await write(store, put('/a', '1'), put('/gone'));
      const revision = await write(store, put('/a', '2'), remove('/gone'));
      await store.compact(revision);
      expect(await keysOf(store, '/', revision)).toEqual([`/a=2@${revision}`]);
      const watch = new Recorder(store, '/', revision + 1);
      const next = await write(store, put('/a', '3'));
      await watch.reaches(next);
      expect(watch.lines).toEqual([`put /a ${next}`]);
    });

    it('does not disturb live watches when it is compacted', async () => {
      const store = await open();
      const watch = new Recorder(store, '/', (await store.currentRevision()) + 1);
      for (let round = 0; round < 20; round++) await store.compact(await write(store, put('/a', `${round}`)));
      expect([watch.events.length, watch.ended, watch.faults]).toEqual([20, undefined, []]);
    });

    it('can be skipped: the next revision comes after the given one', async () => {
      const store = await open();
      if (store.advanceTo === undefined) return;
      const before = await write(store, put('/a', '1'));
      const live = new Recorder(store, '/', before + 1);
      await store.advanceTo(before + 500);
      expect(await store.currentRevision()).toBe(before + 500);
      const next = await write(store, put('/b', '1'));
      expect(next).toBe(before + 501);
      expect(await keysOf(store, '/')).toEqual([`/a=1@${before}`, `/b=1@${next}`]);
      await live.reaches(next);
      const late = new Recorder(store, '/', before + 501);
      await late.reaches(next);
      expect([live.lines, late.lines, ...live.faults]).toEqual([[`put /b ${next}`], [`put /b ${next}`]]);
      await store.advanceTo(before);
      expect(await store.currentRevision()).toBe(next);
    });

    it.skipIf(engine.noClock !== undefined)(
      `is kept for as long as promised, then forgotten${why(engine.noClock)}`,
      async () => {
        const clock = new ManualClock();
        const store = await open({ clock, historySeconds: 100 });
        const old = await write(store, put('/a', '1'));
        await clock.advance(90);
        const young = await write(store, put('/a', '2'));
        expect(await keysOf(store, '/', old)).toEqual([`/a=1@${old}`]);
        await clock.advance(90);
        await until(async () => (await store.compactedRevision()) >= old);
        expect(await keysOf(store, '/', young)).toEqual([`/a=2@${young}`]);
        await clock.advance(200);
        await until(async () => (await store.compactedRevision()) >= young);
        expect(await keysOf(store, '/')).toEqual([`/a=2@${young}`]);
      },
    );
  });
}

export const why = (reason: string | undefined): string =>
  reason === undefined ? '' : ` (skipped: ${reason})`;
