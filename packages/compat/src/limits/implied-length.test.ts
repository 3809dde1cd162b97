import { describe, expect, it } from 'vitest';
import { impliesLength } from './implied-length.ts';

describe('impliesLength', () => {
  it.each([
    ['^[a-z]+$', 1, 'minimum', true],
    ['^[a-z]*$', 1, 'minimum', false],
    ['^[a-z]{2,5}$', 5, 'maximum', true],
    ['^[a-z]{2,6}$', 5, 'maximum', false],
    ['[a-z]{2}', 2, 'minimum', true],
    ['', 1, 'minimum', false],
  ] as const)('of the pattern "%s" with the limit %i as %s: %s', (pattern, limit, side, implied) => {
    expect(impliesLength({ type: 'string', pattern }, limit, side)).toBe(implied);
  });

  it('considers the lengths of listed values', () => {
    expect(impliesLength({ type: 'string', enum: ['a', 'bc'] }, 1, 'minimum')).toBe(true);
    expect(impliesLength({ type: 'string', enum: ['a', 'bc'] }, 1, 'maximum')).toBe(false);
  });
});
