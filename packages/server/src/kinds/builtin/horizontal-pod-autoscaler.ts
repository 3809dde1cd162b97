// HorizontalPodAutoscaler: how many replicas a workload gets.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

export const horizontalPodAutoscalers = defineKind({
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'horizontalpodautoscalers/',
  versions: [
    {
      group: 'autoscaling',
      version: 'v2',
      type: goStruct('autoscaling/v2.HorizontalPodAutoscaler'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
