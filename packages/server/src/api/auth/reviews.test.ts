import { ApiError, type KubeObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../../wire/parse-request-info.ts';
import { requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { createAuthenticator } from './authenticator.ts';
import { ALWAYS_ALLOW, type Attributes, type Authorizer, type Decision } from './authorizer.ts';
import { reviewResources } from './reviews.ts';
import { authenticatedUser } from './users.ts';

const jane = authenticatedUser('jane', 'u1', ['dev']);
const authenticator = createAuthenticator({ tokenUsers: [{ token: 'good', user: jane }] });

async function create(
  kind: string,
  spec: unknown,
  authorizer: Authorizer = ALWAYS_ALLOW,
  metadata: object = {},
  namespace = '',
): Promise<KubeObject> {
  const resource = reviewResources(authenticator, authorizer).find((candidate) => candidate.kind === kind)!;
  const path = `/apis/${resource.group}/v1/${namespace === '' ? '' : `namespaces/${namespace}/`}${resource.resource}`;
  const request = requestWithoutSocket('POST', path);
  request.info = parseRequestInfo('POST', path, () => request.query);
  request.user = jane;
  return resource.create(request, { apiVersion: `${resource.group}/v1`, kind, metadata, spec } as KubeObject);
}

async function refusal(...args: Parameters<typeof create>): Promise<ApiError> {
  const error = await create(...args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApiError) return error;
  throw new Error('it was not refused');
}

function recording(decision: Decision): { asked: Attributes[]; authorizer: Authorizer } {
  const asked: Attributes[] = [];
  const authorize = (wish: Attributes): Decision => {
    asked.push(wish);
    return decision;
  };
  return { asked, authorizer: { ...ALWAYS_ALLOW, authorize } };
}

const pods = { verb: 'get', resource: 'pods' };

describe('access reviews', () => {
  it('ask the authorizer and repeat the spec', async () => {
    const { asked, authorizer } = recording({ decision: 'deny', reason: 'no' });
    const spec = { resourceAttributes: { ...pods, namespace: 'a', version: '', unknown: 1 } };
    expect(await create('SelfSubjectAccessReview', spec, authorizer)).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes: { namespace: 'a', verb: 'get', resource: 'pods' } },
      status: { allowed: false, denied: true, reason: 'no' },
    });
    expect(asked).toMatchObject([
      {
        user: jane,
        verb: 'get',
        isResourceRequest: true,
        group: '',
        version: '*',
        resource: 'pods',
        namespace: 'a',
      },
    ]);
  });

  it('are answered for another user', async () => {
    const { asked, authorizer } = recording({ decision: 'allow', reason: '' });
    const answer = await create(
      'SubjectAccessReview',
      { nonResourceAttributes: { path: '/x', verb: 'get' }, user: 'bob', groups: ['g'] },
      authorizer,
    );
    expect(answer['status']).toEqual({ allowed: true });
    expect(asked).toMatchObject([
      { user: { name: 'bob', groups: ['g'] }, path: '/x', isResourceRequest: false },
    ]);
  });

  it('are refused with neither or both types of attributes', async () => {
    const neither = await refusal('SelfSubjectAccessReview', {});
    expect(neither.status).toMatchObject({
      code: 422,
      details: { group: 'authorization.k8s.io' },
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    });
    const both = await refusal('SelfSubjectAccessReview', {
      resourceAttributes: pods,
      nonResourceAttributes: { verb: 'get', path: '/' },
    });
    expect(both.status.details?.causes?.[0]).toEqual({
      field: 'spec.nonResourceAttributes',
      message:
        'Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes',
      reason: 'FieldValueInvalid',
    });
  });

  it('are refused without a subject, with metadata, or for another namespace', async () => {
    const about = { resourceAttributes: pods };
    expect((await refusal('SubjectAccessReview', about)).message).toContain(
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    );
    expect((await refusal('SelfSubjectAccessReview', about, ALWAYS_ALLOW, { name: 'x' })).message).toContain(
      'must be empty',
    );
    const local = await refusal('LocalSubjectAccessReview', { ...about, user: 'bob' }, ALWAYS_ALLOW, {}, 'a');
    expect(local.message).toContain(
      'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    );
    const fine = { resourceAttributes: { ...pods, namespace: 'a' }, user: 'bob' };
    expect((await create('LocalSubjectAccessReview', fine, ALWAYS_ALLOW, {}, 'a')).metadata).toEqual({
      namespace: 'a',
    });
  });

  it('are refused with values of the wrong type', async () => {
    expect((await refusal('SelfSubjectAccessReview', { resourceAttributes: { verb: 1 } })).code).toBe(400);
    expect((await refusal('SelfSubjectAccessReview', { resourceAttributes: 'x' })).code).toBe(400);
  });

  it('list the rules of the user itself', async () => {
    expect(await create('SelfSubjectRulesReview', { namespace: 'a' })).toMatchObject({
      spec: {},
      status: { resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], incomplete: false },
    });
    expect((await refusal('SelfSubjectRulesReview', {})).message).toBe('no namespace on request');
  });
});

describe('authentication reviews', () => {
  it('return the user of the request', async () => {
    expect(await create('SelfSubjectReview', undefined)).toMatchObject({
      metadata: { creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
      status: { userInfo: { username: 'jane', uid: 'u1', groups: ['dev', 'system:authenticated'] } },
    });
  });

  it('return the user of a token', async () => {
    expect((await create('TokenReview', { token: 'good' }))['status']).toEqual({
      authenticated: true,
      user: { username: 'jane', uid: 'u1', groups: ['dev', 'system:authenticated'] },
    });
    expect((await create('TokenReview', { token: 'bad' }))['status']).toEqual({
      user: {},
      error: 'invalid bearer token',
    });
    expect((await refusal('TokenReview', {})).message).toBe(
      'token is required for TokenReview in authentication',
    );
  });
});
