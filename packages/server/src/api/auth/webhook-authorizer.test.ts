import { expect, it } from 'vitest';
import type { Attributes } from './authorizer.ts';
import { type WebhookAuthorization, WebhookAuthorizer } from './webhook-authorizer.ts';

const attributes: Attributes = {
  user: { name: 'jane', uid: 'u', groups: ['g'], extra: { k: ['v'] } },
  verb: 'list',
  isResourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: '',
  path: '',
  selectors: () => ({ field: [], label: [{ key: 'a', operator: 'In', values: ['b'] }] }),
};

function webhook(answer: unknown, more: Partial<WebhookAuthorization> = {}) {
  const sent: object[] = [];
  let now = 0;
  const authorizer = new WebhookAuthorizer(
    {
      version: 'v1',
      authorizedTtlMs: 100,
      unauthorizedTtlMs: 10,
      failurePolicy: 'NoOpinion',
      send: async (review) => {
        sent.push(review);
        if (answer instanceof Error) throw answer;
        return answer;
      },
      ...more,
    },
    () => now,
  );
  return { authorizer, sent, wait: (milliseconds: number) => (now += milliseconds) };
}

it('sends what the request asks for', async () => {
  const { authorizer, sent } = webhook({ status: { allowed: true, reason: 'why' } });
  expect(await authorizer.authorize(attributes)).toEqual({ decision: 'allow', reason: 'why' });
  expect(sent).toEqual([
    {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {
        resourceAttributes: {
          namespace: 'a',
          verb: 'list',
          version: 'v1',
          resource: 'pods',
          labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
        },
        user: 'jane',
        groups: ['g'],
        extra: { k: ['v'] },
        uid: 'u',
      },
    },
  ]);
});

it('names groups as the older version does', async () => {
  const { authorizer, sent } = webhook({ status: {} }, { version: 'v1beta1' });
  await authorizer.authorize({ ...attributes, isResourceRequest: false, path: '/x' });
  expect(sent).toMatchObject([
    { spec: { group: ['g'], nonResourceAttributes: { path: '/x', verb: 'list' } } },
  ]);
});

it.each([
  [{ allowed: true }, 'allow'],
  [{ allowed: false }, 'no-opinion'],
  [{ allowed: false, denied: true }, 'deny'],
  [{ allowed: true, denied: true }, 'deny'],
])('takes the status %j as %s', async (status, decision) => {
  expect(await webhook({ status }).authorizer.authorize(attributes)).toMatchObject({ decision });
});

it.each([
  [true, 100],
  [false, 10],
])('does not ask again while an answer is valid (allowed: %s)', async (allowed, ttl) => {
  const { authorizer, sent, wait } = webhook({ status: { allowed } });
  await authorizer.authorize(attributes);
  wait(ttl - 1);
  await authorizer.authorize(attributes);
  expect(sent).toHaveLength(1);
  wait(1);
  await authorizer.authorize(attributes);
  expect(sent).toHaveLength(2);
});

it('does not cache attributes that are too long', async () => {
  const { authorizer, sent } = webhook({ status: { allowed: true } });
  const long = { ...attributes, name: 'x'.repeat(10_000) };
  await authorizer.authorize(long);
  await authorizer.authorize(long);
  expect(sent).toHaveLength(2);
});

it.each([
  ['NoOpinion', 'no-opinion'],
  ['Deny', 'deny'],
] as const)('decides by the failure policy %s if there is no answer', async (failurePolicy, decision) => {
  const { authorizer } = webhook(new Error('unreachable'), { failurePolicy });
  expect(await authorizer.authorize(attributes)).toEqual({ decision, reason: '', error: 'unreachable' });
});

it('reports an answer that is not a review', async () => {
  expect(await webhook({}).authorizer.authorize(attributes)).toMatchObject({
    error: 'the authorization webhook did not answer with a SubjectAccessReview',
  });
});
