// apps/v1 StatefulSet: pods with stable names and volumes.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';

export const statefulSets = defineKind({
  plural: 'statefulsets',
  kind: 'StatefulSet',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'statefulsets/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.StatefulSet'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
