import { nameIsDnsSubdomain } from '@instar/go';
import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../field/error.ts';
import { FieldPath } from '../field/path.ts';
import type { ObjectMeta } from '../object.ts';
import { finalizerWarnings, validateFieldManager } from './validate-metadata.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from './validate-object-meta.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
const created = (meta: ObjectMeta, namespaced = true) =>
  validateObjectMeta(
    { name: 'a', ...(namespaced && { namespace: 'n' }), ...meta },
    namespaced,
    nameIsDnsSubdomain,
  ).map(fieldErrorMessage);
const updated = (meta: ObjectMeta, old: ObjectMeta = {}) => {
  const common = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' };
  return validateObjectMetaUpdate({ ...common, ...meta }, { ...common, ...old }).map(fieldErrorMessage);
};

describe('validateObjectMeta', () => {
  it('accepts valid metadata', () => {
    expect(
      created({
        labels: { 'a.b/C': '', x: 'y' },
        annotations: { 'Example.com/K': 'x y' },
        finalizers: ['a/b'],
        ownerReferences: [owner],
      }),
    ).toEqual([]);
  });

  it.each<[ObjectMeta, string]>([
    [{ name: '' }, 'metadata.name: Required value: name or generateName is required'],
    [{ namespace: '' }, 'metadata.namespace: Required value'],
    [{ generation: -1 }, 'metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    [
      { annotations: { a: 'x'.repeat(256 * 1024) } },
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    [
      { finalizers: ['orphan', 'foregroundDeletion'] },
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [
      { ownerReferences: [{ ...owner, uid: '' }] },
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ],
    [
      { ownerReferences: [{ ...owner, apiVersion: 'apps/' }] },
      'metadata.ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty',
    ],
    [
      { ownerReferences: [{ uid: 'u', name: 'o', kind: 'Event', apiVersion: 'v1' }] },
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
    [
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: 'p', controller: true },
        ],
      },
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"u","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"p","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ConfigMap/o and ConfigMap/p',
    ],
    [
      { managedFields: [{ manager: 'a' }] },
      'metadata.managedFields[0].operation: Invalid value: "": must be `Apply` or `Update`',
    ],
  ])('refuses %j', (meta, message) => {
    expect(created(meta)).toEqual([message]);
  });

  it('forbids a namespace for cluster-scoped objects', () => {
    expect(created({ namespace: 'x' }, false)).toEqual([
      'metadata.namespace: Forbidden: not allowed on this type',
    ]);
  });
});

describe('validateObjectMetaUpdate', () => {
  it.each<[ObjectMeta, ObjectMeta, string]>([
    [
      { resourceVersion: '' },
      {},
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    ],
    [{ uid: 'other' }, {}, 'metadata.uid: Invalid value: "other": field is immutable'],
    [
      { deletionTimestamp: '2001-01-01T00:00:00Z' },
      {},
      'metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
    ],
    [{ generation: 1 }, { generation: 2 }, 'metadata.generation: Invalid value: 1: must not be decremented'],
    [
      { finalizers: ['b/c', 'a/b'], deletionTimestamp: 'now' },
      { finalizers: ['x/y'], deletionTimestamp: 'now' },
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/b", "b/c"}',
    ],
  ])('refuses %j after %j', (meta, old, message) => {
    expect(updated(meta, old)).toEqual([message]);
  });

  it('treats an absent timestamp like null', () => {
    expect(updated({ deletionTimestamp: null }, {})).toEqual([]);
  });
});

describe('parts of metadata', () => {
  const path = FieldPath.of('metadata', 'finalizers');

  it('warns about finalizers without a domain or a path', () => {
    expect(finalizerWarnings(['hold', 'hold.example.com', 'example.com/hold', 'orphan'], path)).toEqual([
      'metadata.finalizers: "hold": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "hold.example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
    ]);
  });

  it('requires managers to be short and printable', () => {
    expect(validateFieldManager('é\u0007', path).map(fieldErrorMessage)).toEqual([
      'metadata.finalizers: Invalid value: "é\\a": invalid character U+0007 (at position 2)',
    ]);
    expect(validateFieldManager('m'.repeat(129), path).map(fieldErrorMessage)).toEqual([
      'metadata.finalizers: Too long: may not be more than 128 bytes',
    ]);
  });
});
