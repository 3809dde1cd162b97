import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepCopy, memberOf, setMember } from './deep-copy.ts';
import { deepEqual } from './deep-equal.ts';
import { InvariantError, invariant } from './invariant.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;

describe('deepEqual', () => {
  it('holds for values that print the same and no others', () => {
    fc.assert(fc.property(json, (value) => deepEqual(value, deepCopy(value))));
    fc.assert(fc.property(json, json, (a, b) => !deepEqual(a, b) || sortedText(a) === sortedText(b)));
  });

  it('ignores the order of keys and whether an integer is a bigint', () => {
    expect(deepEqual({ a: 1, b: [2] }, { b: [2n], a: 1n })).toBe(true);
    expect(deepEqual(2n ** 53n + 1n, 2 ** 53)).toBe(false);
    expect(deepEqual(1n, 1.5)).toBe(false);
    expect(deepEqual(1n, '1')).toBe(false);
    expect(deepEqual(1n, true)).toBe(false);
  });

  it('distinguishes null, absence, lists and objects', () => {
    expect(deepEqual({ a: null }, {})).toBe(false);
    expect(deepEqual({ a: null }, { b: null })).toBe(false);
    expect(deepEqual([], {})).toBe(false);
    expect(deepEqual(undefined, null)).toBe(false);
    expect(deepEqual({ toString: 1 }, { a: 1 })).toBe(false);
  });
});

describe('deepCopy', () => {
  it('shares nothing with the original', () => {
    const original = { a: [{ b: 1n }] };
    const copy = deepCopy(original);
    copy.a[0]!.b = 2n;
    expect(original).toEqual({ a: [{ b: 1n }] });
  });

  it('keeps __proto__ an ordinary key', () => {
    const copy = deepCopy(JSON.parse('{"__proto__":{"x":1}}') as JsonObject);
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(copy['x']).toBeUndefined();
    const object: JsonObject = {};
    setMember(object, '__proto__', 1);
    expect(memberOf(object, '__proto__')).toBe(1);
    expect(memberOf(object, 'constructor')).toBeUndefined();
  });
});

it('invariant throws when its condition fails', () => {
  invariant(1 + 1 === 2, 'arithmetic');
  expect(() => invariant(false, 'broken')).toThrow(InvariantError);
});

function sortedText(value: JsonValue): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort())
      : member,
  );
}
