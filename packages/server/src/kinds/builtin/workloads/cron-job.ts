// batch/v1 CronJob: Jobs that are made at the times of a schedule.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';

export const cronJobs = defineKind({
  plural: 'cronjobs',
  kind: 'CronJob',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'cronjobs/',
  versions: [
    {
      group: 'batch',
      version: 'v1',
      type: goStruct('batch/v1.CronJob'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
