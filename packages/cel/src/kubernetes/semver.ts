/**
 * Semantic versions as the semver library of CEL parses them: strictly by the specification, or after
 * `normalizedVersion` has fixed a `v` prefix, missing parts and leading zeros. Ranges are not supported.
 */
import { quoteGo } from '@instar/go';

export interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numeric identifiers are bigints, so that they compare as numbers. */
  readonly prerelease: readonly (bigint | string)[];
}

const maxUint64 = 2n ** 64n - 1n;

class VersionError extends Error {}

/** The version, or the text of the error. */
export function parseVersion(text: string): SemanticVersion | string {
  try {
    return readVersion(text);
  } catch (error) {
    if (error instanceof VersionError) return error.message;
    throw error;
  }
}

function readVersion(text: string): SemanticVersion {
  if (text === '') throw new VersionError('Version string empty');
  const [major, minor, ...others] = text.split('.');
  if (minor === undefined || others.length === 0)
    throw new VersionError('No Major.Minor.Patch elements found');
  const numbers = { major: readNumber(major!, 'major'), minor: readNumber(minor, 'minor') };
  const [release, build] = cut(others.join('.'), '+');
  const [patch, prerelease] = cut(release, '-');
  const version = {
    ...numbers,
    patch: readNumber(patch, 'patch'),
    prerelease: prerelease?.split('.').map(readPrerelease) ?? [],
  };
  build?.split('.').forEach(checkBuild);
  return version;
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function readNumber(text: string, part: string): bigint {
  if (!/^[0-9]*$/.test(text))
    throw new VersionError(`Invalid character(s) found in ${part} number ${quoteGo(text)}`);
  if (/^0./.test(text)) {
    throw new VersionError(
      `${part[0]!.toUpperCase()}${part.slice(1)} number must not contain leading zeroes ${quoteGo(text)}`,
    );
  }
  return readUint64(text);
}

function readUint64(digits: string): bigint {
  if (digits === '') throw new VersionError('strconv.ParseUint: parsing "": invalid syntax');
  const value = digits.length > 20 ? maxUint64 + 1n : BigInt(digits);
  if (value > maxUint64)
    throw new VersionError(`strconv.ParseUint: parsing ${quoteGo(digits)}: value out of range`);
  return value;
}

function readPrerelease(text: string): bigint | string {
  if (text === '') throw new VersionError('Prerelease is empty');
  if (/^[0-9]+$/.test(text)) {
    if (/^0./.test(text))
      throw new VersionError(`Numeric PreRelease version must not contain leading zeroes ${quoteGo(text)}`);
    return readUint64(text);
  }
  if (!/^[-0-9A-Za-z]+$/.test(text))
    throw new VersionError(`Invalid character(s) found in prerelease ${quoteGo(text)}`);
  return text;
}

function checkBuild(text: string): void {
  if (text === '') throw new VersionError('Build meta data is empty');
  if (!/^[-0-9A-Za-z]+$/.test(text))
    throw new VersionError(`Invalid character(s) found in build meta data ${quoteGo(text)}`);
}

/** The version after normalizing `v1`, `1.2` and `01.2.3`, or the text of the error. */
export function parseVersionLeniently(text: string): SemanticVersion | string {
  const [major, minor, ...others] = text.replace(/^v/, '').split('.');
  const parts = [major!, minor, others.length === 0 ? undefined : others.join('.')].filter(
    (part) => part !== undefined,
  );
  const trimmed = parts.map(withoutLeadingZeros);
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1)!))
    return 'short version cannot contain PreRelease/Build meta data';
  return parseVersion([...trimmed, '0', '0'].slice(0, 3).join('.'));
}

function withoutLeadingZeros(part: string): string {
  if (part.length <= 1) return part;
  const trimmed = part.replace(/^0+/, '');
  return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
}

export function compareVersions(a: SemanticVersion, b: SemanticVersion): -1 | 0 | 1 {
  for (const part of ['major', 'minor', 'patch'] as const)
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    // A release comes after its pre-releases.
    return Math.sign(Number(a.prerelease.length === 0) - Number(b.prerelease.length === 0)) as -1 | 0 | 1;
  }
  for (let index = 0; index < Math.min(a.prerelease.length, b.prerelease.length); index++) {
    const order = comparePrerelease(a.prerelease[index]!, b.prerelease[index]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length) as -1 | 0 | 1;
}

function comparePrerelease(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (a === b) return 0;
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  return a < b ? -1 : 1;
}
