// v1 PersistentVolumeClaim: a request for storage by a user. No controller binds it here.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const persistentVolumeClaims = defineKind({
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  shortNames: ['pvc'],
  namespaced: true,
  storagePath: 'persistentvolumeclaims/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.PersistentVolumeClaim'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
