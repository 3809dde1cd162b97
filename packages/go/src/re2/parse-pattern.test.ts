import { describe, expect, it } from 'vitest';
import { parsePattern } from './parse-pattern.ts';
import { NotUnderstood, type Pattern } from './syntax.ts';

const set = (...ranges: [number, number][]): Pattern => ({ kind: 'set', set: ranges });
const one = (character: string): Pattern => set([character.codePointAt(0)!, character.codePointAt(0)!]);
const options = {
  unicodeClass: (name: string) => (name === 'Lu' ? ([[65, 90]] as const) : undefined),
  foldsAsciiOnly: true,
};

describe('parsePattern', () => {
  it.each<[string, Pattern]>([
    ['a', one('a')],
    ['^$', { kind: 'sequence', parts: [{ kind: 'begin' }, { kind: 'end' }] }],
    ['(?m)^', { kind: 'lineBegin' }],
    ['\\b', { kind: 'wordBoundary' }],
    ['a|b', { kind: 'choice', parts: [one('a'), one('b')] }],
    ['a{2,3}?', { kind: 'repeat', part: one('a'), min: 2, max: 3 }],
    ['a*', { kind: 'repeat', part: one('a'), min: 0, max: Number.POSITIVE_INFINITY }],
    ['(?P<n>a)', one('a')],
    ['\\Q.\\E+', { kind: 'repeat', part: one('.'), min: 1, max: Number.POSITIVE_INFINITY }],
    ['\\x41', one('A')],
    ['\\x{1F600}', one('\u{1f600}')],
    ['\\101', one('A')],
    ['(?i)a', set([65, 65], [97, 97])],
    ['(?i)[^a]', set([0, 64], [66, 96], [98, 0x10ffff])],
    ['[[:digit:]x-z]', set([48, 57], [120, 122])],
    ['\\p{Lu}', set([65, 90])],
    ['[^\\P{Lu}]', set([65, 90])],
  ])('reads %s', (text, pattern) => {
    expect(parsePattern(text, options)).toEqual(pattern);
  });

  it.each(['(', ')', '[', '*', 'a{1001}', '\\', '\\1', '(?=a)', '(?x)a', '\\pQ'])(
    'does not understand %s',
    (text) => {
      expect(() => parsePattern(text, options)).toThrow(NotUnderstood);
    },
  );

  it('refuses a set that it does not know exactly, unless the options allow it', () => {
    expect(() => parsePattern('\\p{Lu}')).toThrow(NotUnderstood);
    expect(() => parsePattern('(?i)é')).toThrow(NotUnderstood);
    expect(parsePattern('(?i)é', options)).toEqual(one('é'));
  });
});
