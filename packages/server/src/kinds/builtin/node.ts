// v1 Node: a machine that runs pods. Nothing here runs them: a node is data that clients write.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const nodes = defineKind({
  plural: 'nodes',
  kind: 'Node',
  shortNames: ['no'],
  namespaced: false,
  storagePath: 'minions/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.Node'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
