// networking.k8s.io/v1 IPAddress: an address that is taken, and by which object.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const ipAddresses = defineKind({
  plural: 'ipaddresses',
  kind: 'IPAddress',
  shortNames: ['ip'],
  namespaced: false,
  storagePath: 'ipaddresses/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.IPAddress'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
