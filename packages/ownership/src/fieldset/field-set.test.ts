import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFieldSet } from './decode.ts';
import { elementText, keyElement, pathText, valueElement } from './element.ts';
import { type FieldSet, hasPath, isEmptySet, sameSet } from './field-set.ts';
import { difference, intersection, isSubset, leaves, recursiveDifference, union } from './operations.ts';
import { compareElements } from './order.ts';
import { pathsOf, setOfFields, setOfPaths } from './paths.ts';

const element = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:c'),
  fc.integer({ min: 0, max: 12 }).map((n) => keyElement([['port', n]])),
  fc.constantFrom('x', 'y').map(valueElement),
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const set = fc.array(path, { maxLength: 12 }).map((paths) => setOfPaths(...paths));
const keysOf = (s: FieldSet): Set<string> => new Set(pathsOf(s).map((p) => p.join(' ')));
const canonical = (s: FieldSet): void =>
  expect(JSON.stringify(s)).toBe(JSON.stringify(decodeFieldSet(JSON.parse(JSON.stringify(s)))));

describe('sets', () => {
  it('contain the paths they are made of, in FieldsV1', () => {
    const s = setOfPaths(['f:metadata', 'f:labels'], ['f:metadata', 'f:labels', 'f:a'], ['f:apiVersion']);
    expect(JSON.stringify(s)).toBe('{"f:apiVersion":{},"f:metadata":{"f:labels":{".":{},"f:a":{}}}}');
    expect([hasPath(s, ['f:metadata']), hasPath(s, ['f:metadata', 'f:labels']), hasPath(s, [])]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it.each([
    ['union', union, (a: boolean, b: boolean) => a || b],
    ['intersection', intersection, (a: boolean, b: boolean) => a && b],
    ['difference', difference, (a: boolean, b: boolean) => a && !b],
  ])('%s is that of their paths', (_, operation, holds) => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const [left, right, result] = [keysOf(a), keysOf(b), operation(a, b)];
        for (const p of new Set([...left, ...right]))
          expect(keysOf(result).has(p)).toBe(holds(left.has(p), right.has(p)));
        canonical(result);
      }),
    );
  });

  it('a recursive difference also removes what is below', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const taken = pathsOf(b).map((p) => `${p.join(' ')} `);
        const left = [...keysOf(a)].filter((p) => !taken.some((t) => `${p} `.startsWith(t)));
        expect(keysOf(recursiveDifference(a, b))).toEqual(new Set(left));
      }),
    );
  });

  it('a set is a subset if nothing of it is left without the other', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect([isSubset(a, b), isSubset(a, union(a, b))]).toEqual([isEmptySet(difference(a, b)), true]);
      }),
    );
  });

  it('leaves have nothing below them', () => {
    expect(leaves(setOfPaths(['f:a'], ['f:a', 'f:b'], ['f:c']))).toEqual({ 'f:a': { 'f:b': {} }, 'f:c': {} });
  });

  it('are equal if their paths are', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(sameSet(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('are returned unchanged by operations that change nothing', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(union(a, a)).toEqual(a);
        if (isEmptySet(intersection(a, b))) expect(difference(a, b)).toBe(a);
      }),
    );
  });

  it('have a total order', () => {
    fc.assert(
      fc.property(element, element, element, (a, b, c) => {
        expect(Math.sign(compareElements(a, b))).toBe(0 - Math.sign(compareElements(b, a)));
        if (compareElements(a, b) <= 0 && compareElements(b, c) <= 0)
          expect(compareElements(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('order their elements by type, then by value', () => {
    const elements = [
      'i:0',
      'v:"b"',
      'v:2',
      'v:10',
      'k:{"n":"a b"}',
      'k:{"n":"a"}',
      'k:{"n":10}',
      'k:{"n":9}',
      'f:\u{1f600}',
      'f:\uffee',
      'f:b',
      '.',
    ];
    expect(elements.toSorted(compareElements)).toEqual([
      '.',
      'f:b',
      'f:\uffee',
      'f:\u{1f600}',
      'k:{"n":9}',
      'k:{"n":10}',
      'k:{"n":"a"}',
      'k:{"n":"a b"}',
      'v:2',
      'v:10',
      'v:"b"',
      'i:0',
    ]);
  });
});

describe('elements', () => {
  it('are spelled as Go spells JSON', () => {
    expect(keyElement([['name', 'é<&>\n\b\\b']])).toBe('k:{"name":"é\\u003c\\u0026\\u003e\\n\\u0008\\\\b"}');
    expect([
      valueElement(1e21),
      valueElement(-7),
      valueElement(true),
      valueElement(9007199254740993n),
    ]).toEqual(['v:1e+21', 'v:-7', 'v:true', 'v:9007199254740993']);
  });

  it('are parsed from the way people write paths', () => {
    expect(pathText(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name'])).toBe(
      '.spec.ports[port=80,protocol="TCP"].name',
    );
    expect([elementText('v:"say \\"hi\\""'), elementText('i:3')]).toEqual(['[="say \\"hi\\""]', '[3]']);
  });
});

describe('decoding', () => {
  it('drops unknown elements and refuses invalid ones', () => {
    expect(decodeFieldSet({ 'x:y': {}, 'f:a': { '.': {} }, 'f:b': { '.': {}, 'f:c': {} } })).toEqual({
      'f:a': {},
      'f:b': { '.': {}, 'f:c': {} },
    });
    for (const wrong of [
      { spec: {} },
      { 'k:{': {} },
      { 'k:[]': {} },
      { 'v:': {} },
      { 'i:x': {} },
      { 'f:a': 1 },
      [],
    ]) {
      expect(decodeFieldSet(wrong as never)).toBeUndefined();
    }
    expect(decodeFieldSet(null)).toEqual(setOfFields());
  });
});
