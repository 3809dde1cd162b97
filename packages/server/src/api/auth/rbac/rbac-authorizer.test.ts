import { beforeEach, describe, expect, it } from 'vitest';
import type { PolicyRule, Subject } from '../../../kinds/validate/rbac.ts';
import type { Attributes } from '../authorizer.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { RoleIndex } from './role-index.ts';

let index: RoleIndex;
let authorizer: RbacAuthorizer;

beforeEach(() => {
  index = new RoleIndex();
  authorizer = new RbacAuthorizer(index);
});

const JANE: Subject = { kind: 'User', name: 'jane' };
const pods: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };

function bind(
  subject: Subject,
  role: string,
  { namespace = '', kind = 'ClusterRole', name = `bind-${role}` } = {},
) {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name: role };
  index.setBinding({ metadata: { name, namespace }, subjects: [subject], roleRef });
}

const asked = (more: Partial<Attributes> = {}): Attributes => ({
  user: { name: 'jane', uid: '', groups: ['devs'], extra: {} },
  verb: 'get',
  isResourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'a',
  name: '',
  path: '',
  ...more,
});
const path = (text: string, verb = 'get') =>
  asked({ isResourceRequest: false, namespace: '', path: text, verb });
const isAllowed = (more?: Partial<Attributes>) => authorizer.authorize(asked(more)).decision === 'allow';

