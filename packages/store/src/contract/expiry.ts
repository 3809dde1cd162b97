// Entries that expire.
import { describe, expect, it } from 'vitest';
import { bytes, type ContractStore, put, remove, write } from './engine.ts';
import { why } from './history.ts';
import { ManualClock } from './manual-clock.ts';
import { Recorder, until } from './recorder.ts';

const short = (key: string, ttlSeconds: number) =>
  ({ type: 'put', key, value: bytes(key), ttlSeconds }) as const;

export function describeExpiry({ open, engine }: ContractStore): void {
  describe.skipIf(engine.noClock !== undefined)(`expiry${why(engine.noClock)}`, () => {
    it('deletes an entry when its time has come, with an event', async () => {
      const clock = new ManualClock();
      const store = await open({ clock });
      const watch = new Recorder(store, '/', (await store.currentRevision()) + 1);
      const created = await write(store, short('/a', 60), put('/stays'));
      await clock.advance(59);
      expect(await store.get('/a')).toBeDefined();
      await clock.advance(2);
      await until(async () => (await store.get('/a')) === undefined);
      // Reads may see it before watches are notified.
      await watch.reaches(created + 1);
      const [event] = watch.events.slice(2);
      expect(event).toMatchObject({ type: 'delete', key: '/a', previous: { modRevision: created } });
      expect(event!.revision).toBeGreaterThan(created);
      expect((await store.list({ prefix: '/' })).entries.map((entry) => entry.key)).toEqual(['/stays']);
    });

    it('deletes many, each under a revision of its own', async () => {
      const clock = new ManualClock();
      const store = await open({ clock });
      const watch = new Recorder(store, '/', (await store.currentRevision()) + 1);
      const before = await write(
        store,
        ...Array.from({ length: 40 }, (_, at) => short(`/e${at}`, 10 + (at % 7))),
      );
      await clock.advance(20);
      await until(async () => (await store.list({ prefix: '/' })).entries.length === 0);
      await watch.reaches(before + 40);
      const deletions = watch.events.filter((event) => event.type === 'delete');
      expect(new Set(deletions.map((event) => event.revision)).size).toBe(40);
      expect(watch.faults).toEqual([]);
    });

    it('counts from the last write, and not at all if that had no time', async () => {
      const clock = new ManualClock();
      const store = await open({ clock });
      await write(store, short('/renewed', 10), short('/kept', 10), short('/again', 10));
      await clock.advance(8);
      await write(store, short('/renewed', 10), put('/kept'), remove('/again'));
      await write(store, put('/again'));
      await clock.advance(8);
      expect((await store.list({ prefix: '/' })).entries.map((entry) => entry.key)).toEqual([
        '/again',
        '/kept',
        '/renewed',
      ]);
      await clock.advance(8);
      await until(async () => (await store.get('/renewed')) === undefined);
      expect((await store.list({ prefix: '/' })).entries.map((entry) => entry.key)).toEqual([
        '/again',
        '/kept',
      ]);
    });

    it('refuses a time in the past', async () => {
      const store = await open();
      await expect(write(store, short('/a', 0))).rejects.toMatchObject({ code: 'invalid' });
      await expect(write(store, short('/a', Number.NaN))).rejects.toMatchObject({ code: 'invalid' });
    });
  });
}
