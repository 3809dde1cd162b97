// v1 ResourceQuota: how much the objects of a namespace may use in sum. Usage is counted by a controller.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const resourceQuotas = defineKind({
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  shortNames: ['quota'],
  namespaced: true,
  storagePath: 'resourcequotas/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.ResourceQuota'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
