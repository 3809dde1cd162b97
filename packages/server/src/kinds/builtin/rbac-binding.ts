// RoleBinding and ClusterRoleBinding: which subjects have which role. The role of a binding is immutable, the
// subjects are not.

import { nameIsPathSegment } from '@instar/go';
import { goStruct } from '@instar/kinds';
import {
  deepEqual,
  type FieldError,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { TableColumn } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../table/columns.ts';
import {
  RBAC_GROUP,
  type RoleRef,
  type Subject,
  validateRoleRef,
  validateSubjects,
} from '../validate/rbac.ts';

interface Binding extends KubeObject {
  subjects?: Subject[];
  roleRef: RoleRef;
}

/** The group may be omitted where only one is possible. */
function fillInGroups(binding: JsonObject): void {
  const { roleRef, subjects: list } = binding;
  if (isJsonObject(roleRef) && roleRef['apiGroup'] === '') roleRef['apiGroup'] = RBAC_GROUP;
  if (!Array.isArray(list)) return;
  for (const subject of list) {
    if (!isJsonObject(subject) || subject['apiGroup'] !== undefined) continue;
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') subject['apiGroup'] = RBAC_GROUP;
  }
}

function validateFixedRole(binding: Binding, old: Binding): FieldError[] {
  const { roleRef } = binding;
  if (deepEqual(roleRef as unknown as JsonValue, old.roleRef as unknown as JsonValue)) return [];
  // Upstream prints its internal struct, whose fields have uppercase names.
  const shown = { APIGroup: roleRef.apiGroup, Kind: roleRef.kind, Name: roleRef.name };
  return [fieldErrors.invalid('roleRef', shown, 'cannot change roleRef')];
}

const subjectsOf = ({ subjects: list }: JsonObject, of: string): JsonObject[] =>
  (Array.isArray(list) ? list : []).filter(isJsonObject).filter((subject) => subject['kind'] === of);
const names = (binding: JsonObject, of: string): string =>
  subjectsOf(binding, of)
    .map(({ name }) => String(name))
    .join(', ');
const accounts = (binding: JsonObject): string =>
  subjectsOf(binding, 'ServiceAccount')
    .map(({ namespace, name }) => `${namespace ?? ''}/${name}`)
    .join(', ');

const columns: TableColumn[] = [
  nameColumn,
  column('Role', 'The role that is given.', ({ roleRef }) =>
    isJsonObject(roleRef) ? `${roleRef['kind']}/${roleRef['name']}` : '',
  ),
  ageColumn,
  wideColumn('Users', 'The users that are given the role.', (binding) => names(binding, 'User')),
  wideColumn('Groups', 'The groups that are given the role.', (binding) => names(binding, 'Group')),
  wideColumn('ServiceAccounts', 'The service accounts that are given the role.', accounts),
];

function defineBinding(name: 'RoleBinding' | 'ClusterRoleBinding', kinds: string[]) {
  const namespaced = name === 'RoleBinding';
  const validate = ({ roleRef, subjects: list = [] }: Binding) => [
    ...validateRoleRef(roleRef, kinds),
    ...validateSubjects(list, namespaced),
  ];
  return defineKind({
    plural: `${name.toLowerCase()}s`,
    kind: name,
    namespaced,
    storagePath: `${name.toLowerCase()}s/`,
    versions: [
      { group: RBAC_GROUP, version: 'v1', type: goStruct(`rbac/v1.${name}`), columns, fillIn: fillInGroups },
    ],
    strategy: {
      validateName: nameIsPathSegment,
      validateCreate: (binding) => validate(binding as Binding),
      validateUpdate: (binding, old) => [
        ...validate(binding as Binding),
        ...validateFixedRole(binding as Binding, old as Binding),
      ],
      allowCreateOnUpdate: true,
    },
  });
}

export const roleBindings = defineBinding('RoleBinding', ['Role', 'ClusterRole']);
export const clusterRoleBindings = defineBinding('ClusterRoleBinding', ['ClusterRole']);
