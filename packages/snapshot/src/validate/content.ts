// What KEP-1900 requires of a VolumeSnapshotContent, in v1beta1 and in v1.
import { type FieldError, fieldErrors, isJsonObject, type JsonObject } from '@instar/machinery';
import { emptyTextErrors, exactlyOneErrors, fieldOf, objectAt } from './fields.ts';
import { immutable } from './immutable.ts';

const SOURCES = ['volumeHandle', 'snapshotHandle'] as const;
const REF = 'spec.volumeSnapshotRef';

export function validateContent(object: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const spec = objectAt(object, 'spec', 'spec', errors);
  if (spec === undefined) return errors;
  const source = objectAt(spec, 'source', 'spec.source', errors);
  if (source !== undefined) errors.push(...exactlyOneErrors(source, 'spec.source', SOURCES));
  const ref = objectAt(spec, 'volumeSnapshotRef', REF, errors);
  if (ref !== undefined) for (const name of ['name', 'namespace']) errors.push(...refFieldErrors(ref, name));
  return errors;
}

function refFieldErrors(ref: JsonObject, name: string): FieldError[] {
  const path = `${REF}.${name}`;
  const value = fieldOf(ref, name);
  return value === undefined
    ? [fieldErrors.required(path, `both ${REF}.name and ${REF}.namespace must be set`)]
    : emptyTextErrors(value, path);
}

export const CONTENT_IMMUTABILITY = [
  ...SOURCES.map((name) => immutable(`spec.source.${name}`)),
  // The uid makes the binding: without it, an administrator may still correct the reference.
  immutable(REF, { when: (ref) => isJsonObject(ref) && (fieldOf(ref, 'uid') ?? '') !== '' }),
];
