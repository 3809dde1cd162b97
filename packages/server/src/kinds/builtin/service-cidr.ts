// networking.k8s.io/v1 ServiceCIDR: a range of which services get their addresses.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const serviceCidrs = defineKind({
  plural: 'servicecidrs',
  kind: 'ServiceCIDR',
  namespaced: false,
  storagePath: 'servicecidrs/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.ServiceCIDR'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
