// Upstream's numbers, with constants folded as in Kubernetes.
import { describe, expect, it } from 'vitest';
import {
  bindingsLibrary,
  boolType,
  type CelType,
  compile,
  costExceeded,
  Environment,
  intType,
  listType,
  mapType,
  optionalLibrary,
  setsLibrary,
  standardLibrary,
  stringType,
  unbounded,
} from '../index.ts';

const strings = listType(stringType);
const variables: Record<string, CelType> = {
  s: stringType,
  t: stringType,
  n: intType,
  l: strings,
  ll: listType(strings),
  m: mapType(stringType, stringType),
  b: boolType,
};
const sizes: Record<string, number> = {
  s: 500,
  t: 10,
  l: 100,
  'l.@items': 20,
  ll: 50,
  'll.@items': 10,
  m: 8,
};

const environment = new Environment({
  libraries: [standardLibrary, optionalLibrary(), bindingsLibrary, setsLibrary],
  variables,
  costModel: { presenceTestCost: 0 },
  sizes: {
    estimateSize: ({ path }) => {
      const max = sizes[(path ?? []).join('.')];
      return max === undefined ? undefined : { min: 0, max };
    },
  },
});

describe('the estimate', () => {
  const estimates: readonly (readonly [string, number, number])[] = [
    ['"Hello"', 0, 0],
    ['n', 1, 1],
    ["m['key']", 2, 2],
    ['has(m.key)', 1, 1],
    ['[1, 2, 3]', 10, 10],
    ['{"a": 1}', 30, 30],
    ['n == 1', 2, 2],
    ['s == t', 3, 3],
    ['s.contains(t)', 2, 52],
    ["s.matches('[0-9]')", 3, 103],
    ["s.startsWith('abc')", 2, 2],
    ['"x" in l', 1, 101],
    ['b && n == 1', 1, 3],
    ['b ? n == 1 : true', 1, 3],
    ['l.all(x, true)', 2, 302],
    ['ll.all(x, x.all(y, true))', 2, 1752],
    ['l.all(x, x == "0123456789")', 2, 502],
    ['sets.contains(l, ["a", "b"])', 12, 212],
    ['cel.bind(x, s, x + x == t)', 15, 115],
  ];
  for (const [text, min, max] of estimates) {
    it(`of ${text} is ${min} to ${max}`, () => expect(compile(text, environment).cost).toEqual({ min, max }));
  }

  it('is unbounded where no size is declared', () => {
    const loose = environment.extend({ sizes: { estimateSize: () => undefined } });
    expect(compile('l.all(x, x.contains(s))', loose).cost.max).toBe(unbounded);
  });
});

describe('the count', () => {
  const values = { s: 'abcdefghijklmnopqrst', t: 'xyz', n: 1, l: ['a', 'b', 'c'], m: { a: '1' }, b: true };
  const counts: readonly (readonly [string, number])[] = [
    ['"Hello"', 0],
    ['n', 1],
    ["m['a']", 2],
    ['m.a', 2],
    ['has(m.a)', 1],
    ["m['' + 'a']", 3],
    ['[1, 2, 3]', 0],
    ['[n, 2, 3]', 11],
    ['n in [1, 2, 3]', 1],
    ['t in l', 5],
    ['n == 1', 2],
    ['s == t', 3],
    ['s + t', 5],
    ['s.contains(t)', 4],
    ["s.matches('[0-9]')", 7],
    ["s.startsWith('abc')", 2],
    ['b || n == 1', 1],
    ['b && n == 1', 3],
    ['b ? n : 2', 1],
    ['l.all(x, true)', 11],
    ['l.exists(x, x == "a")', 11],
    ['l.exists_one(x, x == "a")', 11],
    ['l.map(x, x)', 41],
    ['l.filter(x, x == "a")', 21],
    ['[1, 2, 3, 4, 5].filter(x, x % 2 == 0)', 42],
    ['cel.bind(x, n + 1, x == x)', 5],
    ['m.?a.orValue("")', 2],
    ['m.?z.orValue("")', 1],
    // A call is charged although an argument fails; an error has the size 1.
    ['m.z == s', 4],
    ['m.z + s', 6],
    ['s + m.z', 6],
    ['m.z.matches("[0-9]")', 4],
    ['string(m.z + s) == s', 9],
  ];
  for (const [text, cost] of counts) {
    it(`of ${text} is ${cost}`, () => expect(compile(text, environment).evaluate(values).cost).toBe(cost));
  }

  it('stops an evaluation that exceeds its budget', () => {
    const program = compile('l.all(x, l.all(y, x + y != s))', environment);
    expect(program.evaluate(values, { maxCost: 1000 }).value).toBe(true);
    const { value } = program.evaluate(values, { maxCost: 20 });
    expect(value).toBe(costExceeded);
    expect(costExceeded.message).toBe('operation cancelled: actual cost limit exceeded');
  });

  it('aborts an evaluation even if || would absorb the error', () => {
    const program = compile('l.exists(x, x.size() / 0 == 1) || true', environment);
    expect(program.evaluate(values).value).toBe(true);
    expect(program.evaluate(values, { maxCost: 3 }).value).toBe(costExceeded);
  });
});
