// A projected volume: files from several sources in one directory.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { Projection, Volume } from './pod-types.ts';
import { requireText, validateFileMode, validateVolumePath } from './values.ts';
import { validateDownwardFile, validateKeyToPath } from './volume-files.ts';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

export function validateProjected(
  { sources = [], defaultMode }: NonNullable<Volume['projected']>,
  path: FieldPath,
): FieldError[] {
  const files = new Set<string>();
  return [
    ...validateFileMode(defaultMode, path.child('defaultMode')),
    ...sources.flatMap((source, index) =>
      validateProjection(source, files, path, path.child('sources').index(index)),
    ),
  ];
}

/** `files` are those of the sources before it. */
function validateProjection(
  source: Projection,
  files: Set<string>,
  path: FieldPath,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const addFile = (file: string, value: string): void => {
    if (file === '') return;
    if (files.has(file)) errors.push(fieldErrors.invalid(path, value, 'conflicting duplicate paths'));
    files.add(file);
  };
  for (const kind of ['secret', 'configMap'] as const) {
    const { name = '', items = [] } = source[kind] ?? {};
    if (source[kind] === undefined) continue;
    errors.push(...requireText(name, at.child(kind, 'name')));
    for (const [index, item] of items.entries()) {
      errors.push(...validateKeyToPath(item, at.child(kind, 'items').index(index)));
      addFile(item.path ?? '', name);
    }
  }
  for (const file of source.downwardAPI?.items ?? []) {
    errors.push(...validateDownwardFile(file, at.child('downwardAPI')));
    addFile(file.path ?? '', file.path ?? '');
  }
  if (source.serviceAccountToken !== undefined)
    errors.push(...validateToken(source.serviceAccountToken, path, at.child('serviceAccountToken')));
  if (Object.keys(source).length > 1)
    errors.push(fieldErrors.forbidden(at, 'may not specify more than 1 volume type per source'));
  return errors;
}

function validateToken(
  { expirationSeconds = 0, path: file = '' }: NonNullable<Projection['serviceAccountToken']>,
  path: FieldPath,
  at: FieldPath,
): FieldError[] {
  const seconds = at.child('expirationSeconds');
  const errors: FieldError[] = [];
  if (expirationSeconds < MIN_TOKEN_SECONDS) {
    const why = 'may not specify a duration less than 10 minutes';
    errors.push(fieldErrors.invalid(seconds, expirationSeconds, why));
  }
  if (expirationSeconds > MAX_TOKEN_SECONDS) {
    const why = 'may not specify a duration larger than 2^32 seconds';
    errors.push(fieldErrors.invalid(seconds, expirationSeconds, why));
  }
  // The path of the volume, as upstream has it.
  const fileAt = path.child('path');
  return [...errors, ...(file === '' ? [fieldErrors.required(fileAt)] : validateVolumePath(file, fileAt))];
}
