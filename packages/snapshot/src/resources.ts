// The two resources that KEP-1900 tightens, and the labels for invalid objects.
import type { FieldError, JsonObject } from '@instar/machinery';
import type { ImmutabilityRule } from '@instar/webhook';
import { CONTENT_IMMUTABILITY, validateContent } from './validate/content.ts';
import { SNAPSHOT_IMMUTABILITY, validateSnapshot } from './validate/snapshot.ts';

export const SNAPSHOT_GROUP = 'snapshot.storage.k8s.io';
/**
 * The older first: its schema is lenient wherever it is served, so that invalid objects can be written
 * through it.
 */
export const SNAPSHOT_VERSIONS = ['v1beta1', 'v1'] as const;
export type SnapshotVersion = (typeof SNAPSHOT_VERSIONS)[number];

export interface SnapshotResource {
  readonly resource: 'volumesnapshots' | 'volumesnapshotcontents';
  readonly kind: 'VolumeSnapshot' | 'VolumeSnapshotContent';
  readonly invalidLabel: string;
  /** All errors of an object by itself. */
  readonly validate: (object: JsonObject) => readonly FieldError[];
  /** What no update may do. */
  readonly immutability: readonly ImmutabilityRule<JsonObject>[];
}

export const SNAPSHOTS: SnapshotResource = {
  resource: 'volumesnapshots',
  kind: 'VolumeSnapshot',
  invalidLabel: 'snapshot.storage.kubernetes.io/invalid-snapshot-resource',
  validate: validateSnapshot,
  immutability: SNAPSHOT_IMMUTABILITY,
};

export const CONTENTS: SnapshotResource = {
  resource: 'volumesnapshotcontents',
  kind: 'VolumeSnapshotContent',
  invalidLabel: 'snapshot.storage.kubernetes.io/invalid-snapshot-content-resource',
  validate: validateContent,
  immutability: CONTENT_IMMUTABILITY,
};

export const SNAPSHOT_RESOURCES: readonly SnapshotResource[] = [SNAPSHOTS, CONTENTS];

export const crdName = ({ resource }: SnapshotResource): string => `${resource}.${SNAPSHOT_GROUP}`;
