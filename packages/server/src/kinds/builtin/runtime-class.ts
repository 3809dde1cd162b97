// node.k8s.io/v1 RuntimeClass: with which runtime containers are run.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const runtimeClasses = defineKind({
  plural: 'runtimeclasses',
  kind: 'RuntimeClass',
  namespaced: false,
  storagePath: 'runtimeclasses/',
  versions: [
    {
      group: 'node.k8s.io',
      version: 'v1',
      type: goStruct('node/v1.RuntimeClass'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
