// Paths of printer columns and of scale: they must start with a dot, no more is checked here.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

export function validateSimpleJsonPath(jsonPath: string, path: FieldPath): FieldError[] {
  return jsonPath.startsWith('.')
    ? []
    : [fieldErrors.invalid(path, jsonPath, 'must be a simple json path starting with .')];
}
