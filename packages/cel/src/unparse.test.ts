import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expr } from './ast.ts';
import {
  bindingsLibrary,
  compile,
  Environment,
  optionalLibrary,
  parse,
  standardLibrary,
  twoVariableLibrary,
  unparse,
} from './index.ts';

const environment = new Environment({
  libraries: [standardLibrary, optionalLibrary(), bindingsLibrary, twoVariableLibrary],
});

/** The tree without ids and positions. */
function shape(expr: Expr): unknown {
  return JSON.parse(
    JSON.stringify(expr, (key, value: unknown) => {
      if (key === 'id' || key === 'offset') return undefined;
      if (typeof value === 'bigint') return `${value}n`;
      if (value instanceof Set) return [...value];
      return typeof value === 'number' && Object.is(value, -0) ? '-0' : value;
    }),
  );
}

function again(text: string): void {
  const first = parse(text, environment);
  expect(first.issues.format()).toBe('');
  const written = unparse(first.expr, first.macroCalls);
  const second = parse(written, environment);
  expect(second.issues.format(), `${text} was written as ${written}`).toBe('');
  expect(shape(second.expr), written).toEqual(shape(first.expr));
}

const leaf = fc.oneof(
  fc.constantFrom(
    'a',
    'b.c',
    'true',
    'null',
    '1',
    '-1',
    '2u',
    '1.5',
    '-0.0',
    '1e300',
    '"x\\n\\"y"',
    "b'\\x00a'",
    '[]',
    '{}',
    'x.`a-b`',
  ),
  fc.integer().map(String),
  fc.string().map((text) => JSON.stringify(text).replace(/\\u([0-9a-f]{4})/g, '\\u$1')),
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '<', '==', 'in', '&&', '||'),
        tie('expression'),
      )
      .map(([a, sign, b]) => `(${a}) ${sign} (${b})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
    tie('expression').map((a) => `!(${a})`),
    tie('expression').map((a) => `-(${a})`),
    tie('expression').map((a) => `(${a}).f`),
    tie('expression').map((a) => `has((${a}).f)`),
    tie('expression').map((a) => `(${a}).?f[?0]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a})[${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[${a}, ?${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{${a}: ${b}}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}).all(x, ${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}).transformMap(k, v, ${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `cel.bind(y, ${a}, ${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `f(${a}, ${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `N.M{p: ${a}, ?q: ${b}}`),
  ),
}));

describe('the unparser', () => {
  it('writes what parses to the same tree', () => {
    fc.assert(fc.property(expression, again), { numRuns: 400 });
  });

  it('keeps the grouping of chains', () => {
    const { chain } = fc.letrec<{ chain: string }>((tie) => ({
      chain: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constant('a'),
        fc.array(tie('chain'), { minLength: 2, maxLength: 6 }).map((terms) => `(${terms.join(' || ')})`),
      ),
    }));
    fc.assert(fc.property(chain, again), { numRuns: 300 });
  });

  it('adds parentheses only where they are needed', () => {
    const rewritten = (text: string): string => {
      const { expr, macroCalls } = parse(text, environment);
      return unparse(expr, macroCalls);
    };
    expect(rewritten('(a + b) * c - (d - e)')).toBe('(a + b) * c - (d - e)');
    expect(rewritten('((a)) && ((b || c)) && d')).toBe('a && (b || c) && d');
    expect(rewritten('a || b || c || d || e')).toBe('a || b || c || d || e');
    expect(rewritten('a || (b || c)')).toBe('a || (b || c)');
    expect(rewritten('((a && b) && c) && d')).toBe('(a && b && c) && d');
    expect(rewritten('[1,2].map( x,x*2 )')).toBe('[1, 2].map(x, x * 2)');
  });

  it('keeps the result of an expression', () => {
    const text = '1 - (2 - 3) * -4 == -3';
    const { expr } = parse(text, environment);
    expect(compile(unparse(expr), environment).evaluate({}).value).toBe(true);
  });
});
