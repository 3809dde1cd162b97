// What is stashed, when it is restored, and when it is not.
import type { JsonObject, KubeObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { parseLens, STASH_ANNOTATION, takeStash } from '../index.ts';
import { documentOf, lensOf, setOf, thing, withSpec } from '../testing/lens-of.ts';
import { encodeItems, stashedItems } from './items.ts';

const spec = (object: KubeObject): unknown => object['spec'];
const isStashed = (object: KubeObject): boolean =>
  object.metadata.annotations?.[STASH_ANNOTATION] !== undefined;

describe('the annotation', () => {
  const lens = lensOf({ remove: { path: 'spec.old' } });

  it('is absent if nothing needs to be stashed', () => {
    const there = lens.convert(thing('v1', { a: 1 }), 'v2');
    expect(there.metadata).toEqual({ name: 'x' });
  });

  it('is removed when it has been used', () => {
    const object = thing('v1', { old: 1 });
    const there = lens.convert(object, 'v2');
    expect(isStashed(there)).toBe(true);
    expect(lens.convert(there, 'v1')).toEqual(object);
  });

  it('preserves the other annotations, even an empty map of them', () => {
    const withAnnotations = (annotations: Record<string, string>): KubeObject => ({
      ...thing('v1', { old: 1 }),
      metadata: { name: 'x', annotations },
    });
    for (const annotations of [{}, { a: 'b' }]) {
      const object = withAnnotations(annotations);
      expect(lens.convert(lens.convert(object, 'v2'), 'v1')).toEqual(object);
    }
  });

  it('keeps integers exact', () => {
    const object = thing('v1', { old: { big: 9007199254740993n } });
    expect(lens.convert(lens.convert(object, 'v2'), 'v1')).toEqual(object);
  });

  it.each(['', 'no JSON', '{"s":1}', '{"s":{"v1/v2":["v1",{"x":1}]}}'])(
    'is ignored and dropped when it is damaged: %s',
    (text) => {
      const damaged: KubeObject = {
        ...thing('v2', { a: 1 }),
        metadata: { name: 'x', annotations: { [STASH_ANNOTATION]: text } },
      };
      expect(lens.convert(damaged, 'v1')).toEqual(thing('v1', { a: 1 }));
    },
  );

  it('does not make an object unreadable if an entry in it is damaged', () => {
    const there = lens.convert(thing('v1', { old: 1 }), 'v2');
    const text = there.metadata.annotations![STASH_ANNOTATION]!.replace(/"v":\[\[1\]\]/, '"v":7');
    const damaged: KubeObject = {
      ...there,
      metadata: { name: 'x', annotations: { [STASH_ANNOTATION]: text } },
    };
    expect(lens.convert(damaged, 'v1')).toEqual(thing('v1', {}));
  });

  it('that is too large names the operation that needs most of it', () => {
    const both = lensOf({ remove: { path: 'spec.small' } }, { remove: { path: 'spec.large' } });
    const object = thing('v1', { small: 'x', large: 'y'.repeat(140_000) });
    expect(() => both.convert(object, 'v2')).toThrow(
      /at most 131072 are allowed; most of it is from remove spec\.large \(v1 ↔ v2\)/,
    );
  });

  it('is limited in size', () => {
    const both = lensOf({ remove: { path: 'spec.small' } }, { remove: { path: 'spec.large' } });
    const object = thing('v1', { small: 'x', large: 'y'.repeat(140_000) });
    expect(() => both.convert(thing('v1', { small: 'x'.repeat(99) }), 'v2', { maxStashBytes: 50 })).toThrow(
      /at most 50 are allowed/,
    );
    expect(both.convertWithStash(object, undefined, 'v2').stash).toBeDefined();
  });

  it('counts together with the other annotations', () => {
    const object: KubeObject = {
      ...thing('v1', { old: 'y'.repeat(70_000) }),
      metadata: { name: 'x', annotations: { a: 'z'.repeat(200_000) } },
    };
    expect(() => lens.convert(object, 'v2')).toThrow(/Kubernetes allows 262144/);
  });
});

describe('what is stashed', () => {
  it('is never restored if it was removed in its own version', () => {
    const lens = lensOf({ remove: { path: 'spec.old' } });
    const stored = lens.convert(thing('v1', { old: 1, a: 1 }), 'v2');
    const read = lens.convert(stored, 'v1');
    const written = lens.convert(withSpec(read, { a: 1 }), 'v2');
    expect(isStashed(written)).toBe(false);
    expect(spec(lens.convert(written, 'v1'))).toEqual({ a: 1 });
  });

  it('is ignored in the version that it was stashed of', () => {
    const lens = lensOf({ remove: { path: 'spec.old' } });
    const { metadata } = lens.convert(thing('v1', { old: 1 }), 'v2');
    const copied: KubeObject = { ...thing('v1', { a: 1 }), metadata };
    expect(spec(lens.convert(lens.convert(copied, 'v2'), 'v1'))).toEqual({ a: 1 });
  });

  it('loses against what was changed', () => {
    const lens = lensOf({ cast: { path: 'spec.port', from: 'string', to: 'integer' } });
    const there = lens.convert(thing('v1', { port: '0080' }), 'v2');
    expect(spec(lens.convert(there, 'v1'))).toEqual({ port: '0080' });
    expect(spec(lens.convert(withSpec(there, { port: 81 }), 'v1'))).toEqual({ port: '81' });
    expect(spec(lens.convert(withSpec(there, {}), 'v1'))).toEqual({});
  });

  it('stays beside a head that was changed', () => {
    const lens = lensOf({ wrap: { from: 'spec.bar', to: 'spec.bars' } });
    const old = lens.convert(thing('v2', { bars: [10, 20] }), 'v1');
    expect(spec(old)).toEqual({ bar: 10 });
    expect(spec(lens.convert(withSpec(old, { bar: 15 }), 'v2'))).toEqual({ bars: [15, 20] });
    expect(spec(lens.convert(withSpec(old, {}), 'v2'))).toEqual({});
  });

  it('is discarded with its parent object', () => {
    const lens = lensOf({ remove: { path: 'spec.tls.mode' } });
    const there = lens.convert(thing('v1', { tls: { mode: 'x', host: 'h' } }), 'v2');
    expect(spec(lens.convert(withSpec(there, { tls: { host: 'other' } }), 'v1'))).toEqual({
      tls: { mode: 'x', host: 'other' },
    });
    expect(spec(lens.convert(withSpec(there, {}), 'v1'))).toEqual({});
  });

  it('is discarded with the field that it belongs to', () => {
    const lens = lensOf({ remove: { path: 'spec.radius', belongsTo: ['spec.type'] } });
    const there = lens.convert(thing('v1', { type: 'round', radius: 3 }), 'v2');
    expect(spec(lens.convert(withSpec(there, { type: 'round', x: 1 }), 'v1'))).toEqual({
      type: 'round',
      x: 1,
      radius: 3,
    });
    expect(spec(lens.convert(withSpec(there, { type: 'square' }), 'v1'))).toEqual({ type: 'square' });
  });

  it('survives operations being added to the lens', () => {
    const before = lensOf({ remove: { path: 'spec.old' } });
    const after = lensOf({ rename: { from: 'spec.a', to: 'spec.b' } }, { remove: { path: 'spec.old' } });
    const there = before.convert(thing('v1', { old: 1 }), 'v2');
    expect(spec(after.convert(there, 'v1'))).toEqual({ old: 1 });
  });
});

describe('items of lists', () => {
  // Walking it once for every item would take minutes.
  it('may be many', () => {
    const many = (prefix: string) => Array.from({ length: 30_000 }, (_, i) => ({ id: `${prefix}${i}` }));
    const kept = many('a').map((_, index) => ({ index, node: { x: index } }));
    const byKeys = encodeItems(kept, many('a'), ['id']);
    expect(stashedItems(byKeys, many('a').reverse()).get(0)).toEqual({ x: 29_999 });
    const byPlaces = encodeItems(kept.slice(0, 3_000), many('a'), undefined);
    expect(stashedItems(byPlaces, many('b')).size).toBe(0);
    expect(stashedItems(byPlaces, many('a').reverse()).get(29_999)).toEqual({ x: 0 });
  });

  const item = (id: string, old: number): JsonObject => ({ id, size: 1, old });
  const seen = (id: string): JsonObject => ({ id, size: 1 });
  const byKey = lensOf({ each: { path: 'spec.items', keys: ['id'], ops: [{ remove: { path: 'old' } }] } });
  const byPlace = lensOf({ remove: { path: 'spec.items[*].old' } });
  const object = thing('v1', { items: [item('a', 1), item('b', 2), item('c', 3)] });

  it.each([
    ['by key', byKey],
    ['by place', byPlace],
  ])('are found again when they move or others go, %s', (_, lens) => {
    const there = lens.convert(object, 'v2');
    const moved = withSpec(there, { items: [seen('c'), seen('new'), seen('a')] });
    expect(spec(lens.convert(moved, 'v1'))).toEqual({ items: [item('c', 3), seen('new'), item('a', 1)] });
  });

  it.each([
    ['by key', byKey],
    ['by place', byPlace],
  ])('keep what belongs to them when they are edited, %s', (_, lens) => {
    const there = lens.convert(object, 'v2');
    const edited = withSpec(there, { items: [{ id: 'a', size: 2 }, seen('b'), seen('c')] });
    expect(spec(lens.convert(edited, 'v1'))).toEqual({
      items: [{ id: 'a', size: 2, old: 1 }, item('b', 2), item('c', 3)],
    });
  });

  it('are found by the keys that the schemas name, where these are given', () => {
    const list: JSONSchemaProps = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
    };
    const schema: JSONSchemaProps = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { items: list } } },
    };
    const document = documentOf([{ from: 'v1', to: 'v2', ops: [{ remove: { path: 'spec.items[*].old' } }] }]);
    const lens = parseLens(document, {
      schemas: new Map([
        ['v1', schema],
        ['v2', schema],
      ]),
    }).lens!;
    const there = lens.convert(object, 'v2');
    const edited = withSpec(there, { items: [seen('c'), { id: 'a', size: 7, color: 'red', new: true }] });
    const expected = { items: [item('c', 3), { id: 'a', size: 7, color: 'red', new: true, old: 1 }] };
    expect(spec(lens.convert(edited, 'v1'))).toEqual(expected);
    // Readers that do not know the schemas can read it all the same.
    expect(spec(byPlace.convert(edited, 'v1'))).toEqual(expected);
  });

  it('are identified by their index if their keys do not', () => {
    const twice = thing('v1', { items: [seen('a'), item('a', 1)] });
    expect(byKey.convert(byKey.convert(twice, 'v2'), 'v1')).toEqual(twice);
  });

  it('get nothing that belonged to another item at the same index', () => {
    const there = byPlace.convert(object, 'v2');
    const replaced = withSpec(there, { items: [{ id: 'z', size: 9 }, seen('b')] });
    expect(spec(byPlace.convert(replaced, 'v1'))).toEqual({ items: [{ id: 'z', size: 9 }, item('b', 2)] });
  });
});

