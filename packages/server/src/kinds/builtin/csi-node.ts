// storage.k8s.io/v1 CSINode: the drivers for volumes that a node has.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { objectsAt } from '../table/values.ts';
import { type CsiNode, validateCsiNode, validateCsiNodeUpdate } from '../validate/csi.ts';

export const csiNodes = defineKind({
  plural: 'csinodes',
  kind: 'CSINode',
  namespaced: false,
  storagePath: 'csinodes/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.CSINode'),
      columns: [
        nameColumn,
        column('Drivers', 'How many drivers it has.', (node) => objectsAt(node, 'spec', 'drivers').length, {
          type: 'integer',
        }),
        ageColumn,
      ],
    },
  ],
  strategy: {
    validateCreate: (node) => validateCsiNode(node as CsiNode),
    validateUpdate: (node, old) => validateCsiNodeUpdate(node as CsiNode, old as CsiNode),
    allowUnconditionalUpdate: false,
    returnDeletedObject: true,
  },
});
