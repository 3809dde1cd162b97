import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepCopy } from '../deep-copy.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { decodeJsonPatch } from './decode-json-patch.ts';
import { applyJsonPatch, type JsonPatchOperation } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';

const document = {
  spec: { size: 1, note: 'n', list: [1, 2, 3], map: { x: '1' }, 'a/b': 's', 'a~b': 't', none: null },
};
const patched = (...operations: JsonPatchOperation[]) =>
  (applyJsonPatch(document, operations) as typeof document).spec;

describe('applyJsonPatch', () => {
  it('replaces the whole document, which later operations then see', () => {
    const operations: JsonPatchOperation[] = [
      { op: 'replace', path: '', value: { a: 1 } },
      { op: 'add', path: '/b', value: 2 },
    ];
    expect(applyJsonPatch(document, operations)).toEqual({ a: 1, b: 2 });
  });

  it('adds, replaces and removes members', () => {
    expect(patched({ op: 'add', path: '/spec/map/z', value: '3' }).map).toEqual({ x: '1', z: '3' });
    expect(patched({ op: 'replace', path: '/spec/size', value: 7 }).size).toBe(7);
    expect(patched({ op: 'replace', path: '/spec/map/new', value: '1' }).map).toEqual({ x: '1', new: '1' });
    expect(patched({ op: 'remove', path: '/spec/note' })).not.toHaveProperty('note');
    expect(
      patched(
        { op: 'replace', path: '/spec/a~1b', value: 1 },
        { op: 'replace', path: '/spec/a~0b', value: 2 },
      ),
    ).toMatchObject({
      'a/b': 1,
      'a~b': 2,
    });
    expect(patched({ op: 'add', path: 'x/spec/size', value: 8 }).size).toBe(8);
    expect(patched({ op: 'add', path: '/spec/size' }).size).toBeNull();
  });

  it('inserts, replaces and removes elements', () => {
    expect(patched({ op: 'add', path: '/spec/list/1', value: 9 }).list).toEqual([1, 9, 2, 3]);
    expect(patched({ op: 'add', path: '/spec/list/3', value: 9 }).list).toEqual([1, 2, 3, 9]);
    expect(patched({ op: 'add', path: '/spec/list/-', value: 9 }).list).toEqual([1, 2, 3, 9]);
    expect(patched({ op: 'add', path: '/spec/list/-1', value: 9 }).list).toEqual([1, 2, 3, 9]);
    expect(patched({ op: 'remove', path: '/spec/list/-1' }).list).toEqual([1, 2]);
    expect(patched({ op: 'replace', path: '/spec/list/0', value: 9 }).list).toEqual([9, 2, 3]);
  });

  it('moves, copies and tests', () => {
    expect(patched({ op: 'move', from: '/spec/map/x', path: '/spec/map/w' }).map).toEqual({ w: '1' });
    expect(
      patched(
        { op: 'copy', from: '/spec/map', path: '/spec/copy' },
        { op: 'add', path: '/spec/copy/y', value: 1 },
      ),
    ).toMatchObject({
      map: { x: '1' },
      copy: { x: '1', y: 1 },
    });
    expect(
      patched(
        { op: 'test', path: '/spec/list', value: [1, 2, 3] },
        { op: 'test', path: '/spec/none', value: null },
      ).size,
    ).toBe(1);
    expect(patched({ op: 'test', path: '', value: deepCopy(document) }).size).toBe(1);
  });

  it.each<[JsonPatchOperation, string]>([
    [{ op: 'test', path: '/spec/size', value: 2 }, 'testing value /spec/size failed: test failed'],
    [{ op: 'test', path: '/spec/gone', value: 2 }, 'testing value /spec/gone failed: test failed'],
    [
      { op: 'remove', path: '/spec/gone' },
      "error in remove for path: '/spec/gone': Unable to remove nonexistent key: gone: missing value",
    ],
    [
      { op: 'add', path: '/spec/gone/x', value: 1 },
      'add operation does not apply: doc is missing path: "/spec/gone/x": missing value',
    ],
    [
      { op: 'add', path: '/spec/none/x', value: 1 },
      'add operation does not apply: doc is missing path: "/spec/none/x": missing value',
    ],
    [
      { op: 'add', path: '/spec/list/9', value: 1 },
      "error in add for path: '/spec/list/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [
      { op: 'add', path: '/spec/list/x', value: 1 },
      "error in add for path: '/spec/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
    ],
    [
      { op: 'replace', path: '/spec/list/9', value: 1 },
      'replace operation does not apply: doc is missing key: /spec/list/9: missing value',
    ],
    [
      { op: 'move', from: '/spec/gone', path: '/spec/x' },
      "error in move for path: 'gone': Unable to remove nonexistent key: gone: missing value",
    ],
    [{ op: 'frobnicate', path: '/spec' }, 'Unexpected kind: frobnicate'],
    [{ path: '/spec' }, 'Unexpected kind: unknown'],
    [{ op: 'add', value: 1 }, 'add operation failed to decode path: missing value'],
    [{ op: 'replace', path: '', value: 'x' }, 'replace operation value must be object or array: %!w(<nil>)'],
  ])('refuses %j', (operation, message) => {
    expect(() => patched(operation)).toThrow(expect.objectContaining({ name: 'PatchError', message }));
  });

  it('limits how much copies may add', () => {
    const operations = Array.from({ length: 30 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(() => applyJsonPatch({ a: ['x'] }, operations)).toThrow('the accumulated size increase of copy');
  });

  it('neither changes nor shares its inputs', () => {
    const before = JSON.stringify(document);
    const value = { deep: [1] };
    const result = applyJsonPatch(document, [{ op: 'add', path: '/spec/v', value }]) as {
      spec: { v: { deep: number[] } };
    };
    result.spec.v.deep.push(2);
    expect([JSON.stringify(document), value]).toEqual([before, { deep: [1] }]);
  });
});

describe('decodeJsonPatch', () => {
  it('reports wrong types in the words of the mode', () => {
    expect(decodeJsonPatch({}, { strict: true })).toEqual({
      fault:
        'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      code: 400,
    });
    expect(decodeJsonPatch(['x'], { strict: true })).toEqual({
      fault: 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
      code: 400,
    });
    expect(decodeJsonPatch({}, { strict: false })).toEqual({
      fault: 'json: cannot unmarshal object into Go value of type jsonpatch.Patch',
      code: 400,
    });
  });

  it('reports too many operations and unknown fields', () => {
    expect(decodeJsonPatch(Array(10_001).fill({}), { strict: true })).toMatchObject({ code: 413 });
    expect(decodeJsonPatch([{ op: 'add', extra: 1 }], { strict: true })).toMatchObject({
      strictErrors: ['json patch unknown field "[0].extra"'],
    });
  });
});

describe('applyMergePatch', () => {
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: { b: 'c' } }, { a: [1, null] }, { a: [1, null] }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
  ])('%j with %j is %j', (target, patch, expected) => {
    expect(applyMergePatch(target, patch)).toEqual(expected);
  });

  it('refuses a patch that is not an object', () => {
    expect(() => applyMergePatch({}, null)).toThrow('Invalid JSON Patch');
  });

  it('is idempotent without changing its inputs', () => {
    // Without lists: upstream drops nulls within a list only where the list replaces no object, so that a
    // second time may drop more.
    const object = fc
      .object({
        values: [fc.integer(), fc.string(), fc.constant(null)],
        withSet: false,
        withMap: false,
        maxKeys: 5,
      })
      .map(
        (value) =>
          JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
            Array.isArray(member) ? member.length : member,
          ) as JsonObject,
      );
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  it('keeps __proto__ an ordinary key', () => {
    const merged = applyMergePatch({}, JSON.parse('{"__proto__":{"x":1}}') as JsonValue);
    expect(Object.keys(merged)).toEqual(['__proto__']);
  });
});