describe('several lenses', () => {
  const remove = (field: string) => [{ remove: { path: `spec.${field}` } }];

  it('keep what each of them cannot carry', () => {
    const lens = setOf(
      { from: 'v1', to: 'v2', ops: remove('a') },
      { from: 'v2', to: 'v3', ops: remove('b') },
    );
    const object = thing('v1', { a: 1, b: 2, c: 3 });
    const through = lens.convert(object, 'v3');
    expect(spec(through)).toEqual({ c: 3 });
    expect(spec(lens.convert(through, 'v2'))).toEqual({ b: 2, c: 3 });
    expect(lens.convert(lens.convert(through, 'v2'), 'v1')).toEqual(object);
    expect(lens.convert(through, 'v1')).toEqual(object);
  });

  it('lead back by the direct route that they took', () => {
    const lens = setOf(
      { from: 'v1', to: 'v2', ops: remove('a') },
      { from: 'v2', to: 'v3', ops: [] },
      { from: 'v1', to: 'v3', ops: remove('b') },
    );
    expect(lens.route('v1', 'v3')).toEqual(['v1', 'v3']);
    const object = thing('v1', { a: 1, b: 2 });
    const v3 = lens.convert(object, 'v3');
    expect(spec(v3)).toEqual({ a: 1 });
    expect(lens.convert(lens.convert(v3, 'v2'), 'v1')).toEqual(object);
  });
});

describe('the stash beside the object', () => {
  it('holds the same as the annotation without changing the metadata', () => {
    const lens = lensOf({ remove: { path: 'spec.old' } });
    const object = thing('v1', { old: 1 });
    const beside = lens.convertWithStash(object, undefined, 'v2');
    expect(beside.object.metadata).toBe(object.metadata);
    expect(beside.stash).toEqual(takeStash(lens.convert(object, 'v2')).stash);
    expect(lens.convertWithStash(beside.object, beside.stash, 'v1')).toEqual({ object, stash: undefined });
  });
});
