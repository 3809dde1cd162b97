import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKubeAwareVersions, gvkOf, parseApiVersion, printApiVersion, printGvk } from './gvk.ts';
import { generateName } from './meta/generate-name.ts';

describe('apiVersion', () => {
  it('may have no group', () => {
    expect(parseApiVersion('v1')).toEqual({ group: '', version: 'v1' });
    expect(parseApiVersion('apps/v1')).toEqual({ group: 'apps', version: 'v1' });
    expect(parseApiVersion('a/b/c')).toBeUndefined();
    expect(printApiVersion({ group: 'apps', version: 'v1' })).toBe('apps/v1');
    expect(printGvk(gvkOf('v1', 'Pod'))).toBe('/v1, Kind=Pod');
  });
});

describe('compareKubeAwareVersions', () => {
  it('puts the most stable and newest first', () => {
    const order = [
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
      'v1gamma',
    ];
    expect([...order].reverse().sort(compareKubeAwareVersions)).toEqual(order);
  });

  it('is a total order', () => {
    const version = fc.constantFrom('v1', 'v2', 'v1beta1', 'v2alpha3', 'v10', 'x', 'vv', 'v01');
    fc.assert(
      fc.property(
        version,
        version,
        (a, b) =>
          Math.sign(compareKubeAwareVersions(a, b)) === -Math.sign(compareKubeAwareVersions(b, a)) || a === b,
      ),
    );
  });
});

describe('generateName', () => {
  it('cuts the prefix so that the name has at most 63 characters', () => {
    expect(generateName('made-', () => 0)).toBe('made-bbbbb');
    expect(generateName('g'.repeat(100), () => 0.999)).toBe(`${'g'.repeat(58)}99999`);
  });
});
