// A definition with a single version has nothing to convert yet: it gets the next one, as a copy to start
// from.
import type { CustomResourceDefinition } from '@instar/crd';
import { deepCopy, type JsonValue } from '@instar/machinery';

/** In place. The name of the version that was added, if one was. */
export function addNextVersion(crd: CustomResourceDefinition): string | undefined {
  const [only, ...others] = crd.spec.versions;
  if (only === undefined || others.length > 0) return undefined;
  const name = nextVersion(only.name);
  crd.spec.versions.push({
    ...(deepCopy(only as unknown as JsonValue) as unknown as typeof only),
    name,
    storage: false,
  });
  return name;
}

/** v1alpha1 grows to v1beta1, that to v1, and v1 to v2. */
export function nextVersion(name: string): string {
  const [, major, stage] = /^v(\d+)(alpha|beta)?/.exec(name) ?? [];
  if (major === undefined) return 'v1';
  if (stage === 'alpha') return `v${major}beta1`;
  return stage === 'beta' ? `v${major}` : `v${Number(major) + 1}`;
}
