// storage.k8s.io/v1 VolumeAttributesClass: attributes of volumes that can change while they exist.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const volumeAttributesClasses = defineKind({
  plural: 'volumeattributesclasses',
  kind: 'VolumeAttributesClass',
  shortNames: ['vac'],
  namespaced: false,
  storagePath: 'volumeattributesclasses/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.VolumeAttributesClass'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