describe('a rule', () => {
  const allows = (rule: PolicyRule, more: Partial<Attributes> = {}) => {
    index.setRole('', 'r', [rule]);
    bind(JANE, 'r');
    return isAllowed(more);
  };

  it.each<[string, Partial<PolicyRule>, Partial<Attributes>, boolean]>([
    ['its verbs', {}, { verb: 'list' }, true],
    ['no other verb', {}, { verb: 'delete' }, false],
    ['every verb with *', { verbs: ['*'] }, { verb: 'fly' }, true],
    ['no other group', {}, { group: 'apps' }, false],
    ['every group with *', { apiGroups: ['*'] }, { group: 'apps' }, true],
    ['no subresource of its resource', {}, { subresource: 'log' }, false],
    ['the subresource it names', { resources: ['pods/log'] }, { subresource: 'log' }, true],
    ['not the resource of a subresource', { resources: ['pods/log'] }, {}, false],
    ['every resource and subresource with *', { resources: ['*'] }, { subresource: 'log' }, true],
    [
      'a subresource of all with */',
      { resources: ['*/scale'] },
      { resource: 'x', subresource: 'scale' },
      true,
    ],
    ['no other subresource with */', { resources: ['*/scale'] }, { subresource: 'status' }, false],
    ['the name it has', { resourceNames: ['x'] }, { name: 'x' }, true],
    ['no other name', { resourceNames: ['x'] }, { name: 'y' }, false],
    ['no request without a name if it has one', { resourceNames: ['x'] }, {}, false],
  ])('allows %s', (_, rule, more, expected) => {
    expect(allows({ ...pods, ...rule }, more)).toBe(expected);
  });

  it.each([
    ['/metrics', '/metrics', true],
    ['/metrics', '/metrics/x', false],
    ['/logs/*', '/logs/a/b', true],
    ['/logs/*', '/logs', false],
    ['*', '/anything', true],
  ])('about the path %s treats %s as expected', (url, asks, expected) => {
    index.setRole('', 'r', [{ verbs: ['get'], nonResourceURLs: [url] }]);
    bind(JANE, 'r');
    expect(authorizer.authorize(path(asks)).decision === 'allow').toBe(expected);
  });

  it('about paths says nothing about resources', () => {
    expect(allows({ verbs: ['*'], nonResourceURLs: ['*'] })).toBe(false);
  });

  it('about resources says nothing about paths', () => {
    index.setRole('', 'r', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
    bind(JANE, 'r');
    expect(authorizer.authorize(path('/metrics')).decision).toBe('no-opinion');
  });
});

describe('a binding', () => {
  beforeEach(() => index.setRole('', 'reader', [pods]));

  it('names itself in the reason', () => {
    bind(JANE, 'reader', { namespace: 'a', name: 'b' });
    expect(authorizer.authorize(asked())).toEqual({
      decision: 'allow',
      reason: 'RBAC: allowed by RoleBinding "b/a" of ClusterRole "reader" to User "jane"',
    });
  });

  it('in a namespace grants nothing elsewhere', () => {
    bind(JANE, 'reader', { namespace: 'a' });
    expect([isAllowed(), isAllowed({ namespace: 'b' }), isAllowed({ namespace: '' })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('of the cluster grants everywhere', () => {
    bind(JANE, 'reader');
    expect([isAllowed(), isAllowed({ namespace: '' })]).toEqual([true, true]);
  });

  it('reaches the members of a group', () => {
    bind({ kind: 'Group', name: 'devs' }, 'reader');
    expect(isAllowed()).toBe(true);
  });

  it('treats users and groups of one name as different', () => {
    bind({ kind: 'Group', name: 'jane' }, 'reader');
    bind({ kind: 'User', name: 'devs' }, 'reader');
    expect(isAllowed()).toBe(false);
  });

  it('reaches a service account in the namespace of the binding', () => {
    bind({ kind: 'ServiceAccount', name: 'bot' }, 'reader', { namespace: 'a' });
    const user = { name: 'system:serviceaccount:a:bot', uid: '', groups: [], extra: {} };
    expect(authorizer.authorize(asked({ user })).reason).toBe(
      'RBAC: allowed by RoleBinding "bind-reader/a" of ClusterRole "reader" to ServiceAccount "bot/a"',
    );
  });

  it('of the cluster to a service account without a namespace reaches nobody', () => {
    bind({ kind: 'ServiceAccount', name: 'bot' }, 'reader');
    const user = { name: 'system:serviceaccount::bot', uid: '', groups: [], extra: {} };
    expect(isAllowed({ user })).toBe(false);
  });

  it('to a Role uses the role of its namespace', () => {
    index.setRole('b', 'local', [pods]);
    bind(JANE, 'local', { namespace: 'a', kind: 'Role' });
    expect(isAllowed()).toBe(false);
    index.setRole('a', 'local', [pods]);
    expect(isAllowed()).toBe(true);
  });

  it('has no effect after its deletion', () => {
    bind(JANE, 'reader');
    index.deleteBinding('', 'bind-reader');
    expect(isAllowed()).toBe(false);
  });

  it('has no effect for a subject that it no longer has', () => {
    bind(JANE, 'reader');
    bind({ kind: 'User', name: 'joe' }, 'reader');
    expect(isAllowed()).toBe(false);
  });

  it('to a role that is missing is named in the refusal', () => {
    bind(JANE, 'gone');
    bind(JANE, 'lost', { namespace: 'a', kind: 'Role' });
    expect(authorizer.authorize(asked())).toEqual({
      decision: 'no-opinion',
      reason:
        'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
    });
  });
});

describe('the index', () => {
  it('follows the rules of a role', () => {
    bind(JANE, 'late');
    expect(isAllowed()).toBe(false);
    index.setRole('', 'late', [pods]);
    expect(isAllowed()).toBe(true);
    index.setRole('', 'late', undefined);
    expect(isAllowed()).toBe(false);
  });

  it('decides the same for a subject with many roles', () => {
    for (let n = 0; n < 100; n++) {
      index.setRole('', `r${n}`, [{ verbs: ['get'], apiGroups: ['g'], resources: [`things${n}`] }]);
      bind(JANE, `r${n}`);
    }
    const may = (n: number) => isAllowed({ group: 'g', resource: `things${n}` });
    expect([may(0), may(99), may(100)]).toEqual([true, true, false]);
    index.setRole('', 'r99', [{ verbs: ['get'], apiGroups: ['g'], resources: ['things100'] }]);
    index.deleteBinding('', 'bind-r0');
    expect([may(0), may(99), may(100)]).toEqual([false, false, true]);
  });

  it('treats names such as __proto__ as names', () => {
    index.setRole('', '__proto__', [pods]);
    bind({ kind: 'User', name: 'constructor' }, '__proto__');
    expect(isAllowed()).toBe(false);
    expect(isAllowed({ user: { name: 'constructor', uid: '', groups: [], extra: {} } })).toBe(true);
  });
});

it('lists the rules of every binding in the order of names', () => {
  index.setRole('', 'a', [{ verbs: ['get'], nonResourceURLs: ['/x'] }]);
  index.setRole('', 'b', [pods]);
  bind({ kind: 'Group', name: 'devs' }, 'b', { namespace: 'a' });
  bind(JANE, 'a');
  bind(JANE, 'none');
  expect(authorizer.rulesFor(asked().user, 'a')).toEqual({
    resourceRules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
    incomplete: false,
    evaluationError: 'clusterrole.rbac.authorization.k8s.io "none" not found',
  });
});
