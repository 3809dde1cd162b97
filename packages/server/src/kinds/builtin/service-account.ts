// v1 ServiceAccount: an identity for programs. Its tokens are in service-account-token.ts.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const serviceAccounts = defineKind({
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  shortNames: ['sa'],
  namespaced: true,
  storagePath: 'serviceaccounts/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.ServiceAccount'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: { returnDeletedObject: true },
});
