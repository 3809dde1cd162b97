// apps/v1 ReplicaSet: so many pods of one template.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';

export const replicaSets = defineKind({
  plural: 'replicasets',
  kind: 'ReplicaSet',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'replicasets/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.ReplicaSet'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
