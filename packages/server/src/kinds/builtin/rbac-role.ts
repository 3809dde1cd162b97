// Role and ClusterRole: sets of permissions, in a namespace or everywhere.

import { nameIsPathSegment } from '@instar/go';
import { goStruct } from '@instar/kinds';
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
import { type PolicyRule, RBAC_GROUP, validateRules } from '../validate/rbac.ts';

interface Role extends KubeObject {
  rules: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorObject[] };
}

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

function defineRole(name: 'Role' | 'ClusterRole') {
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
    versions: [
      { group: RBAC_GROUP, version: 'v1', type: goStruct(`rbac/v1.${name}`), columns: NAME_AND_CREATED_AT },
    ],
    strategy: {
      validateName: nameIsPathSegment,
      validateCreate: validate,
      validateUpdate: validate,
      allowCreateOnUpdate: true,
    },
  });
}

export const roles = defineRole('Role');
export const clusterRoles = defineRole('ClusterRole');
