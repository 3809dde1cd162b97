// apps/v1 ControllerRevision: the state of a workload that a controller keeps, so that it can return to it.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';

export const controllerRevisions = defineKind({
  plural: 'controllerrevisions',
  kind: 'ControllerRevision',
  namespaced: true,
  storagePath: 'controllerrevisions/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.ControllerRevision'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
