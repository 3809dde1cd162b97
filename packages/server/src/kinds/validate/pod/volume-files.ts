// Files in volumes: keys of config maps and secrets, fields and resources of the pod.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import { VOLUME_FIELDS, validateFieldRef, validateResourceFieldRef } from './env.ts';
import type { DownwardFile, KeyToPath } from './pod-types.ts';
import { requireText, validateFileMode, validateVolumePath } from './values.ts';

export function validateKeyToPath({ key, path: file = '', mode }: KeyToPath, path: FieldPath): FieldError[] {
  return [
    ...requireText(key, path.child('key')),
    ...requireText(file, path.child('path')),
    ...validateVolumePath(file, path.child('path')),
    ...validateFileMode(mode, path.child('mode')),
  ];
}

export function validateDownwardFile(file: DownwardFile, path: FieldPath): FieldError[] {
  const { fieldRef, resourceFieldRef } = file;
  const errors = [
    ...requireText(file.path, path.child('path')),
    ...validateVolumePath(file.path ?? '', path.child('path')),
  ];
  if (fieldRef !== undefined) {
    errors.push(...validateFieldRef(fieldRef, VOLUME_FIELDS, path.child('fieldRef')));
    if (resourceFieldRef !== undefined) {
      const why = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(fieldErrors.invalid(path, 'resource', why));
    }
  } else if (resourceFieldRef !== undefined)
    errors.push(...validateResourceFieldRef(resourceFieldRef, true, path.child('resourceFieldRef')));
  else errors.push(fieldErrors.required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...validateFileMode(file.mode, path.child('mode'))];
}
