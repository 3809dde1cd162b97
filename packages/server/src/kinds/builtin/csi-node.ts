// storage.k8s.io/v1 CSINode: the drivers for volumes that a node has.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const csiNodes = defineKind({
  plural: 'csinodes',
  kind: 'CSINode',
  namespaced: false,
  storagePath: 'csinodes/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.CSINode'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
