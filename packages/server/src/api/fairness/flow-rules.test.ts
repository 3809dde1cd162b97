import { expect, it } from 'vitest';
import type { FlowRule, FlowSubject } from '../../kinds/validate/flow-schema.ts';
import { parseRequestInfo } from '../../wire/parse-request-info.ts';
import { requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { authenticatedUser } from '../auth/users.ts';
import { compileRule, matcherFor, matches } from './flow-rules.ts';

const EVERYBODY: FlowSubject = { kind: 'Group', group: { name: '*' } };
const PODS = {
  verbs: ['get', 'list'],
  apiGroups: [''],
  resources: ['pods', 'pods/status'],
  namespaces: ['a'],
};

function matchesRule(rule: FlowRule, url: string, user = 'jane', groups: string[] = []): boolean {
  const request = requestWithoutSocket('GET', url);
  request.info = parseRequestInfo(request.method, request.path, () => request.query);
  const matcher = matcherFor(authenticatedUser(user, '', groups), [compileRule(rule)]);
  return matcher !== undefined && matches(matcher, request);
}

it.each([
  ['/api/v1/namespaces/a/pods', true],
  ['/api/v1/namespaces/a/pods/p/status', true],
  ['/api/v1/namespaces/a/pods/p/log', false],
  ['/api/v1/namespaces/b/pods', false],
  ['/api/v1/pods', false],
  ['/api/v1/namespaces/a/pods?watch=1', false],
  ['/apis/apps/v1/namespaces/a/pods', false],
])('resource rules name verb, group, resource and namespace: %s %s', (url, expected) => {
  expect(matchesRule({ subjects: [EVERYBODY], resourceRules: [PODS] }, url)).toBe(expected);
});

it('requests without a namespace need clusterScope', () => {
  const rule = { ...PODS, namespaces: ['*'], clusterScope: true };
  expect(matchesRule({ subjects: [EVERYBODY], resourceRules: [rule] }, '/api/v1/pods')).toBe(true);
  expect(matchesRule({ subjects: [EVERYBODY], resourceRules: [rule] }, '/api/v1/namespaces/z/pods')).toBe(
    true,
  );
});

it.each([
  ['/healthz', true],
  ['/healthz/etcd', true],
  ['/healthzz', false],
  ['/logs/a/b', true],
  ['/version', false],
])('paths stand for themselves and for what is below: %s %s', (url, expected) => {
  const rule = { verbs: ['get'], nonResourceURLs: ['/healthz', '/logs/*'] };
  expect(matchesRule({ subjects: [EVERYBODY], nonResourceRules: [rule] }, url)).toBe(expected);
});

it.each<[FlowSubject, string, string[], boolean]>([
  [{ kind: 'User', user: { name: 'jane' } }, 'jane', [], true],
  [{ kind: 'User', user: { name: '*' } }, 'bob', [], true],
  [{ kind: 'User', user: { name: 'jane' } }, 'bob', [], false],
  [{ kind: 'Group', group: { name: 'dev' } }, 'bob', ['dev'], true],
  [{ kind: 'Group', group: { name: 'dev' } }, 'dev', [], false],
  [
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 's' } },
    'system:serviceaccount:a:s',
    [],
    true,
  ],
  [
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 's' } },
    'system:serviceaccount:a:t',
    [],
    false,
  ],
  [
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
    'system:serviceaccount:a:t',
    [],
    true,
  ],
  [
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } },
    'system:serviceaccount:ab:t',
    [],
    false,
  ],
])('subjects are users, groups and service accounts: %j %s %j %s', (subject, user, groups, expected) => {
  const rule = { subjects: [subject], resourceRules: [PODS] };
  expect(matchesRule(rule, '/api/v1/namespaces/a/pods', user, groups)).toBe(expected);
});
