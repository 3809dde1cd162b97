// v1 PersistentVolume: storage that outlives pods, as an administrator or a provisioner describes it.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const persistentVolumes = defineKind({
  plural: 'persistentvolumes',
  kind: 'PersistentVolume',
  shortNames: ['pv'],
  namespaced: false,
  storagePath: 'persistentvolumes/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.PersistentVolume'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
