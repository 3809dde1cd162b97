import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json-value.ts';
import { decodeObjectMeta } from './decode-object-meta.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
const faultOf = (value: JsonValue, options = {}) => {
  const decoded = decodeObjectMeta(value, options);
  return 'fault' in decoded ? decoded.fault : undefined;
};

describe('decodeObjectMeta', () => {
  it.each<[JsonValue, string]>([
    [
      { labels: ['a'] },
      'json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string',
    ],
    [
      { labels: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
    [
      { annotations: { a: true } },
      'json: cannot unmarshal bool into Go struct field ObjectMeta.annotations of type string',
    ],
    [{ name: 5 }, 'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string'],
    [{ uid: 5 }, 'json: cannot unmarshal number into Go struct field ObjectMeta.uid of type types.UID'],
    [
      { finalizers: 'x' },
      'json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string',
    ],
    [
      { finalizers: [1] },
      'json: cannot unmarshal number into Go struct field ObjectMeta.finalizers of type string',
    ],
    [
      { ownerReferences: {} },
      'json: cannot unmarshal object into Go struct field ObjectMeta.ownerReferences of type []v1.OwnerReference',
    ],
    [
      { ownerReferences: ['x'] },
      'json: cannot unmarshal string into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference',
    ],
    [
      { ownerReferences: [{ ...owner, controller: 'true' }] },
      'json: cannot unmarshal string into Go struct field OwnerReference.ownerReferences.controller of type bool',
    ],
    [
      { creationTimestamp: 'yesterday' },
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    [
      { generation: '1' },
      'json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64',
    ],
    [
      { generation: 1.5 },
      'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64',
    ],
    [
      { managedFields: {} },
      'json: cannot unmarshal object into Go struct field ObjectMeta.managedFields of type []v1.ManagedFieldsEntry',
    ],
    ['x', 'json: cannot unmarshal string into Go value of type v1.ObjectMeta'],
    [[], 'json: cannot unmarshal array into Go value of type v1.ObjectMeta'],
  ])('says of %j what Go says', (value, fault) => {
    expect(faultOf(value)).toBe(fault);
  });

  it('reports the first fault by name, unless a bad time ends decoding', () => {
    expect(faultOf({ name: 1, labels: 'x' })).toContain('ObjectMeta.labels');
    expect(faultOf({ annotations: 1, creationTimestamp: '' })).toContain('parsing time ""');
  });

  it('names the path to metadata inside a typed kind', () => {
    expect(faultOf({ labels: { a: 1 } }, { within: 'ConfigMap' })).toBe(
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    );
    expect(faultOf('x', { within: 'ConfigMap' })).toBe(
      'json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    );
  });

  it('normalizes times', () => {
    expect(decodeObjectMeta({ creationTimestamp: '2024-02-29T01:00:00.9+02:00' })).toEqual({
      meta: { creationTimestamp: '2024-02-28T23:00:00Z' },
      unknownFields: [],
    });
  });

  it('drops fields that are null, empty or unknown', () => {
    const value = {
      name: 'a',
      namespace: null,
      generateName: '',
      labels: { a: null, b: 'c' },
      annotations: {},
      finalizers: [],
      deletionTimestamp: null,
      generation: 0,
      extra: 1,
      ownerReferences: [{ ...owner, more: 1 }],
    };
    expect(decodeObjectMeta(value)).toEqual({
      meta: {
        name: 'a',
        labels: { a: '', b: 'c' },
        ownerReferences: [owner],
      },
      unknownFields: ['extra', 'ownerReferences[0].more'],
    });
    expect(decodeObjectMeta(null)).toEqual({ meta: {}, unknownFields: [] });
  });

  it('can drop fields that do not decode', () => {
    const value = { name: 'a', labels: 'x', creationTimestamp: 'x', x: 1 };
    expect(decodeObjectMeta(value, { dropMalformed: true })).toEqual({
      meta: { name: 'a' },
      unknownFields: ['x'],
    });
  });

  it('treats __proto__ as a label like any other', () => {
    const decoded = decodeObjectMeta(JSON.parse('{"labels":{"__proto__":"x"},"__proto__":1}'));
    expect('meta' in decoded && Object.keys(decoded.meta.labels!)).toEqual(['__proto__']);
  });
});
