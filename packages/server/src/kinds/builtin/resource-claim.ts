// resource.k8s.io/v1 ResourceClaim: a request for devices, and which were allocated.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const resourceClaims = defineKind({
  plural: 'resourceclaims',
  kind: 'ResourceClaim',
  namespaced: true,
  storagePath: 'resourceclaims/',
  versions: [
    {
      group: 'resource.k8s.io',
      version: 'v1',
      type: goStruct('resource/v1.ResourceClaim'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
