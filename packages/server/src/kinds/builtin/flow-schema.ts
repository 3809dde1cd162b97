// flowcontrol.apiserver.k8s.io/v1 FlowSchema: which requests have which priority level.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const flowSchemas = defineKind({
  plural: 'flowschemas',
  kind: 'FlowSchema',
  namespaced: false,
  storagePath: 'flowschemas/',
  versions: [
    {
      group: 'flowcontrol.apiserver.k8s.io',
      version: 'v1',
      type: goStruct('flowcontrol/v1.FlowSchema'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
