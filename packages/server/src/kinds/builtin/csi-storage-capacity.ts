// storage.k8s.io/v1 CSIStorageCapacity: how much storage a class has left in a part of the cluster.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { column, nameColumn } from '../table/columns.ts';
import { textAt } from '../table/values.ts';
import {
  type CsiStorageCapacity,
  validateCsiStorageCapacity,
  validateCsiStorageCapacityUpdate,
} from '../validate/csi.ts';

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
      columns: [
        nameColumn,
        column('StorageClassName', 'The class.', (it) => textAt(it, ['storageClassName'])),
        column('Capacity', 'How much is left.', (it) => textAt(it, ['capacity'], '<unset>')),
      ],
    },
  ],
  strategy: {
    validateCreate: (it) => validateCsiStorageCapacity(it as CsiStorageCapacity),
    validateUpdate: (it, old) =>
      validateCsiStorageCapacityUpdate(it as CsiStorageCapacity, old as CsiStorageCapacity),
    allowUnconditionalUpdate: false,
  },
});
