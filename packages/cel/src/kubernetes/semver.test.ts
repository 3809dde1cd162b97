import { describe, expect, it } from 'vitest';
import { compareVersions, parseVersion, parseVersionLeniently, type SemanticVersion } from './semver.ts';

function version(text: string): SemanticVersion {
  const parsed = parseVersion(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

describe('parseVersion', () => {
  it('splits a version', () => {
    expect(version('1.2.3-rc.1+build.5')).toEqual({
      major: 1n,
      minor: 2n,
      patch: 3n,
      prerelease: ['rc', 1n],
    });
    expect(version('0.0.18446744073709551615').patch).toBe(18446744073709551615n);
    expect(version('1.0.0-a-b.c').prerelease).toEqual(['a-b', 'c']);
  });

  it('has the error texts of upstream', () => {
    for (const [text, error] of [
      ['', 'Version string empty'],
      ['1.2', 'No Major.Minor.Patch elements found'],
      ['v1.2.3', 'Invalid character(s) found in major number "v1"'],
      ['1.x.3', 'Invalid character(s) found in minor number "x"'],
      ['1.2.3.4', 'Invalid character(s) found in patch number "3.4"'],
      ['01.2.3', 'Major number must not contain leading zeroes "01"'],
      ['1.2.03', 'Patch number must not contain leading zeroes "03"'],
      ['.2.3', 'strconv.ParseUint: parsing "": invalid syntax'],
      ['1.18446744073709551616.3', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
      ['1.2.3-', 'Prerelease is empty'],
      ['1.2.3-01', 'Numeric PreRelease version must not contain leading zeroes "01"'],
      ['1.2.3-a_b', 'Invalid character(s) found in prerelease "a_b"'],
      ['1.2.3+', 'Build meta data is empty'],
      ['1.2.3+a_b', 'Invalid character(s) found in build meta data "a_b"'],
    ]) {
      expect(parseVersion(text!), text).toBe(error);
    }
  });
});

describe('parseVersionLeniently', () => {
  it('normalizes a prefix, missing parts and leading zeros', () => {
    for (const text of ['v1.2.0', '1.2', '01.02.0', 'v1.2'])
      expect(parseVersionLeniently(text), text).toEqual(version('1.2.0'));
    expect(parseVersionLeniently('v1')).toEqual(version('1.0.0'));
    expect(parseVersionLeniently('00.0.00-a')).toEqual(version('0.0.0-a'));
  });

  it('refuses other invalid versions', () => {
    expect(parseVersionLeniently('1.2-rc')).toBe('short version cannot contain PreRelease/Build meta data');
    expect(parseVersionLeniently(' 1.2.3')).toBeTypeOf('string');
    expect(parseVersionLeniently('vv1')).toBeTypeOf('string');
    expect(parseVersionLeniently('')).toBe('strconv.ParseUint: parsing "": invalid syntax');
  });
});

describe('compareVersions', () => {
  it('orders as the specification does', () => {
    const ordered = [
      '1.0.0-1',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0',
      '1.9.0',
      '1.10.0',
      '2.0.0',
    ];
    const versions = ordered.map(version);
    for (const [i, a] of versions.entries())
      for (const [j, b] of versions.entries()) expect(compareVersions(a, b)).toBe(Math.sign(i - j));
  });

  it('ignores build metadata', () => {
    expect(compareVersions(version('1.0.0+a'), version('1.0.0+b'))).toBe(0);
  });
});
