import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json-value.ts';
import type { PatchSchema } from './patch-schema.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const object = (properties: Record<string, PatchSchema>): PatchSchema => ({
  properties: new Map(Object.entries(properties)),
});
const merging: PatchSchema = { patchStrategy: 'merge', patchMergeKey: 'name', items: {} };
const schema: PatchSchema = object({
  items: { ...merging, items: object({ inner: merging }) },
  keyless: { patchStrategy: 'merge' },
  finalizers: { patchStrategy: 'merge', items: {} },
  atomic: { items: {} },
  whole: { patchStrategy: 'replace' },
  strategy: { patchStrategy: 'retainKeys' },
  map: { additionalProperties: object({ items: merging }) },
});
const patched = (document: JsonObject, patch: JsonValue) => applyStrategicMergePatch(document, patch, schema);

describe('applyStrategicMergePatch', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['sets, removes and keeps members', { a: 1, b: 2, c: 3 }, { a: 5, b: null }, { a: 5, c: 3 }],
    ['drops nulls from what is new', {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    ['merges objects', { m: { a: 1 } }, { m: { b: 2 } }, { m: { a: 1, b: 2 } }],
    [
      'replaces objects whose strategy says so',
      { whole: { a: 1 } },
      { whole: { b: 2 } },
      { whole: { b: 2 } },
    ],
    ['replaces lists without a strategy', { atomic: [1, 2] }, { atomic: [3] }, { atomic: [3] }],
    ['replaces an object by directive', { m: { a: 1 } }, { m: { $patch: 'replace', b: 2 } }, { m: { b: 2 } }],
    ['empties an object by directive', { m: { a: 1 } }, { m: { $patch: 'delete' } }, { m: {} }],
    [
      'merges lists of texts',
      { finalizers: ['a', 'b'] },
      { finalizers: ['c', 'a'] },
      { finalizers: ['c', 'a', 'b'] },
    ],
    [
      'deletes from lists of texts',
      { finalizers: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/finalizers': ['b'] },
      { finalizers: ['a', 'c'] },
    ],
    [
      'merges lists by key',
      { items: [{ name: 'a', x: 1 }, { name: 'b' }] },
      { items: [{ name: 'c' }, { name: 'a', y: 2 }] },
      { items: [{ name: 'c' }, { name: 'a', x: 1, y: 2 }, { name: 'b' }] },
    ],
    [
      'merges lists inside lists',
      { items: [{ name: 'a', inner: [{ name: 'i' }] }] },
      { items: [{ name: 'a', inner: [{ name: 'i', v: 1 }] }] },
      { items: [{ name: 'a', inner: [{ name: 'i', v: 1 }] }] },
    ],
    [
      'merges below additionalProperties',
      { map: { k: { items: [{ name: 'a' }] } } },
      { map: { k: { items: [{ name: 'a', v: 1 }] } } },
      { map: { k: { items: [{ name: 'a', v: 1 }] } } },
    ],
    [
      'deletes an element by directive',
      { items: [{ name: 'a' }, { name: 'b' }] },
      { items: [{ name: 'a', $patch: 'delete' }] },
      { items: [{ name: 'b' }] },
    ],
    [
      'replaces a list by directive',
      { items: [{ name: 'a' }] },
      { items: [{ $patch: 'replace' }, { name: 'z' }] },
      { items: [{ name: 'z' }] },
    ],
    [
      'orders a list by directive',
      { items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { '$setElementOrder/items': [{ name: 'c' }, { name: 'a' }], items: [{ name: 'a', v: 1 }] },
      { items: [{ name: 'b' }, { name: 'c' }, { name: 'a', v: 1 }] },
    ],
    [
      'orders a list without changing it',
      { finalizers: ['a', 'b'] },
      { '$setElementOrder/finalizers': ['b', 'a'] },
      { finalizers: ['b', 'a'] },
    ],
    [
      'retains the keys that are named',
      { strategy: { type: 'x', gone: 1 } },
      { strategy: { $retainKeys: ['type'], type: 'y' } },
      { strategy: { type: 'y' } },
    ],
  ])('%s', (_, document, patch, expected) => {
    const before = JSON.stringify([document, patch]);
    expect(patched(document, patch)).toEqual(expected);
    expect(JSON.stringify([document, patch])).toBe(before);
  });

  it.each<[JsonObject, JsonValue, string]>([
    [{}, [], 'invalid JSON document'],
    [{ m: {} }, { m: { $patch: 'bogus' } }, 'unknown patch type: bogus in map: map[$patch:bogus]'],
    [
      { items: [{ name: 'a' }] },
      { items: [{ x: 1 }] },
      'map: map[x:1] does not contain declared merge key: name',
    ],
    [
      { items: [{ name: 'a' }] },
      { items: [{ name: 'a', $patch: 'merge' }] },
      'merging lists cannot yet be specified in the patch',
    ],
    [{ keyless: [{ name: 'a' }] }, { keyless: [{ name: 'b' }] }, 'cannot merge lists without merge key'],
    [{ finalizers: ['a'] }, { finalizers: [1] }, 'list element types are not identical: [[a] [1]]'],
    [{ finalizers: [['a']] }, { finalizers: [['b']] }, 'lists of lists are not supported'],
    [
      { strategy: { a: 1 } },
      { strategy: { $retainKeys: ['a'], b: 1 } },
      'invalid patch format of retainKeys',
    ],
    [{ finalizers: ['a'] }, { $setElementOrder: ['a'] }, 'invalid patch format of setElementOrder list'],
    [
      { finalizers: ['a'] },
      { '$setElementOrder/finalizers': ['a'], finalizers: ['b'] },
      "The order in patch list:\n[b]\n doesn't match $setElementOrder list:\n[a]\n",
    ],
  ])('refuses, for %j, %j', (document, patch, message) => {
    expect(() => patched(document, patch)).toThrow(expect.objectContaining({ name: 'PatchError', message }));
  });
});
