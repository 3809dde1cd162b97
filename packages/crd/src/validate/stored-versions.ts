// status.storedVersions: a version must stay in the spec as long as objects may be stored in it.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { CustomResourceDefinitionVersion } from '../types.ts';

export function validateStoredVersions(
  stored: readonly string[],
  versions: readonly CustomResourceDefinitionVersion[],
  path: FieldPath,
): FieldError[] {
  if (stored.length === 0) return [fieldErrors.invalid(path, null, 'must have at least one stored version')];
  const errors = versions
    .filter(({ name, storage }) => storage && !stored.includes(name))
    .map(({ name }) => fieldErrors.invalid(path, [...stored], `must have the storage version ${name}`));
  for (const [index, name] of stored.entries()) {
    if (stored.lastIndexOf(name) !== index || versions.some((version) => version.name === name)) continue;
    errors.push(fieldErrors.invalid(path.index(index), name, missing(name)));
  }
  return errors;
}

const missing = (version: string): string =>
  `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
