// networking.k8s.io/v1 IngressClass: which controller serves the ingresses of a class.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const ingressClasses = defineKind({
  plural: 'ingressclasses',
  kind: 'IngressClass',
  namespaced: false,
  storagePath: 'ingressclasses/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.IngressClass'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
