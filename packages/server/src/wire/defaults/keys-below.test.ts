import { describe, expect, it } from 'vitest';
import { keysBelow } from './index.ts';

describe('the keys below a prefix', () => {
  it.each([
    ['/registry', '/registry/'],
    ['registry', '/registry/'],
    ['//a/b//', '/a/b/'],
    ['', '/'],
  ])('of %j begin with %j', (prefix, expected) => {
    expect(keysBelow(prefix)).toBe(expected);
  });
});
