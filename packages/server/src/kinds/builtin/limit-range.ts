// v1 LimitRange: how much each pod, container or claim of a namespace may use.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const limitRanges = defineKind({
  plural: 'limitranges',
  kind: 'LimitRange',
  shortNames: ['limits'],
  namespaced: true,
  storagePath: 'limitranges/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.LimitRange'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
