// policy/v1 PodDisruptionBudget: how many pods may be evicted at the same time.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

export const podDisruptionBudgets = defineKind({
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  shortNames: ['pdb'],
  namespaced: true,
  storagePath: 'poddisruptionbudgets/',
  versions: [
    {
      group: 'policy',
      version: 'v1',
      type: goStruct('policy/v1.PodDisruptionBudget'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
