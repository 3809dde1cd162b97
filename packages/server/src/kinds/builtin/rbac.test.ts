import { describe, expect, it } from 'vitest';
import { clusterRoleBindings, roleBindings } from './rbac-binding.ts';
import { clusterRoles, roles } from './rbac-role.ts';
import { Trial } from './trial.ts';

const role = new Trial(roles);
const clusterRole = new Trial(clusterRoles);
const binding = new Trial(roleBindings);
const clusterBinding = new Trial(clusterRoleBindings);
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const ref = { kind: 'ClusterRole', name: 'r' };
const account = { kind: 'ServiceAccount', name: 's', namespace: 'n' };

describe('roles', () => {
  it.each([
    [{ rules: [rule] }, []],
    [
      { metadata: { name: 'system:a/b' } },
      [`metadata.name: Invalid value: "system:a/b": may not contain '/'`],
    ],
    [{ metadata: { name: 'system:Any_thing' } }, []],
    [
      { rules: [{}] },
      [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] },
      ['rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs'],
    ],
  ])('are validated: %j', (body, faults) => {
    expect(role.faults(body)).toEqual(faults);
  });

  it('show empty rules', () => {
    expect(role.create({ rules: [] })).toMatchObject({ rules: null });
    expect(role.columnNames).toEqual(['Name', 'Created At']);
  });

  it('of the cluster may have non-resource URLs and an aggregation rule', () => {
    expect(clusterRole.faults({ rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] })).toEqual([]);
    expect(clusterRole.faults({ rules: [{ ...rule, nonResourceURLs: ['/x'] }] })).toEqual([
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ]);
    expect(clusterRole.faults({ aggregationRule: {} })).toEqual([
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ]);
  });
});

describe('bindings', () => {
  it('default the groups of roles and subjects', () => {
    const subjects = [{ kind: 'User', name: 'u' }, { kind: 'Group', name: 'g' }, account];
    expect(binding.create({ roleRef: ref, subjects })).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [
        { apiGroup: 'rbac.authorization.k8s.io' },
        { apiGroup: 'rbac.authorization.k8s.io' },
        account,
      ],
    });
    expect(binding.columnNames).toEqual(['Name', 'Role', 'Age', 'Users*', 'Groups*', 'ServiceAccounts*']);
    expect(binding.cells({ roleRef: ref, subjects })).toEqual([
      'a',
      'ClusterRole/r',
      '<unknown>',
      'u',
      'g',
      'n/s',
    ]);
  });

  it.each([
    [
      { roleRef: { kind: 'Role', name: 'r' } },
      ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
    ],
    [{ roleRef: { ...ref, name: '' } }, ['roleRef.name: Required value']],
    [
      { roleRef: { ...ref, apiGroup: 'x' } },
      ['roleRef.apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"'],
    ],
    [
      { roleRef: ref, subjects: [{ kind: 'ServiceAccount', name: 's' }] },
      ['subjects[0].namespace: Required value'],
    ],
    [
      { roleRef: ref, subjects: [{ kind: 'Robot', name: 's' }] },
      ['subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"'],
    ],
    [
      { roleRef: ref, subjects: [{ ...account, apiGroup: 'x' }] },
      ['subjects[0].apiGroup: Unsupported value: "x": supported values: ""'],
    ],
  ])('are validated: %j', (body, faults) => {
    expect(clusterBinding.faults(body)).toEqual(faults);
  });

  it('have an immutable role', () => {
    expect(binding.update({ roleRef: { ...ref, name: 'other' } }, { roleRef: ref }).faults).toEqual([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"other"}: cannot change roleRef',
    ]);
    expect(binding.update({ roleRef: ref, subjects: [account] }, { roleRef: ref }).faults).toEqual([]);
  });
});
