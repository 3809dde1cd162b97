// batch/v1 Job: pods that run to completion.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';

export const jobs = defineKind({
  plural: 'jobs',
  kind: 'Job',
  categories: ['all'],
  namespaced: true,
  storagePath: 'jobs/',
  versions: [
    {
      group: 'batch',
      version: 'v1',
      type: goStruct('batch/v1.Job'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
