// v1 ServiceAccount: an identity for programs. Its tokens are in service-account-token.ts.

import { goStruct } from '@instar/kinds';
import type { KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

const ENFORCE = 'kubernetes.io/enforce-mountable-secrets';
const WARNING = `metadata.annotations[${ENFORCE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
const has = (account: KubeObject | undefined): boolean =>
  Object.hasOwn(account?.metadata.annotations ?? {}, ENFORCE);

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
  strategy: {
    returnDeletedObject: true,
    warnings: (account, old) => (has(account) && !has(old) ? [WARNING] : []),
  },
});
