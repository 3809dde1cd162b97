// Hostile input: parsing, checking and running must end with a value or an error soon after the deadline.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bindingsLibrary,
  CelError,
  CompileError,
  compile,
  dynType,
  Environment,
  encodersLibrary,
  Interrupted,
  listsLibrary,
  mathLibrary,
  optionalLibrary,
  parseAndCheck,
  regexLibrary,
  setsLibrary,
  standardLibrary,
  stringsLibrary,
  twoVariableLibrary,
} from './index.ts';

const environment = new Environment({
  libraries: [
    standardLibrary,
    optionalLibrary(),
    bindingsLibrary,
    twoVariableLibrary,
    stringsLibrary(),
    mathLibrary(),
    listsLibrary(),
    setsLibrary,
    encodersLibrary,
    regexLibrary,
  ],
  variables: { x: dynType, y: dynType },
});

const values = {
  x: [1, 2.5, 'a', null, { a: [true], __proto__: 1 }],
  y: { constructor: 'c', n: 12345678901234567890n },
};

function survive(text: string): void {
  try {
    compile(text, environment).evaluate(values, { maxCost: 100_000, deadline: Date.now() + 50 });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
  }
}

const fragment = fc.constantFrom(
  ...'( ) [ ] { } . , ? : ! - + * / % < <= > >= == != && || in true null x y .a .?b [?0] 1 -1 0x7f 2u 1.5 9223372036854775807 "s" b"\\xff" r"\\d+"'.split(
    ' ',
  ),
  '.map(i, i)',
  '.filter(i, i == 1)',
  '.all(i, i > 0)',
  '.exists(i, i)',
  '.transformMap(k, v, v)',
  '.sortBy(i, i)',
  '.size()',
  '.format([1])',
  '.replace("a", "bb")',
  '.matches("(a+)+$")',
  'cel.bind(z, x, ',
  'optional.of(',
  'type(',
  'int(',
  'timestamp(',
  'math.greatest(',
  'lists.range(',
  "'''",
  '"',
  '`a`',
  '\\',
  '\n',
  '// c',
  '😀',
);

describe('parser, checker and evaluator', () => {
  it('do not throw for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), survive), { numRuns: 500 });
  });

  it('do not throw for any sequence of fragments', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 25 }), (parts) => survive(parts.join(' '))),
      { numRuns: 1500 },
    );
  });

  it('fail if a value under dyn is not a list', () => {
    for (const text of [
      'y.sortBy(i, i)',
      'y.sort()',
      'y.distinct()',
      'y.flatten()',
      'y.flatten(1)',
      'y.slice(0, 1)',
      'y.reverse()',
    ]) {
      expect(compile(text, environment).evaluate(values).value).toBeInstanceOf(CelError);
    }
  });

  it('refuse expressions that are nested too deeply', () => {
    for (const text of [
      '('.repeat(1e4),
      '['.repeat(1e4),
      `x${'.a'.repeat(1e4)}`,
      `1${'+1'.repeat(1e4)}`,
      '!'.repeat(9e4),
      '-'.repeat(9e4),
    ]) {
      expect(parseAndCheck(text, environment).issues.size).toBeGreaterThan(0);
    }
    expect(parseAndCheck('x'.repeat(100_001), environment).issues.format()).toBe(
      'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000',
    );
  });

  it('check types that double with every binding', () => {
    const levels = Array.from(
      { length: 60 },
      (_, i) => `cel.bind(v${i}, {${i === 0 ? 'x: x' : `v${i - 1}: v${i - 1}`}}, `,
    );
    expect(
      parseAndCheck(`${levels.join('')}v59 == v59 && v59.foo()${')'.repeat(60)}`, environment).issues.size,
    ).toBe(1);
  });

  it('refuse macros that copy copies', () => {
    const text = `optional.of(1)${'.optMap(a, a)'.repeat(40)}`;
    expect(parseAndCheck(text, environment).issues.format()).toContain(
      'more than 50000 nodes after macro expansion',
    );
  });

  const numbers = (count: number) => `lists.range(${count})`;
  const doubled = (start: string, times: number) =>
    `${Array.from({ length: times }, (_, i) => `cel.bind(v${i}, ${i === 0 ? start : `v${i - 1} + v${i - 1}`}, `).join('')}v${times - 1}`;
  const hostile: Record<string, string> = {
    'nested loops': `${numbers(1000)}.all(a, ${numbers(1000)}.all(b, ${numbers(1000)}.all(c, a + b + c >= 0)))`,
    'a doubled string': `${doubled('"abcdefgh"', 40)}${'.size()'}${')'.repeat(40)}`.replace(
      'v39.size()',
      'v39.size() > 0',
    ),
    'a doubled list': `${doubled('[1, 2, 3, 4]', 50)}.exists(e, e == 5)${')'.repeat(50)}`,
    'equality of doubled lists': `${doubled('[1, 2, 3, 4]', 40)} == v39 + []${')'.repeat(40)}`,
    'replace that grows': `${doubled('"aaaaaaaa"', 20)}.replace("a", v19).size() > 0${')'.repeat(20)}`,
    'sorting a long list': `${numbers(1_000_000)}.map(i, -i).sort().size() > 0`,
    'format of a long list': `"%s".format([${numbers(1_000_000)}]).size() > 0`,
    'a regex on a long string': `${doubled('"aaaaaaaa"', 18)}.matches("(a*)*(a*)*b$")${')'.repeat(18)}`,
    'distinct of many lists': `${numbers(100_000)}.map(i, [i]).distinct().size() > 0`,
  };

  for (const [name, text] of Object.entries(hostile)) {
    it(`stops ${name}`, () => {
      const program = compile(text, environment);
      const { value } = program.evaluate({}, { deadline: Date.now() + 20 });
      expect(typeof value === 'boolean' || value instanceof Interrupted || typeof value === 'object').toBe(
        true,
      );
      const priced = program.evaluate({}, { maxCost: 10_000, deadline: Date.now() + 1000 });
      expect(priced.value).toBeInstanceOf(Interrupted);
    });
  }
});
