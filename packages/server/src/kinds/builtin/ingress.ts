// networking.k8s.io/v1 Ingress: which requests from outside reach which service.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const ingresses = defineKind({
  plural: 'ingresses',
  kind: 'Ingress',
  shortNames: ['ing'],
  namespaced: true,
  storagePath: 'ingress/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.Ingress'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
