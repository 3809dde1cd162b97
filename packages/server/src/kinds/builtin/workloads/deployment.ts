// apps/v1 Deployment: which pods run, and how they are replaced by others.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';

export const deployments = defineKind({
  plural: 'deployments',
  kind: 'Deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'deployments/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.Deployment'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: prepareSpecAndStatus(),
});
