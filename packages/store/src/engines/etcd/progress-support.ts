// Whether an etcd supports progress requests. Before these releases it may answer too early (3.4.25, 3.5.8)
// or not at all (3.4.31, 3.5.13), according to its change log; kube-apiserver draws the same line.

const FIRST_PATCH: Readonly<Record<string, number>> = { '3.4': 31, '3.5': 13 };

export function answersProgress(version: string): boolean {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null) return false;
  const [major, minor, patch] = match.slice(1).map(Number) as [number, number, number];
  const first = FIRST_PATCH[`${major}.${minor}`];
  return first === undefined ? major > 3 || (major === 3 && minor > 5) : patch >= first;
}
