// The ConversionReview versions that a webhook accepts. At least one must be supported by the server.

import { validateDns1035Label } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

const RECOGNIZED: readonly string[] = ['v1', 'v1beta1'];

/** True for an empty list as well, which is a different error. */
export function hasRecognizedReviewVersion(versions: readonly string[] | null | undefined): boolean {
  return (versions ?? []).length === 0 || versions!.some((version) => RECOGNIZED.includes(version));
}

export function validateReviewVersions(
  versions: readonly string[],
  requireRecognized: boolean,
  path: FieldPath,
): FieldError[] {
  if (versions.length === 0) return [fieldErrors.required(path)];
  const errors: FieldError[] = [];
  for (const [index, version] of versions.entries()) {
    const place = path.index(index);
    if (versions.indexOf(version) < index)
      errors.push(fieldErrors.invalid(place, version, 'duplicate version'));
    else
      errors.push(
        ...validateDns1035Label(version).map((fault) => fieldErrors.invalid(place, version, fault)),
      );
  }
  if (requireRecognized && !hasRecognizedReviewVersion(versions)) {
    errors.push(
      fieldErrors.invalid(path, [...versions], `must include at least one of ${RECOGNIZED.join(', ')}`),
    );
  }
  return errors;
}
