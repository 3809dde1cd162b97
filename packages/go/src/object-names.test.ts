import { describe, expect, it } from 'vitest';
import { nameIsDnsLabel, nameIsDnsSubdomain, nameIsPathSegment } from './object-names.ts';

describe('names of objects', () => {
  it('may end in a dash as a prefix', () => {
    expect(nameIsDnsSubdomain('a-', true)).toEqual([]);
    expect(nameIsDnsSubdomain('a-', false)).toHaveLength(1);
    expect(nameIsDnsLabel('a.', true)).toHaveLength(1);
  });

  it('must be valid path segments of a URL', () => {
    expect(nameIsPathSegment('..', false)).toEqual(["may not be '..'"]);
    expect(nameIsPathSegment('..', true)).toEqual([]);
    expect(nameIsPathSegment('a/%', false)).toEqual(["may not contain '/'", "may not contain '%'"]);
  });
});
