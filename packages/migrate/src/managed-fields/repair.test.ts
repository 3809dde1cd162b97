import type { CustomResourceDefinition } from '@instar/crd';
import type { ManagedFieldsEntry } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { repairManagedFields } from './repair.ts';

const crd = {
  metadata: { name: 'crontabs.example.com' },
  spec: { group: 'example.com', versions: [{ name: 'v1', storage: true, served: true }] },
} as unknown as CustomResourceDefinition;

const entry = (manager: string, version: string, fields: object): ManagedFieldsEntry =>
  ({
    manager,
    operation: 'Update',
    apiVersion: `example.com/${version}`,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  }) as ManagedFieldsEntry;

const rules = { sharesFieldNames: true, isDead: (version: string) => version === 'v1beta1' };

describe('managedFields that name a removed version', () => {
  it('are left alone if there are none', () => {
    expect(repairManagedFields(crd, [entry('a', 'v1', {})], rules)).toBeUndefined();
  });

  it('move to the storage version if versions differ in their name only', () => {
    const repaired = repairManagedFields(
      crd,
      [entry('a', 'v1beta1', { 'f:spec': { 'f:x': {} } }), entry('b', 'v1', {})],
      rules,
    );
    expect(repaired?.managedFields).toEqual([
      entry('b', 'v1', {}),
      entry('a', 'v1', { 'f:spec': { 'f:x': {} } }),
    ]);
    expect(repaired).toMatchObject({ moved: ['a (Update, v1beta1)'], dropped: [] });
  });

  it('are merged with what the same manager owns there already', () => {
    const entries = [
      entry('a', 'v1', { 'f:spec': { 'f:x': {} } }),
      entry('a', 'v1beta1', { 'f:spec': { 'f:y': {} }, 'f:status': {} }),
    ];
    expect(repairManagedFields(crd, entries, rules)?.managedFields).toEqual([
      entry('a', 'v1', { 'f:spec': { 'f:x': {}, 'f:y': {} }, 'f:status': {} }),
    ]);
  });

  it('are dropped if field names may differ', () => {
    expect(
      repairManagedFields(crd, [entry('a', 'v1beta1', {})], { ...rules, sharesFieldNames: false }),
    ).toEqual({
      managedFields: [],
      moved: [],
      dropped: ['a (Update, v1beta1)'],
    });
  });

  it('of other groups are ignored', () => {
    const foreign = { ...entry('a', 'v1', {}), apiVersion: 'other.example.com/v1beta1' };
    expect(repairManagedFields(crd, [foreign], rules)).toBeUndefined();
  });
});
