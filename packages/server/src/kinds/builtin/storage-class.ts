// storage.k8s.io/v1 StorageClass: how volumes of a class are provisioned.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const storageClasses = defineKind({
  plural: 'storageclasses',
  kind: 'StorageClass',
  shortNames: ['sc'],
  namespaced: false,
  storagePath: 'storageclasses/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.StorageClass'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
