// flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration: how much of the server a level may use.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const priorityLevelConfigurations = defineKind({
  plural: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
  namespaced: false,
  storagePath: 'prioritylevelconfigurations/',
  versions: [
    {
      group: 'flowcontrol.apiserver.k8s.io',
      version: 'v1',
      type: goStruct('flowcontrol/v1.PriorityLevelConfiguration'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
