// Inclusion of patterns: by examples, and compared with RE2 on strings of letters that the patterns use.
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { inclusionOf } from './inclusion.ts';

const INCLUDED: readonly [string[], string][] = [
  [['^[a-z]+$'], '^[a-z0-9]+$'],
  [['^a{2,4}$'], '^a+$'],
  [['^a{2,4}$'], '^aa?a?a?$'],
  [['abc'], 'b'],
  [['^abc'], 'abc'],
  [['^(?:a|b)*$'], '^[ab]*$'],
  [[], ''],
  [[], '^(?s:.*)$'],
  [['^x$'], '(?i)^X$'],
  [['^[[:alpha:]]$'], '^\\w$'],
  [['^[a-z]+$', '^.{0,3}$'], '^[a-z]{1,3}$'],
  [['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'], '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'],
  [['^a$|^b$'], '^[ab]$'],
  [['$^'], '^$'],
  [['a^b'], 'zzz'],
];
const REFUSED: readonly [string[], string, string][] = [
  [['^[a-z0-9]+$'], '^[a-z]+$', '0'],
  [[], '^[a-z]+$', ''],
  [[], '.', ''],
  [[], '.*x', ''],
  [['a'], '^a', '-a'],
  [['^a*$'], '^a{0,3}$', 'aaaa'],
  [['^\\d+$'], '^\\d{1,3}$', '0000'],
];

describe('inclusion of patterns', () => {
  it.each(INCLUDED)('%j is within %s', (narrow, wide) => {
    expect(inclusionOf(narrow, wide)).toEqual({ answer: 'included' });
  });

  it.each(REFUSED)('%j is not within %s', (narrow, wide, witness) => {
    const inclusion = inclusionOf(narrow, wide);
    expect(inclusion.answer).toBe('refused');
    expect(inclusion.answer === 'refused' && inclusion.witness.length).toBe(witness.length);
  });

  it('considers the lengths that other keywords allow', () => {
    expect(inclusionOf([], '^.+$', { minLength: 1 })).toEqual({ answer: 'refused', witness: '\n' });
    expect(inclusionOf([], '^(?s:.+)$', { minLength: 1 })).toEqual({ answer: 'included' });
    expect(inclusionOf(['^a*$'], '^a{0,3}$', { maxLength: 3 })).toEqual({ answer: 'included' });
  });

  it('considers only the listed values if there are any', () => {
    expect(inclusionOf([], '^[a-z]$', { listed: ['a', 'b'] })).toEqual({ answer: 'included' });
    expect(inclusionOf([], '^[a-z]$', { listed: ['a', 'B'] })).toEqual({ answer: 'refused', witness: 'B' });
  });

  it.each(['\\bx', '\\pL', '(?m)^a', '(', '['])('does not guess about %s', (pattern) => {
    expect(inclusionOf(['^a$'], pattern).answer).toBe('unsure');
  });

  it('stops undecided if the automata grow too large', () => {
    expect(inclusionOf(['^(a|b)*a(a|b){18}$'], '^(a|b)*b(a|b){18}$').answer).not.toBe('included');
    expect(inclusionOf(['^(a|b)*$'], '^((a|b)*a(a|b){14}|(a|b)*b(a|b){14}|(a|b){0,14})$').answer).toBe(
      'unsure',
    );
  });

  const letter = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '0');
  const pattern: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      letter,
      fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a}|${b})`),
      fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{1,2}')).map(([a, op]) => `(${a})${op}`),
      tie('node').map((a) => `(^${a}$)`),
    ),
  })).node;

  it('agrees with RE2 on generated patterns and strings', () => {
    fc.assert(
      fc.property(
        pattern,
        pattern,
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '0', 'x', '\n'), maxLength: 5 }), {
          maxLength: 20,
        }),
        (narrow, wide, texts) => {
          const inclusion = inclusionOf([narrow], wide);
          const [inner, outer] = [narrow, wide].map((text) => RE2JS.compile(text)) as [RE2JS, RE2JS];
          if (inclusion.answer === 'refused') {
            expect(inner.matcher(inclusion.witness).find()).toBe(true);
            expect(outer.matcher(inclusion.witness).find()).toBe(false);
          } else if (inclusion.answer === 'included') {
            for (const text of texts)
              expect(inner.matcher(text).find() && !outer.matcher(text).find()).toBe(false);
          }
        },
      ),
    );
  });
});
