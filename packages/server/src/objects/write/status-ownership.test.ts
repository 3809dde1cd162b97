// What a status write owns of metadata: kinds differ in it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const SPACE = '/api/v1/namespaces/x';

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.start();
  await api.ok('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
});
afterEach(() => api.close());

const space = (labels: object) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x', labels } });
const applyStatus = (labels: object, manager = 'st') =>
  api.call('PATCH', `${SPACE}/status?fieldManager=${manager}`, space(labels), APPLY);

describe('a status write of a namespace', () => {
  it('owns the labels that it sets', async () => {
    expect((await applyStatus({ v: '1' })).body.metadata.managedFields).toContainEqual(
      expect.objectContaining({
        manager: 'st',
        subresource: 'status',
        fieldsV1: { 'f:metadata': { 'f:labels': { 'f:v': {} } } },
      }),
    );
  });

  it('removes the labels that its manager no longer applies', async () => {
    await applyStatus({ v: '1' });
    expect((await applyStatus({})).body.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': 'x' });
  });

  it('conflicts with another manager of the same label', async () => {
    await applyStatus({ v: '1' });
    const { status, body } = await applyStatus({ v: '2' }, 'other');
    expect([status, body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "st" with subresource "status": .metadata.labels.v',
    ]);
  });
});

it('a status write of a policy owns nothing of metadata', async () => {
  const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const matchConstraints = {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ],
  };
  await api.ok('POST', POLICIES, {
    metadata: { name: 'p' },
    spec: { matchConstraints, validations: [{ expression: 'true' }] },
  });
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p', labels: { v: '1' } },
    status: { observedGeneration: 1 },
  };
  const { metadata } = await api.ok('PATCH', `${POLICIES}/p/status?fieldManager=st`, policy, APPLY);
  expect(metadata.labels).toBeUndefined();
  expect(metadata.managedFields).toContainEqual(
    expect.objectContaining({ manager: 'st', fieldsV1: { 'f:status': { 'f:observedGeneration': {} } } }),
  );
});
