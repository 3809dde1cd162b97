// resource.k8s.io/v1 ResourceClaimTemplate: from which the claims of pods are made.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const resourceClaimTemplates = defineKind({
  plural: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  namespaced: true,
  storagePath: 'resourceclaimtemplates/',
  versions: [
    {
      group: 'resource.k8s.io',
      version: 'v1',
      type: goStruct('resource/v1.ResourceClaimTemplate'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
