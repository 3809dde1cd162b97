import { encodeUtf8 } from '@instar/go';
import { describe, expect, it } from 'vitest';
import { isKnownJson } from '../json/skim.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import { readableMetadata, repairStoredMetadata, STORED_METADATA } from './stored-metadata.ts';

const VALID = {
  resourceVersion: '7',
  name: 'a',
  generation: 3,
  labels: { a: 'b' },
  finalizers: ['x'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'o', uid: 'u', controller: true }],
  managedFields: [{ manager: 'm', operation: 'Update', fieldsV1: { 'f:spec': {} } }],
  deletionGracePeriodSeconds: 0,
};
const hasStoredShape = (metadata: object) =>
  isKnownJson(encodeUtf8(JSON.stringify(metadata)), STORED_METADATA);
const repaired = (metadata: object) => {
  const object = { apiVersion: 'g/v1', kind: 'K', metadata } as KubeObject;
  const isChanged = repairStoredMetadata(object);
  return { isChanged, metadata: object.metadata };
};

describe('stored metadata', () => {
  it('that is valid stays unchanged', () => {
    expect(hasStoredShape(VALID)).toBe(true);
    expect(repaired(VALID)).toEqual({ isChanged: false, metadata: VALID });
  });

  it.each([
    [{ unknown: 42 }, {}],
    [{ clusterName: 'c' }, {}],
    [{ annotations: { foo: 42, bar: 'abc' } }, {}],
    [{ annotations: { foo: null } }, { annotations: { foo: '' } }],
    [{ labels: 'x' }, { labels: undefined }],
    [{ finalizers: [1] }, { finalizers: undefined }],
    [{ ownerReferences: ['x'] }, { ownerReferences: undefined }],
    [{ generation: null }, { generation: 1 }],
    [{ generation: '2' }, { generation: 1 }],
    [{ generation: undefined }, { generation: 1 }],
    [{ name: 'a', creationTimestamp: null }, {}],
  ])('with %j is repaired', (broken, expected) => {
    expect(hasStoredShape({ ...VALID, ...broken })).toBe(false);
    expect(repaired({ ...VALID, ...broken })).toEqual({
      isChanged: true,
      metadata: JSON.parse(JSON.stringify({ ...VALID, ...expected })),
    });
  });

  it('keeps the resourceVersion first', () => {
    expect(Object.keys(repaired({ ...VALID, unknown: 1 }).metadata)[0]).toBe('resourceVersion');
  });

  it('is readable without the fields of another type', () => {
    expect(readableMetadata(VALID as ObjectMeta)).toBe(VALID);
    const broken = { ...VALID, labels: { a: 1 }, ownerReferences: 5, finalizers: 'x' };
    const { labels: _, ownerReferences: __, finalizers: ___, ...rest } = VALID;
    expect(readableMetadata(broken as unknown as ObjectMeta)).toEqual(rest);
  });
});
