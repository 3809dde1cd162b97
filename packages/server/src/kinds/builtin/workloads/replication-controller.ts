// v1 ReplicationController: so many pods of one template; the elder of ReplicaSet.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';

export const replicationControllers = defineKind({
  plural: 'replicationcontrollers',
  kind: 'ReplicationController',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'controllers/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.ReplicationController'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
