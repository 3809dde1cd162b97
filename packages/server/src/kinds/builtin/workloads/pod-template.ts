// v1 PodTemplate: a template of pods that is kept by itself.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';

export const podTemplates = defineKind({
  plural: 'podtemplates',
  kind: 'PodTemplate',
  namespaced: true,
  storagePath: 'podtemplates/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.PodTemplate'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
