// resource.k8s.io/v1 ResourceSlice: devices that a driver offers on some nodes.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const resourceSlices = defineKind({
  plural: 'resourceslices',
  kind: 'ResourceSlice',
  namespaced: false,
  storagePath: 'resourceslices/',
  versions: [
    {
      group: 'resource.k8s.io',
      version: 'v1',
      type: goStruct('resource/v1.ResourceSlice'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
