// Paths of printer columns and of scale: all that is asked of them here is that they start with a dot.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

export function validateSimpleJsonPath(jsonPath: string, path: FieldPath): FieldError[] {
  return jsonPath.startsWith('.')
    ? []
    : [fieldErrors.invalid(path, jsonPath, 'must be a simple json path starting with .')];
}
