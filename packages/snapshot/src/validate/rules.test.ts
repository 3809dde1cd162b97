import { aggregateMessage, type JsonObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { CONTENT_IMMUTABILITY, validateContent } from './content.ts';
import { SNAPSHOT_IMMUTABILITY, validateSnapshot } from './snapshot.ts';

const saidOf = (errors: readonly Parameters<typeof aggregateMessage>[0][number][]): string =>
  errors.length === 0 ? '' : aggregateMessage(errors);
const snapshot = (spec: unknown): JsonObject => ({ kind: 'VolumeSnapshot', spec: spec as JsonObject });
const ONE =
  'exactly one of spec.source.persistentVolumeClaimName and spec.source.volumeSnapshotContentName must be set';

describe('a VolumeSnapshot', () => {
  it.each([
    [{ source: { persistentVolumeClaimName: 'p' } }, ''],
    [{ source: { volumeSnapshotContentName: 'c' }, volumeSnapshotClassName: 'k' }, ''],
    [{ source: { persistentVolumeClaimName: 'p', volumeSnapshotContentName: null } }, ''],
    [{ source: {} }, `spec.source: Required value: ${ONE}`],
    [
      { source: { persistentVolumeClaimName: 'p', volumeSnapshotContentName: 'c' } },
      `spec.source: Invalid value: {"persistentVolumeClaimName":"p","volumeSnapshotContentName":"c"}: ${ONE}, not both`,
    ],
    [
      { source: { persistentVolumeClaimName: '' } },
      'spec.source.persistentVolumeClaimName: Invalid value: "": must not be the empty string',
    ],
    [
      { source: { persistentVolumeClaimName: 'p' }, volumeSnapshotClassName: '' },
      'spec.volumeSnapshotClassName: Invalid value: "": must not be the empty string',
    ],
    [{}, 'spec.source: Required value'],
    [undefined, 'spec: Required value'],
    ['text', 'spec: Invalid value: "text": must be an object'],
    [
      { source: { persistentVolumeClaimName: 1 } },
      'spec.source.persistentVolumeClaimName: Invalid value: 1: must be a string',
    ],
  ])('with the spec %j', (spec, message) => {
    expect(saidOf(validateSnapshot(snapshot(spec)))).toBe(message);
  });

  it.each([
    [{ persistentVolumeClaimName: 'p' }, { persistentVolumeClaimName: 'p' }, ''],
    [
      { persistentVolumeClaimName: 'p' },
      { persistentVolumeClaimName: 'q' },
      'spec.source.persistentVolumeClaimName: Invalid value: "q": field is immutable; it was "p"',
    ],
    [
      { persistentVolumeClaimName: 'p' },
      { volumeSnapshotContentName: 'c' },
      '[spec.source.persistentVolumeClaimName: Invalid value: null: field is immutable; it was "p", spec.source.volumeSnapshotContentName: Invalid value: "c": field is immutable; it was not set]',
    ],
    [
      {},
      { persistentVolumeClaimName: 'p' },
      'spec.source.persistentVolumeClaimName: Invalid value: "p": field is immutable; it was not set',
    ],
  ])('whose source changes from %j to %j', (before, after, message) => {
    const moved = SNAPSHOT_IMMUTABILITY.flatMap((rule) =>
      rule(snapshot({ source: before }), snapshot({ source: after })),
    );
    expect(saidOf(moved)).toBe(message);
  });
});

const BOTH = 'both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set';
const content = (source: unknown, ref: unknown): JsonObject => ({
  kind: 'VolumeSnapshotContent',
  spec: { driver: 'd', deletionPolicy: 'Delete', source, volumeSnapshotRef: ref } as JsonObject,
});
const REF = { name: 'n', namespace: 'ns' };

describe('a VolumeSnapshotContent', () => {
  it.each([
    [{ volumeHandle: 'v' }, REF, ''],
    [{ snapshotHandle: 's' }, { ...REF, uid: 'u' }, ''],
    [
      {},
      REF,
      'spec.source: Required value: exactly one of spec.source.volumeHandle and spec.source.snapshotHandle must be set',
    ],
    [
      { volumeHandle: 'v', snapshotHandle: 's' },
      REF,
      'spec.source: Invalid value: {"snapshotHandle":"s","volumeHandle":"v"}: exactly one of spec.source.volumeHandle and spec.source.snapshotHandle must be set, not both',
    ],
    [{ volumeHandle: 'v' }, { name: 'n' }, `spec.volumeSnapshotRef.namespace: Required value: ${BOTH}`],
    [{ volumeHandle: 'v' }, { namespace: 'ns' }, `spec.volumeSnapshotRef.name: Required value: ${BOTH}`],
    [
      { volumeHandle: 'v' },
      { ...REF, name: '' },
      'spec.volumeSnapshotRef.name: Invalid value: "": must not be the empty string',
    ],
    [{ volumeHandle: 'v' }, undefined, 'spec.volumeSnapshotRef: Required value'],
    [{ volumeHandle: 'v' }, [], 'spec.volumeSnapshotRef: Invalid value: []: must be an object'],
  ])('with the source %j and the reference %j', (source, ref, message) => {
    expect(saidOf(validateContent(content(source, ref)))).toBe(message);
  });

  it.each([
    [{ name: 'n' }, { name: 'm', namespace: 'ns' }, ''],
    [REF, { ...REF, uid: 'u' }, ''],
    [{ ...REF, uid: '' }, { ...REF, uid: 'u' }, ''],
    [
      { ...REF, uid: 'u' },
      { ...REF, uid: 'w' },
      'spec.volumeSnapshotRef: Invalid value: {"name":"n","namespace":"ns","uid":"w"}: field is immutable; it was {"name":"n","namespace":"ns","uid":"u"}',
    ],
    [
      { ...REF, uid: 'u' },
      undefined,
      'spec.volumeSnapshotRef: Invalid value: null: field is immutable; it was {"name":"n","namespace":"ns","uid":"u"}',
    ],
  ])('whose reference changes from %j to %j', (before, after, message) => {
    const moved = CONTENT_IMMUTABILITY.flatMap((rule) => rule(content({}, before), content({}, after)));
    expect(saidOf(moved)).toBe(message);
  });
});
