// Subresources: status has nothing to validate, scale has paths into the object.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { CustomResourceSubresources } from '../types.ts';
import { validateSimpleJsonPath } from './simple-json-path.ts';

export function validateSubresources(
  subresources: CustomResourceSubresources | undefined,
  path: FieldPath,
): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const selector = scale.labelSelectorPath ?? '';
  return [
    ...validateRequiredPath(scale.specReplicasPath ?? '', '.spec', path.child('scale', 'specReplicasPath')),
    ...validateRequiredPath(
      scale.statusReplicasPath ?? '',
      '.status',
      path.child('scale', 'statusReplicasPath'),
    ),
    ...(selector === ''
      ? []
      : validatePath(
          selector,
          ['.spec', '.status'],
          'either .spec or .status',
          path.child('scale', 'labelSelectorPath'),
        )),
  ];
}

function validateRequiredPath(jsonPath: string, root: string, path: FieldPath): FieldError[] {
  return jsonPath === '' ? [fieldErrors.required(path)] : validatePath(jsonPath, [root], root, path);
}

function validatePath(
  jsonPath: string,
  roots: readonly string[],
  where: string,
  path: FieldPath,
): FieldError[] {
  const errors = validateSimpleJsonPath(jsonPath, path);
  if (errors.length > 0 || roots.some((root) => jsonPath.startsWith(`${root}.`))) return errors;
  return [fieldErrors.invalid(path, jsonPath, `should be a json path under ${where}`)];
}
