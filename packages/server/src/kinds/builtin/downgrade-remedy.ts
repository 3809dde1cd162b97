// The remedy when a definition is refused because a stored version is missing: step 5 of the downgrade of
// KEP-598, and its alternative. It follows kube-apiserver's own text, which is not changed.
import type { CustomResourceDefinition } from '@instar/crd';
import type { FieldError } from '@instar/machinery';

const STORED_VERSION = /^status\.storedVersions\[\d+\]$/;

/** The errors, each for a missing stored version with a remedy. */
export function withDowngradeRemedy(
  { metadata, spec }: CustomResourceDefinition,
  errors: FieldError[],
): FieldError[] {
  const storage = spec.versions?.find((version) => version.storage)?.name;
  if (storage === undefined || !errors.some(({ field }) => STORED_VERSION.test(field))) return errors;
  return errors.map((error) => {
    if (!STORED_VERSION.test(error.field)) return error;
    const version = String(error.value);
    const migrate = `instar migrate ${metadata.name} --to ${storage}`;
    const remedy = `"${migrate}" does both, after which this can be applied; or keep ${version} in spec.versions with served: false and storage: false`;
    return { ...error, detail: `${error.detail}: ${remedy}` };
  });
}
