// What to do when a definition is refused because it lacks a version in which objects may be stored: the downgrade of KEP-598, step 5 and its
// alternative. Told as a warning beside the refusal, whose text is kube-apiserver's and stays as it is.
import type { CustomResourceDefinition } from '@instar/crd';

/** Undefined if no such version is missing. */
export function downgradeRemedy({ metadata, spec, status }: CustomResourceDefinition): string | undefined {
  const versions = spec.versions ?? [];
  const missing = (status.storedVersions ?? []).filter((stored) => versions.every(({ name }) => name !== stored));
  const storage = versions.find((version) => version.storage)?.name;
  if (missing.length === 0 || storage === undefined) return undefined;
  const names = missing.join(', ');
  const migrate = `instar migrate ${metadata.name} --to ${storage}`;
  return `objects may be stored in ${names}: run "${migrate}", which stores everything in ${storage} and takes ${names} out of status.storedVersions, and apply this again; or keep ${names} in spec.versions with served: false and storage: false`;
}
