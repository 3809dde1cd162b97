// v1 ServiceAccount: an identity for programs. No tokens are created for it here.

import { atomicList, bool, field, listOf, pointer } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';
import { kind } from '../typed/object-meta.ts';
import { LocalObjectReference, ObjectReference } from '../typed/object-reference.ts';

const type = kind('v1.ServiceAccount', 'An identity that programs in a namespace act under.', {
  secrets: field(2, listOf(ObjectReference), 'Secrets that pods under this account may use.', {
    listType: 'map',
    mapKeys: ['name'],
    patch: { strategy: 'merge', key: 'name' },
  }),
  imagePullSecrets: atomicList(
    3,
    LocalObjectReference,
    'Secrets of the same namespace with which images are pulled for pods under this account.',
  ),
  automountServiceAccountToken: pointer(
    4,
    bool,
    'Whether pods under this account get a token mounted by themselves.',
  ),
});

export const serviceAccounts = defineKind({
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  shortNames: ['sa'],
  namespaced: true,
  storagePath: 'serviceaccounts/',
  versions: [{ group: '', version: 'v1', type, columns: [nameColumn, ageColumn] }],
  strategy: {},
});
