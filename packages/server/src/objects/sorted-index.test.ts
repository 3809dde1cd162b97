import { compareUtf8 } from '@instar/go';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CachedObject, encodeForStore } from './cached-object.ts';
import { SortedIndex } from './sorted-index.ts';

const value = encodeForStore({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } });
const objectAt = (key: string, modRevision = 1) =>
  CachedObject.fromEntry({ key, value, createRevision: 1, modRevision });

/** Few keys, so that they meet; among them such as UTF-16 and UTF-8 order differently. */
const anyKey = fc
  .array(fc.constantFrom('a', 'b', '/', '-', 'é', '\uff5e', '😀'), { minLength: 1, maxLength: 4 })
  .map((units) => `/r/${units.join('')}`);
const anyChange = fc.oneof(fc.record({ set: anyKey, revision: fc.nat() }), fc.record({ delete: anyKey }));

/** The same, the slow and obvious way. */
function sliceOf(model: Map<string, number>, prefix: string, after: string): string[] {
  return [...model.keys()]
    .filter((key) => key.startsWith(prefix) && compareUtf8(key, after) > 0)
    .sort(compareUtf8);
}

describe('a sorted index, compared with a model', () => {
  it('holds what was added, in the order of the store', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyKey),
        fc.array(anyChange),
        anyKey,
        anyKey,
        (loaded, changes, prefix, after) => {
          const index = new SortedIndex();
          index.load(loaded.sort(compareUtf8).map((key) => objectAt(key)));
          const model = new Map(loaded.map((key) => [key, 1]));
          for (const change of changes) {
            if ('set' in change) {
              index.set(objectAt(change.set, change.revision));
              model.set(change.set, change.revision);
            } else {
              index.delete(change.delete);
              model.delete(change.delete);
            }
          }
          expect(index.size).toBe(model.size);
          for (const [key, revision] of model) expect(index.get(key)?.revision).toBe(revision);
          for (const [p, a] of [
            ['/r/', ''],
            [prefix, ''],
            ['/r/', after],
            [prefix, after],
          ] as const)
            expect(index.slice(p, a).map(({ key }) => key)).toEqual(sliceOf(model, p, a));
          expect([...index.values()].map(({ key }) => key).sort()).toEqual([...model.keys()].sort());
        },
      ),
    );
  });

  it('does so with more keys than fit one block, in whatever order they are added and deleted', () => {
    const index = new SortedIndex();
    const model = new Map<string, number>();
    // Steps by a number that shares no factor with 5,000 meet every number once.
    const keys = Array.from({ length: 5_000 }, (_, i) => `/r/${(i * 1_237) % 5_000}`);
    for (const key of keys) {
      index.set(objectAt(key));
      model.set(key, 1);
    }
    expect(index.slice('/r/').map(({ key }) => key)).toEqual(sliceOf(model, '/r/', ''));
    for (const key of keys.filter((_, i) => i % 7 !== 0)) {
      index.delete(key);
      model.delete(key);
    }
    expect(index.size).toBe(model.size);
    for (const [prefix, after] of [
      ['/r/', ''],
      ['/r/4', ''],
      ['/r/', '/r/2999'],
      ['/r/9999', ''],
    ] as const)
      expect(index.slice(prefix, after).map(({ key }) => key)).toEqual(sliceOf(model, prefix, after));
    for (const key of model.keys()) index.delete(key);
    expect(index.slice('')).toEqual([]);
  });
});
