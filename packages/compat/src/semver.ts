// The version bump that the guidelines ask for: patch for purely additive changes, minor for semantic
// breaking changes, major for dropping a resource or turning it into another one. And whether a new
// apiVersion is needed, following the talk: a breaking change within a version always needs one.
import type { Finding } from './finding.ts';
import { nextVersion } from './version-order.ts';

/** Which part of a semantic version a change must increase. */
export type Bump = 'none' | 'patch' | 'minor' | 'major';

const BUMPS: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/** The bump that a change requires, and why. */
export interface SemverVerdict {
  readonly bump: Bump;
  /** The findings that determine the bump, at most three. */
  readonly because: readonly string[];
  /** One for each version with a breaking change in place. */
  readonly newVersions: readonly { readonly crd: string; readonly version: string; readonly next: string }[];
}

/** Findings that are excused do not count. */
export function semverVerdict(findings: readonly Finding[]): SemverVerdict {
  const counted = findings.filter(({ excused }) => excused === undefined);
  const bump = counted
    .map(bumpOf)
    .reduce<Bump>((worst, one) => (BUMPS.indexOf(one) > BUMPS.indexOf(worst) ? one : worst), 'none');
  const because = counted.filter((finding) => bumpOf(finding) === bump && bump !== 'none').slice(0, 3);
  return {
    bump,
    because: because.map(
      (finding) => `${finding.path ?? finding.version ?? finding.crd}: ${finding.message}`,
    ),
    newVersions: newVersions(counted),
  };
}

/** Whether `bump` is no more than what was announced. */
export function isWithin(bump: Bump, expected: Bump): boolean {
  return BUMPS.indexOf(bump) <= BUMPS.indexOf(expected);
}

/** What could not be decided counts as breaking: the bump is a warning. */
function bumpOf(finding: Finding): Bump {
  if (finding.fundamental === true) return 'major';
  if (finding.severity === 'breaking' || finding.severity === 'unsure') return 'minor';
  return 'patch';
}

const IN_PLACE = new Set(['same-version', 'objects', 'executed']);
/** These do not change the schema, so that a new version would not help. */
const NOT_THE_SCHEMA = new Set(['served', 'printer-columns', 'deprecation']);

function newVersions(findings: readonly Finding[]): SemverVerdict['newVersions'] {
  const broken = new Map<string, { crd: string; version: string; next: string }>();
  for (const { severity, scope, crd, version, toVersion, rule } of findings) {
    if (
      severity !== 'breaking' ||
      toVersion !== undefined ||
      !IN_PLACE.has(scope) ||
      version === undefined ||
      NOT_THE_SCHEMA.has(rule)
    )
      continue;
    broken.set(`${crd}/${version}`, { crd, version, next: nextVersion(version) });
  }
  return [...broken.values()];
}
