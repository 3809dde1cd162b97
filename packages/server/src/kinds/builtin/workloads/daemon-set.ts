// apps/v1 DaemonSet: one pod on every node.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';

export const daemonSets = defineKind({
  plural: 'daemonsets',
  kind: 'DaemonSet',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'daemonsets/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.DaemonSet'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
