import { deepEqual, type JsonValue } from '@instar/machinery';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { witnessOf, witnessOfAll } from './witness.ts';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

it('is the same for equal values, whatever the order of their keys', () => {
  expect(witnessOf({ a: 1, b: [{ c: null, d: 'x' }] })).toBe(witnessOf({ b: [{ d: 'x', c: null }], a: 1 }));
  expect(witnessOf(5n)).toBe(witnessOf(5));
});

it('distinguishes what differs', () => {
  fc.assert(
    fc.property(json, json, (a, b) => (witnessOf(a) === witnessOf(b)) === deepEqual(a, b)),
    { numRuns: 500 },
  );
  const alike: JsonValue[] = [
    null,
    0,
    '',
    '0',
    false,
    [],
    {},
    [[]],
    [{}],
    [null],
    { a: null },
    { a: {} },
    ['a', 'b'],
    ['ab'],
    { a: 'b' },
    { b: 'a' },
    ['b', 'a'],
    true,
    'true',
    1,
    '1',
  ];
  expect(new Set(alike.map(witnessOf)).size).toBe(alike.length);
  expect(
    new Set([
      witnessOfAll([1, undefined]),
      witnessOfAll([undefined, 1]),
      witnessOfAll([1]),
      witnessOfAll([1, 1]),
    ]).size,
  ).toBe(4);
});
