// Versions in the order of Kubernetes: v2 before v1 before v1beta2 before v1alpha1, then names of any other
// form. And the successor of a version.

const FORM = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const STABILITY = ['alpha', 'beta', undefined];

interface VersionName {
  readonly major: number;
  readonly stability: 'alpha' | 'beta' | undefined;
  readonly minor: number;
}

function parseVersion(name: string): VersionName | undefined {
  const found = FORM.exec(name);
  if (found === null) return undefined;
  return {
    major: Number(found[1]),
    stability: found[2] as 'alpha' | 'beta' | undefined,
    minor: Number(found[3] ?? 0),
  };
}

/** The older first. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [parseVersion(a), parseVersion(b)];
  if (x === undefined || y === undefined)
    return Number(x !== undefined) - Number(y !== undefined) || (a < b ? 1 : -1);
  const stability = STABILITY.indexOf(x.stability) - STABILITY.indexOf(y.stability);
  return stability || x.major - y.major || x.minor - y.minor;
}

/** The version for a breaking change: v1alpha1 → v1alpha2, v1beta2 → v1beta3, v1 → v2alpha1. */
export function nextVersion(name: string, taken: readonly string[] = []): string {
  const version = parseVersion(name);
  if (version === undefined) return `the version after ${name}`;
  const { major, stability, minor } = version;
  const next = stability === undefined ? `v${major + 1}alpha1` : `v${major}${stability}${minor + 1}`;
  return taken.includes(next) ? nextVersion(next, taken) : next;
}
