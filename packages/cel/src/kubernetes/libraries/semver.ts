// The library of semantic versions: semver(), isSemver(), each also lenient, and comparison.
import { functionOf, type Library, memberOverload, overload } from '../../extension.ts';
import { boolType, intType, opaqueType, stringType } from '../../values/types.ts';
import { CelError, type Int, intOf, Opaque, type Value } from '../../values.ts';
import { compareVersions, parseVersion, parseVersionLeniently, type SemanticVersion } from '../semver.ts';

export const semverType = opaqueType('kubernetes.Semver');

class SemverValue extends Opaque {
  readonly type = semverType;
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    super();
    this.version = version;
  }

  equals(other: Value): boolean {
    return other instanceof SemverValue && compareVersions(this.version, other.version) === 0;
  }
}

const versionOf = (value: Value): SemanticVersion => (value as SemverValue).version;
const parse = (text: Value, lenient: Value | undefined) =>
  (lenient === true ? parseVersionLeniently : parseVersion)(text as string);

function semverOfString(text: Value, lenient?: Value): Value {
  const version = parse(text, lenient);
  return typeof version === 'string' ? new CelError(version) : new SemverValue(version);
}

const isSemver = (text: Value, lenient?: Value): Value => typeof parse(text, lenient) !== 'string';

/** Parts are unsigned upstream and overflow if they do not fit an int. */
function part(name: 'major' | 'minor' | 'patch') {
  return functionOf(
    name,
    memberOverload(`semver_${name}`, [semverType], intType, (value) =>
      intOf(BigInt.asIntN(64, versionOf(value)[name])),
    ),
  );
}

function comparison(name: string, id: string, holds: (order: number) => boolean) {
  return functionOf(
    name,
    memberOverload(id, [semverType, semverType], boolType, (a, b) =>
      holds(compareVersions(versionOf(a), versionOf(b))),
    ),
  );
}

export const semverLibrary: Library = {
  name: 'kubernetes.Semver',
  functions: [
    functionOf(
      'semver',
      overload('string_to_semver', [stringType], semverType, semverOfString),
      overload('string_bool_to_semver', [stringType, boolType], semverType, semverOfString),
    ),
    functionOf(
      'isSemver',
      overload('is_semver_string', [stringType], boolType, isSemver),
      overload('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
    ),
    comparison('isGreaterThan', 'semver_is_greater_than', (order) => order > 0),
    comparison('isLessThan', 'semver_is_less_than', (order) => order < 0),
    functionOf(
      'compareTo',
      memberOverload(
        'semver_compare_to',
        [semverType, semverType],
        intType,
        (a, b): Int => compareVersions(versionOf(a), versionOf(b)),
      ),
    ),
    part('major'),
    part('minor'),
    part('patch'),
  ],
};
