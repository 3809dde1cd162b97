// Groups, versions and kinds: parses and prints apiVersion, and orders versions.

/** A group and a version of it; the group of core kinds is empty. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A kind with its group and version. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** "v1" is in the core group ""; undefined if there is more than one slash. */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  if (apiVersion.indexOf('/', slash + 1) >= 0) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Upstream's message for an apiVersion that does not parse. */
export function apiVersionFault(apiVersion: string): string {
  return `unexpected GroupVersion string: ${apiVersion}`;
}

/** `group/version`, or the version alone in the core group. */
export function printApiVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** An apiVersion that does not parse leaves group and version empty. */
export function gvkOf(apiVersion: string, kind: string): GroupVersionKind {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  return { group, version, kind };
}

/** As upstream's messages show it: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function printGvk({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

interface KubeVersion {
  readonly major: bigint;
  /** 2 for GA, 1 for beta, 0 for alpha. */
  readonly stability: number;
  readonly minor: bigint;
}

const KUBE_VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

function parseKubeVersion(version: string): KubeVersion | undefined {
  const match = KUBE_VERSION.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return { major: BigInt(match[1]!), stability, minor: BigInt(match[3] ?? 0) };
}

/**
 * Negative if `a` is preferred to `b`: v10, v2, v1, v2beta1, v1beta2, v1alpha1, then names that are not
 * Kubernetes versions, in alphabetical order. (Upstream's CompareKubeAwareVersionStrings has the opposite
 * sign.)
 */
export function compareKubeAwareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const x = parseKubeVersion(a);
  const y = parseKubeVersion(b);
  if (x === undefined || y === undefined) {
    if (x !== undefined) return -1;
    if (y !== undefined) return 1;
    return a < b ? -1 : 1;
  }
  if (x.stability !== y.stability) return y.stability - x.stability;
  if (x.major !== y.major) return x.major > y.major ? -1 : 1;
  return x.minor === y.minor ? 0 : x.minor > y.minor ? -1 : 1;
}
