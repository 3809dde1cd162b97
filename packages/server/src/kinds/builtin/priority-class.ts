// scheduling.k8s.io/v1 PriorityClass: a name for the priority of pods.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const priorityClasses = defineKind({
  plural: 'priorityclasses',
  kind: 'PriorityClass',
  shortNames: ['pc'],
  namespaced: false,
  storagePath: 'priorityclasses/',
  versions: [
    {
      group: 'scheduling.k8s.io',
      version: 'v1',
      type: goStruct('scheduling/v1.PriorityClass'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
