// networking.k8s.io/v1 NetworkPolicy: which connections pods may have. Nothing here enforces it.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const networkPolicies = defineKind({
  plural: 'networkpolicies',
  kind: 'NetworkPolicy',
  shortNames: ['netpol'],
  namespaced: true,
  storagePath: 'networkpolicies/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.NetworkPolicy'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
