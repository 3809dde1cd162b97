// storage.k8s.io/v1 CSIStorageCapacity: how much storage a class has left in a part of the cluster.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const csiStorageCapacities = defineKind({
  plural: 'csistoragecapacities',
  kind: 'CSIStorageCapacity',
  namespaced: true,
  storagePath: 'csistoragecapacities/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.CSIStorageCapacity'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
