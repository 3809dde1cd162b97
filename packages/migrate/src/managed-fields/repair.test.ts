import type { CustomResourceDefinition } from '@instar/crd';
import type { ManagedFieldsEntry } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { repairManagedFields } from './repair.ts';

const crd = (strategy = 'None', annotations: Record<string, string> = {}): CustomResourceDefinition =>
  ({
    metadata: { name: 'crontabs.example.com', annotations },
    spec: { group: 'example.com', conversion: { strategy }, versions: [{ name: 'v1', storage: true, served: true }] },
  }) as unknown as CustomResourceDefinition;

const entry = (manager: string, version: string, fields: object): ManagedFieldsEntry =>
  ({ manager, operation: 'Update', apiVersion: `example.com/${version}`, fieldsType: 'FieldsV1', fieldsV1: fields }) as ManagedFieldsEntry;

const isDead = (version: string) => version === 'v1beta1';

describe('managedFields that name a dead version', () => {
  it('are left alone if there are none', () => {
    expect(repairManagedFields(crd(), [entry('a', 'v1', {})], isDead)).toBeUndefined();
  });

  it('move to the version of storage where versions differ in nothing but their name', () => {
    const repaired = repairManagedFields(crd(), [entry('a', 'v1beta1', { 'f:spec': { 'f:x': {} } }), entry('b', 'v1', {})], isDead);
    expect(repaired?.managedFields).toEqual([entry('b', 'v1', {}), entry('a', 'v1', { 'f:spec': { 'f:x': {} } })]);
    expect(repaired).toMatchObject({ moved: ['a (Update, v1beta1)'], dropped: [] });
  });

  it('join what the same manager owns there already', () => {
    const entries = [entry('a', 'v1', { 'f:spec': { 'f:x': {} } }), entry('a', 'v1beta1', { 'f:spec': { 'f:y': {} }, 'f:status': {} })];
    expect(repairManagedFields(crd(), entries, isDead)?.managedFields).toEqual([
      entry('a', 'v1', { 'f:spec': { 'f:x': {}, 'f:y': {} }, 'f:status': {} }),
    ]);
  });

  it.each([
    ['a webhook', crd('Webhook')],
    ['a lens', crd('None', { 'conversion.instar.dev/lens': 'x' })],
  ])('are dropped where %s converts: fields may have other names', (_, definition) => {
    expect(repairManagedFields(definition, [entry('a', 'v1beta1', {})], isDead)).toEqual({
      managedFields: [],
      moved: [],
      dropped: ['a (Update, v1beta1)'],
    });
  });

  it('of other groups are none of our business', () => {
    const foreign = { ...entry('a', 'v1', {}), apiVersion: 'other.example.com/v1beta1' };
    expect(repairManagedFields(crd(), [foreign], isDead)).toBeUndefined();
  });
});
