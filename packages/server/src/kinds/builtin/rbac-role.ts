// Role and ClusterRole: sets of permissions, in a namespace or everywhere.

import { nameIsPathSegment } from '@instar/go';
import { atomicList, pointer, struct } from '@instar/kinds';
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  type KubeObject,
  type LabelSelectorObject,
  validateLabelSelectorObject,
} from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { NAME_AND_CREATED_AT } from '../table/columns.ts';
import { LabelSelector } from '../typed/label-selector.ts';
import { kind } from '../typed/object-meta.ts';
import { RBAC_GROUP, type PolicyRule as Rule, validateRules } from '../validate/rbac.ts';
import { PolicyRule } from './rbac-types.ts';

interface Role extends KubeObject {
  rules: Rule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorObject[] };
}

const AggregationRule = struct('v1.AggregationRule', 'Other cluster roles that this one aggregates.', {
  clusterRoleSelectors: atomicList(
    1,
    LabelSelector,
    'Chooses cluster roles; the rules of all that match one of the selectors are taken over.',
  ),
});

const rules = atomicList(2, PolicyRule, 'What the role allows.', { keepEmpty: true });
const roleType = kind('v1.Role', 'Permissions within a namespace.', { rules });
const clusterRoleType = kind('v1.ClusterRole', 'Permissions in all namespaces, and on what has none.', {
  rules,
  aggregationRule: pointer(
    3,
    AggregationRule,
    'How the rules are aggregated from other roles; then they must not be edited.',
  ),
});

function validateAggregation({ aggregationRule }: Role): FieldError[] {
  if (aggregationRule === undefined) return [];
  const path = FieldPath.of('aggregationRule', 'clusterRoleSelectors');
  const { clusterRoleSelectors: selectors = [] } = aggregationRule;
  if (selectors.length === 0)
    return [
      fieldErrors.required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'),
    ];
  return selectors.flatMap((selector, index) => {
    const at = path.index(index);
    const errors = validateLabelSelectorObject(selector, at);
    // Upstream then finds that it cannot be compiled either, and prints what it did not get.
    return errors.length === 0 ? [] : [...errors, fieldErrors.invalid(at, null, 'invalid label selector.')];
  });
}

function defineRole(name: 'Role' | 'ClusterRole', type: typeof roleType) {
  const namespaced = name === 'Role';
  const validate = (role: KubeObject) => [
    ...validateRules((role as Role).rules ?? [], namespaced),
    ...validateAggregation(role as Role),
  ];
  return defineKind({
    plural: `${name.toLowerCase()}s`,
    kind: name,
    namespaced,
    storagePath: `${name.toLowerCase()}s/`,
    versions: [{ group: RBAC_GROUP, version: 'v1', type, columns: NAME_AND_CREATED_AT }],
    strategy: {
      validateName: nameIsPathSegment,
      validateCreate: validate,
      validateUpdate: validate,
      allowCreateOnUpdate: true,
    },
  });
}

export const roles = defineRole('Role', roleType);
export const clusterRoles = defineRole('ClusterRole', clusterRoleType);
