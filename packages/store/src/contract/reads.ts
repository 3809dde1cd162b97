// get, list and the revision counters.
import { describe, expect, it } from 'vitest';
import { type ContractStore, put, remove, textOf, write } from './engine.ts';

export function describeReads({ open }: ContractStore): void {
  describe('reading', () => {
    it('gets nothing for a missing key', async () => {
      const store = await open();
      expect(await store.get('/a')).toBeUndefined();
      await write(store, put('/a'));
      await write(store, remove('/a'));
      expect(await store.get('/a')).toBeUndefined();
    });

    it('gets what was written, with the revisions of its creation and of its last change', async () => {
      const store = await open();
      const created = await write(store, put('/a', 'one'));
      const changed = await write(store, put('/a', 'two'));
      const entry = await store.get('/a');
      expect(entry).toMatchObject({ key: '/a', createRevision: created, modRevision: changed });
      expect(textOf(entry)).toBe('two');
      const again = await write(store, remove('/a')).then(() => write(store, put('/a', 'three')));
      expect(await store.get('/a')).toMatchObject({ createRevision: again, modRevision: again });
    });

    it('keeps bytes unchanged, none and many', async () => {
      const store = await open();
      const all = Uint8Array.from({ length: 256 }, (_, at) => at);
      const large = new Uint8Array(1_500_000).fill(7);
      await write(
        store,
        { type: 'put', key: '/none', value: new Uint8Array(0) },
        { type: 'put', key: '/all', value: all },
      );
      await write(store, { type: 'put', key: '/large', value: large });
      expect((await store.get('/none'))?.value).toHaveLength(0);
      expect(Buffer.compare((await store.get('/all'))!.value, all)).toBe(0);
      expect(Buffer.compare((await store.get('/large'))!.value, large)).toBe(0);
    });

    it('returns values that do not change', async () => {
      const store = await open();
      await write(store, put('/a', 'before'));
      const got = await store.get('/a');
      const listed = (await store.list({ prefix: '/' })).entries[0];
      for (let round = 0; round < 50; round++)
        await write(store, put('/a', `after-${round}`), put(`/b${round}`, 'x'.repeat(3000)));
      expect([textOf(got), textOf(listed)]).toEqual(['before', 'before']);
    });

    it('lists the keys with a prefix, in the order of their bytes', async () => {
      const store = await open();
      const keys = [
        '/a/b',
        '/a/',
        '/a',
        '/a/é',
        '/a/\u{1f600}',
        '/a/\uffee',
        '/a/Z',
        '/b/a',
        '/a0',
        '/a/b/c',
        '/a/b-',
      ];
      for (const key of keys) await write(store, put(key));
      const page = await store.list({ prefix: '/a/' });
      expect(page.entries.map((entry) => entry.key)).toEqual([
        '/a/',
        '/a/Z',
        '/a/b',
        '/a/b-',
        '/a/b/c',
        '/a/é',
        '/a/\uffee',
        '/a/\u{1f600}',
      ]);
      expect(page).toMatchObject({ more: false, revision: await store.currentRevision() });
      expect((await store.list({ prefix: '' })).entries).toHaveLength(keys.length);
      expect((await store.list({ prefix: '/none' })).entries).toEqual([]);
    });

    it('lists page by page, at the revision of the first page', async () => {
      const store = await open();
      for (const name of ['a', 'b', 'c', 'd', 'e']) await write(store, put(`/p/${name}`, 'old'));
      const first = await store.list({ prefix: '/p/', limit: 2 });
      expect(first).toMatchObject({ more: true });
      await write(store, remove('/p/c'), put('/p/d', 'new'), put('/p/f', 'new'), put('/p/a', 'new'));
      const second = await store.list({
        prefix: '/p/',
        limit: 2,
        after: first.entries[1]!.key,
        revision: first.revision,
      });
      const third = await store.list({
        prefix: '/p/',
        limit: 2,
        after: second.entries[1]!.key,
        revision: first.revision,
      });
      const all = [...first.entries, ...second.entries, ...third.entries];
      expect(all.map((entry) => `${entry.key}=${textOf(entry)}`)).toEqual([
        '/p/a=old',
        '/p/b=old',
        '/p/c=old',
        '/p/d=old',
        '/p/e=old',
      ]);
      expect([second.revision, second.more, third.more]).toEqual([first.revision, true, false]);
    });

    it('reports how much is left, if it knows', async () => {
      const store = await open();
      for (const name of ['a', 'b', 'c', 'd', 'e']) await write(store, put(`/p/${name}`), put(`/q/${name}`));
      const first = await store.list({ prefix: '/p/', limit: 2 });
      await write(store, remove('/p/c'), put('/p/d', 'new'), put('/p/f', 'new'), put('/p/dd', 'new'));
      await write(store, remove('/p/dd'), put('/p/c'));
      const second = await store.list({ prefix: '/p/', limit: 2, after: '/p/b', revision: first.revision });
      expect([3, undefined]).toContain(first.remaining);
      expect([1, undefined]).toContain(second.remaining);
      expect(await store.list({ prefix: '/p/', limit: 5, revision: first.revision })).toMatchObject({
        more: false,
      });
    });

    it('continues after any key, existing or not, within the prefix or not', async () => {
      const store = await open();
      for (const name of ['b', 'd']) await write(store, put(`/p/${name}`));
      const after = async (key: string) =>
        (await store.list({ prefix: '/p/', after: key })).entries.map((entry) => entry.key);
      expect(await after('/p/c')).toEqual(['/p/d']);
      expect(await after('/p/d')).toEqual([]);
      expect(await after('/a')).toEqual(['/p/b', '/p/d']);
      expect(await after('/z')).toEqual([]);
      expect(await after('/p/')).toEqual(['/p/b', '/p/d']);
    });

    it('answers many reads and writes at once from consistent states', async () => {
      const store = await open();
      await write(store, put('/pair/a', '0'), put('/pair/b', '0'));
      const writes = Array.from({ length: 50 }, (_, at) =>
        write(store, put('/pair/a', `${at}`), put('/pair/b', `${at}`)),
      );
      const pages = await Promise.all(Array.from({ length: 50 }, () => store.list({ prefix: '/pair/' })));
      for (const page of pages) expect(textOf(page.entries[0])).toBe(textOf(page.entries[1]));
      await Promise.all(writes);
    });

    it('knows its newest revision once a commit was answered', async () => {
      const store = await open();
      const before = await store.currentRevision();
      expect(before).toBeGreaterThan(0);
      const revision = await write(store, put('/a'));
      expect(revision).toBeGreaterThan(before);
      expect(await store.currentRevision()).toBeGreaterThanOrEqual(revision);
    });

    it('refuses what no engine accepts', async () => {
      const store = await open();
      const invalid = { code: 'invalid' };
      await expect(store.get('')).rejects.toMatchObject(invalid);
      await expect(write(store, put(''))).rejects.toMatchObject(invalid);
      await expect(write(store, put('/a\0b'))).rejects.toMatchObject(invalid);
      await expect(write(store, put('/\ud800'))).rejects.toMatchObject(invalid);
      await expect(store.list({ prefix: '/', limit: 0 })).rejects.toMatchObject(invalid);
      await expect(store.list({ prefix: '/', revision: -1 })).rejects.toMatchObject(invalid);
      await expect(store.list({ prefix: '/', revision: 1.5 })).rejects.toMatchObject(invalid);
      const longest = `/${'k'.repeat(1023)}`;
      await write(store, put(longest));
      expect(textOf(await store.get(longest))).toBe(longest);
    });

    it('may be closed twice', async () => {
      const store = await open();
      await store.close();
      await expect(store.close()).resolves.toBeUndefined();
    });

    it('answers "closed" to every request once it is closed', async () => {
      const store = await open();
      await store.close();
      const closed = { code: 'closed' };
      await expect(store.get('/a')).rejects.toMatchObject(closed);
      await expect(store.list({ prefix: '/' })).rejects.toMatchObject(closed);
      await expect(write(store, put('/a'))).rejects.toMatchObject(closed);
      await expect(store.currentRevision()).rejects.toMatchObject(closed);
      await expect(store.compactedRevision()).rejects.toMatchObject(closed);
      await expect(store.compact(1)).rejects.toMatchObject(closed);
    });
  });
}
