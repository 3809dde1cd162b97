import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldSelectorOf, parseFieldSelector } from './field.ts';

const fields: Record<string, string> = { 'metadata.name': 's1', 'spec.color': 'blue' };
const matches = (text: string) => parseFieldSelector(text).matches((field) => fields[field]);

describe('parseFieldSelector', () => {
  it.each([
    ['', true],
    ['metadata.name=s1', true],
    ['metadata.name==s1', true],
    ['metadata.name!=s1', false],
    ['metadata.name=s1,', true],
    ['metadata.name=s1,spec.color=red', false],
    ['spec.size=', true],
    ['spec.size!=', false],
    ['spec.color=blue\\,x', false],
  ])('%j', (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  it.each([
    ['spec.color', "invalid selector: 'spec.color'; can't understand 'spec.color'"],
    ['a=b,spec.color>x', "invalid selector: 'a=b,spec.color>x'; can't understand 'spec.color>x'"],
    ['spec.color=a\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ])('refuses %j', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(
      expect.objectContaining({ name: 'SelectorError', message }),
    );
  });

  it('reads back any value that it prints', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('=' as const, '!=' as const), (value, operator) => {
        const selector = fieldSelectorOf([{ field: 'spec.x', operator, value }]);
        expect(parseFieldSelector(selector.toString()).requirements).toEqual(selector.requirements);
      }),
    );
  });

  it('returns the value that a field must equal', () => {
    const selector = parseFieldSelector('metadata.name=a,spec.x!=b');
    expect(selector.exactValue('metadata.name')).toBe('a');
    expect(selector.exactValue('spec.x')).toBeUndefined();
  });
});

it('ignores a term without a field and a value', () => {
  expect(parseFieldSelector('=').empty).toBe(true);
  expect(parseFieldSelector('!=,metadata.name=a').requirements).toHaveLength(1);
});
