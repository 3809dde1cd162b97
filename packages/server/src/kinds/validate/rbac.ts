// Validates the rules, subjects and references of roles and bindings, not what they grant.

import { nameIsDnsSubdomain, nameIsPathSegment } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors, FieldPath as Path } from '@instar/machinery';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

export interface PolicyRule {
  verbs?: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}

export interface RoleRef {
  apiGroup: string;
  kind: string;
  name: string;
}

export function validateRules(rules: readonly PolicyRule[], namespaced: boolean): FieldError[] {
  return rules.flatMap((rule, index) => validateRule(rule, namespaced, Path.of('rules').index(index)));
}

function validateRule(rule: PolicyRule, namespaced: boolean, path: FieldPath): FieldError[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs: urls = [] } = rule;
  const errors =
    (verbs ?? []).length === 0
      ? [fieldErrors.required(path.child('verbs'), 'verbs must contain at least one value')]
      : [];
  if (urls.length > 0) {
    const at = path.child('nonResourceURLs');
    if (namespaced)
      errors.push(fieldErrors.invalid(at, urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      errors.push(
        fieldErrors.invalid(at, urls, 'rules cannot apply to both regular resources and non-resource URLs'),
      );
    }
    return errors;
  }
  if (apiGroups.length === 0)
    errors.push(
      fieldErrors.required(path.child('apiGroups'), 'resource rules must supply at least one api group'),
    );
  if (resources.length === 0)
    errors.push(
      fieldErrors.required(path.child('resources'), 'resource rules must supply at least one resource'),
    );
  return errors;
}

export function validateRoleRef(ref: RoleRef, kinds: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (ref.apiGroup !== RBAC_GROUP)
    errors.push(fieldErrors.notSupported('roleRef.apiGroup', ref.apiGroup, [RBAC_GROUP]));
  if (!kinds.includes(ref.kind)) errors.push(fieldErrors.notSupported('roleRef.kind', ref.kind, kinds));
  if (ref.name === '') return [...errors, fieldErrors.required('roleRef.name')];
  return [
    ...errors,
    ...nameIsPathSegment(ref.name, false).map((reason) =>
      fieldErrors.invalid('roleRef.name', ref.name, reason),
    ),
  ];
}

export function validateSubjects(subjects: readonly Subject[], namespaced: boolean): FieldError[] {
  return subjects.flatMap((subject, index) =>
    validateSubject(subject, namespaced, Path.of('subjects').index(index)),
  );
}

function validateSubject(
  { kind, name, apiGroup = '', namespace = '' }: Subject,
  namespaced: boolean,
  path: FieldPath,
): FieldError[] {
  const errors = name === '' ? [fieldErrors.required(path.child('name'))] : [];
  const inGroup = (group: string): FieldError[] =>
    apiGroup === group ? [] : [fieldErrors.notSupported(path.child('apiGroup'), apiGroup, [group])];
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '')
        for (const reason of nameIsDnsSubdomain(name, false))
          errors.push(fieldErrors.invalid(path.child('name'), name, reason));
      errors.push(...inGroup(''));
      if (!namespaced && namespace === '') errors.push(fieldErrors.required(path.child('namespace')));
      return errors;
    case 'User':
    case 'Group':
      return [...errors, ...inGroup(RBAC_GROUP)];
    default:
      return [
        ...errors,
        fieldErrors.notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']),
      ];
  }
}
