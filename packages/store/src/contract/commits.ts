// The one conditional commit.
import { describe, expect, it } from 'vitest';
import { type ContractStore, put, remove, textOf, write } from './engine.ts';
import { Recorder } from './recorder.ts';

export function describeCommits({ open }: ContractStore): void {
  describe('committing', () => {
    it('creates only if the key does not exist, if required', async () => {
      const store = await open();
      const create = { conditions: [{ key: '/a', modRevision: 0 }], operations: [put('/a', 'first')] };
      const first = await store.commit(create);
      expect(first.committed).toBe(true);
      const second = await store.commit({ ...create, operations: [put('/a', 'second')] });
      expect(second).toMatchObject({
        committed: false,
        current: [{ key: '/a', modRevision: first.revision }],
      });
      expect(second.revision).toBeGreaterThanOrEqual(first.revision);
      expect(textOf(await store.get('/a'))).toBe('first');
    });

    it('changes and deletes only what is as expected', async () => {
      const store = await open();
      const one = await write(store, put('/a', 'one'));
      const two = await store.commit({
        conditions: [{ key: '/a', modRevision: one }],
        operations: [put('/a', 'two')],
      });
      expect(two.committed).toBe(true);
      const late = await store.commit({
        conditions: [{ key: '/a', modRevision: one }],
        operations: [remove('/a')],
      });
      expect(late.committed).toBe(false);
      const gone = await store.commit({
        conditions: [{ key: '/a', modRevision: two.revision }],
        operations: [remove('/a')],
      });
      expect(gone.committed).toBe(true);
      const again = await store.commit({
        conditions: [{ key: '/a', modRevision: two.revision }],
        operations: [put('/a')],
      });
      expect(again).toMatchObject({ committed: false, current: [] });
    });

    it('does all operations under one revision, or none', async () => {
      const store = await open();
      await write(store, put('/b', 'old'));
      const failed = await store.commit({
        conditions: [
          { key: '/a', modRevision: 0 },
          { key: '/b', modRevision: 0 },
        ],
        operations: [put('/a'), remove('/b'), put('/c')],
      });
      expect(failed).toMatchObject({ committed: false, current: [{ key: '/b' }] });
      expect((await store.list({ prefix: '/' })).entries.map((entry) => entry.key)).toEqual(['/b']);
      const revision = await write(store, put('/a'), remove('/b'), put('/c'));
      const { entries } = await store.list({ prefix: '/' });
      expect(entries.map((entry) => `${entry.key} ${entry.modRevision}`)).toEqual([
        `/a ${revision}`,
        `/c ${revision}`,
      ]);
    });

    it('may be conditional on keys that it does not change', async () => {
      const store = await open();
      const lock = await write(store, put('/lock'));
      expect(
        await store.commit({ conditions: [{ key: '/lock', modRevision: lock }], operations: [put('/a')] }),
      ).toMatchObject({
        committed: true,
      });
      await write(store, put('/lock'));
      expect(
        await store.commit({ conditions: [{ key: '/lock', modRevision: lock }], operations: [put('/a')] }),
      ).toMatchObject({
        committed: false,
      });
    });

    it('makes no revision if nothing changes', async () => {
      const store = await open();
      const before = await write(store, put('/a'));
      expect(await store.commit({ conditions: [], operations: [remove('/none')] })).toEqual({
        committed: true,
        revision: before,
      });
      expect(
        await store.commit({ conditions: [{ key: '/a', modRevision: before }], operations: [] }),
      ).toEqual({
        committed: true,
        revision: before,
      });
      expect(await store.currentRevision()).toBe(before);
    });

    it('accepts only one operation per key', async () => {
      const store = await open();
      await expect(write(store, put('/a'), remove('/a'))).rejects.toMatchObject({ code: 'invalid' });
      expect(await store.get('/a')).toBeUndefined();
    });

    it('lets exactly one of many concurrent commits win', async () => {
      const store = await open();
      for (let round = 0, modRevision = 0; round < 5; round++) {
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            store.commit({
              conditions: [{ key: '/a', modRevision }],
              operations: [put('/a', `${round}-${at}`)],
            }),
          ),
        );
        const winners = results.filter((result) => result.committed);
        expect(winners).toHaveLength(1);
        modRevision = winners[0]!.revision;
        for (const result of results)
          if (!result.committed) expect(result.current[0]?.modRevision).toBe(modRevision);
      }
    });

    it('gives concurrent commits revisions of their own', async () => {
      const store = await open();
      const revisions = await Promise.all(
        Array.from({ length: 200 }, (_, at) => write(store, put(`/k${at % 50}`))),
      );
      expect(new Set(revisions).size).toBe(200);
      expect(Math.max(...revisions)).toBe(await store.currentRevision());
    });

    it('answers only after the watches were notified', async () => {
      const store = await open();
      const watch = new Recorder(store, '/', (await store.currentRevision()) + 1);
      const late: number[] = [];
      await Promise.all(
        Array.from({ length: 30 }, async (_, at) => {
          const revision = await write(store, put(`/k${at}`));
          if (!watch.events.some((event) => event.revision === revision)) late.push(revision);
        }),
      );
      expect(late).toEqual([]);
      watch.stop();
    });
  });
}
