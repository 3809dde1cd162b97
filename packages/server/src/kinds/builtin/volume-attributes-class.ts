// storage.k8s.io/v1 VolumeAttributesClass: attributes of volumes that can change while they exist.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import {
  type VolumeAttributesClass,
  validateAttributesClass,
  validateAttributesClassUpdate,
} from '../validate/storage-class.ts';

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
      columns: [
        nameColumn,
        column('DriverName', 'The driver of the attributes.', ({ driverName }) => driverName ?? ''),
        ageColumn,
      ],
    },
  ],
  strategy: {
    validateCreate: (attributes) => validateAttributesClass(attributes as VolumeAttributesClass),
    validateUpdate: (attributes, old) =>
      validateAttributesClassUpdate(attributes as VolumeAttributesClass, old as VolumeAttributesClass),
    returnDeletedObject: true,
  },
});
