import type { KubeObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { make, ownersOf, V1, V2 } from '../testing/widget.ts';
import { applyManaged } from './apply.ts';
import { conflictError } from './conflict.ts';
import { managedFieldsAfterScale, managedFieldsOfScale, SCALE_API_VERSION, SCALE_TYPE } from './scale.ts';
import { updateManagedFields } from './update.ts';

const paths = new Map<string, readonly string[] | null>([
  [V1, ['spec', 'replicas']],
  [V2, null],
]);
const owner = (manager: string, operation: 'Apply' | 'Update', fieldsV1: object, rest = {}) =>
  ({
    manager,
    operation,
    apiVersion: V1,
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...rest,
  }) as never;
const replicas = { 'f:spec': { 'f:replicas': {} } };
const context = {
  apiVersion: SCALE_API_VERSION,
  subresource: 'scale',
  now: '2026-01-02T00:00:00Z',
  versions: { typeOf: (v: string) => (v === SCALE_API_VERSION ? SCALE_TYPE : undefined) },
};
const scaleOf = (object: KubeObject, number: number): KubeObject => {
  const managedFields = managedFieldsOfScale(object.metadata.managedFields, paths);
  return {
    apiVersion: SCALE_API_VERSION,
    kind: 'Scale',
    metadata: { name: 'a', uid: 'u', ...(managedFields && { managedFields }) },
    spec: { replicas: number },
  };
};
const after = (object: KubeObject, scale: KubeObject): KubeObject =>
  make(undefined, {
    managedFields: managedFieldsAfterScale(
      object.metadata.managedFields,
      scale.metadata.managedFields,
      V1,
      paths,
    )!,
  });

describe('the scale of an object', () => {
  const live = make(
    { replicas: 1 },
    {
      managedFields: [
        owner('alpha', 'Apply', { 'f:spec': { 'f:image': {}, 'f:replicas': {} } }),
        owner('other', 'Update', { 'f:spec': { 'f:note': {} } }),
      ],
    },
  );

  it('is owned by those who own the number', () => {
    expect(ownersOf(scaleOf(live, 1))).toEqual({ 'alpha Apply v1': replicas });
  });

  it('updated takes the number from them', () => {
    const old = scaleOf(live, 1);
    const next = updateManagedFields({
      ...context,
      live: old,
      next: { ...old, spec: { replicas: 4 } },
      manager: 'putter',
    });
    expect(ownersOf(after(live, next))).toEqual({
      'alpha Apply v1': { 'f:spec': { 'f:image': {} } },
      'other Update v1': { 'f:spec': { 'f:note': {} } },
      'putter Update v1 scale': replicas,
    });
  });

  it('applied with the same number shares it, with another conflicts', () => {
    const old = scaleOf(live, 1);
    const applied = (number: number): KubeObject => ({
      apiVersion: SCALE_API_VERSION,
      kind: 'Scale',
      metadata: { name: 'a' },
      spec: { replicas: number },
    });
    const run = (number: number) =>
      applyManaged({
        ...context,
        kind: 'Scale',
        live: old,
        applied: applied(number),
        manager: 'scaler',
        force: false,
      });
    expect(ownersOf(after(live, (run(1) as { object: KubeObject }).object))).toEqual({
      'alpha Apply v1': { 'f:spec': { 'f:image': {}, 'f:replicas': {} } },
      'other Update v1': { 'f:spec': { 'f:note': {} } },
      'scaler Apply v1 scale': replicas,
    });
    expect(conflictError((run(2) as { conflicts: [] }).conflicts).message).toBe(
      'Apply failed with 1 conflict: conflict with "alpha": .spec.replicas',
    );
  });

  it('leaves an updater that still owns the number in its one entry', () => {
    const object = make(
      { replicas: 1 },
      { managedFields: [owner('merger', 'Update', { 'f:spec': { 'f:image': {}, 'f:replicas': {} } })] },
    );
    expect(
      managedFieldsAfterScale(
        object.metadata.managedFields,
        scaleOf(object, 1).metadata.managedFields,
        V1,
        paths,
      ),
    ).toEqual(object.metadata.managedFields);
  });
});
