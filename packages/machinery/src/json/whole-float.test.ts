import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json-value.ts';
import { parseExactly, parseJson } from './parse.ts';
import { MAX_WHOLE_FLOATS, WholeFloat, withoutWholeFloats, withWholeFloats } from './whole-float.ts';

describe('floats with a whole value', () => {
  it.each(['1.0', '1e3', '-0.0', '1.0000000000000001', '9007199254740993.0'])('are found: %s', (text) => {
    expect(parseJson(`{"a":[0,{"b":${text}}]}`).wholeFloats).toEqual([{ path: ['a', 1, 'b'], text }]);
  });

  it.each(['1', '1.5', '"1.0"', '0.1e0', '{"1.0":1}'])('are nothing else: %s', (text) => {
    expect(parseExactly(`[${text}]`).wholeFloats).toBeUndefined();
  });

  it('are not listed if there are too many', () => {
    expect(parseJson(`[${'1.0,'.repeat(MAX_WHOLE_FLOATS)}1.0]`).wholeFloats).toBeUndefined();
  });

  it('are marked in a copy of what is above them', () => {
    const value = { a: { b: 1, c: 1 }, d: {} };
    const marked = withWholeFloats(value, [{ path: ['a', 'b'], text: '1.0' }]);
    expect([(marked.a.b as unknown) instanceof WholeFloat, marked.a.c, value.a.b]).toEqual([true, 1, 1]);
    expect(marked.d).toBe(value.d);
  });

  it('are not marked where something else has taken their place', () => {
    const value: JsonValue = { a: 2, list: [] };
    const floats = [
      { path: ['a'], text: '1.0' },
      { path: ['list', 0], text: '1.0' },
      { path: ['gone', 'too'], text: '1.0' },
    ];
    expect(withWholeFloats(value, floats)).toBe(value);
  });

  it('of one value are all marked', () => {
    const { value, wholeFloats } = parseJson('{"a":[1.0,2,3e0]}');
    const { a } = withWholeFloats(value, wholeFloats) as { a: unknown[] };
    expect(a.map((item) => item instanceof WholeFloat && item.text)).toEqual(['1.0', false, '3e0']);
  });

  it('print as JSON prints the number', () => {
    const marked = withWholeFloats([1], [{ path: [0], text: '1.0' }]);
    expect(JSON.stringify(marked)).toBe('[1]');
    expect(withoutWholeFloats(marked)).toEqual([1]);
  });
});
