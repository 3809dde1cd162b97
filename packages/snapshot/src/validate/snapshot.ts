// What KEP-1900 requires of a VolumeSnapshot, in v1beta1 and in v1.
import type { FieldError, JsonObject } from '@instar/machinery';
import { emptyTextErrors, exactlyOneErrors, fieldOf, objectAt } from './fields.ts';
import { immutable } from './immutable.ts';

const SOURCES = ['persistentVolumeClaimName', 'volumeSnapshotContentName'] as const;

export function validateSnapshot(object: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const spec = objectAt(object, 'spec', 'spec', errors);
  if (spec === undefined) return errors;
  const source = objectAt(spec, 'source', 'spec.source', errors);
  if (source !== undefined) errors.push(...exactlyOneErrors(source, 'spec.source', SOURCES));
  // Unset means the default class.
  errors.push(...emptyTextErrors(fieldOf(spec, 'volumeSnapshotClassName'), 'spec.volumeSnapshotClassName'));
  return errors;
}

/**
 * To correct a wrong source, delete the snapshot and create another: a taken snapshot cannot become one of
 * something else.
 */
export const SNAPSHOT_IMMUTABILITY = SOURCES.map((name) => immutable(`spec.source.${name}`));
