// resource.k8s.io/v1 DeviceClass: devices that can be claimed together under one name.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const deviceClasses = defineKind({
  plural: 'deviceclasses',
  kind: 'DeviceClass',
  namespaced: false,
  storagePath: 'deviceclasses/',
  versions: [
    {
      group: 'resource.k8s.io',
      version: 'v1',
      type: goStruct('resource/v1.DeviceClass'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
