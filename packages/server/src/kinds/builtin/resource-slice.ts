// resource.k8s.io/v1 ResourceSlice: devices that a driver offers on some nodes.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { textAt } from '../table/values.ts';
import { type ResourceSlice, validateResourceSlice } from '../validate/resource-slice.ts';
import { countSpecChanges } from './counted-spec.ts';

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
      columns: [
        nameColumn,
        column('Node', 'The node of the devices.', (it) => textAt(it, ['spec', 'nodeName'])),
        column('Driver', 'The driver of the devices.', (it) => textAt(it, ['spec', 'driver'])),
        column('Pool', 'The pool of the devices.', (it) => textAt(it, ['spec', 'pool', 'name'])),
        ageColumn,
      ],
      selectableFields: [
        { name: 'spec.nodeName', value: (it) => textAt(it, ['spec', 'nodeName']) },
        { name: 'spec.driver', value: (it) => textAt(it, ['spec', 'driver']) },
      ],
    },
  ],
  strategy: {
    ...countSpecChanges,
    validateCreate: (it) => validateResourceSlice(it as ResourceSlice),
    validateUpdate: (it, old) => validateResourceSlice(it as ResourceSlice, old as ResourceSlice),
    returnDeletedObject: true,
  },
});
