// storage.k8s.io/v1 CSIDriver: what a driver for volumes can do.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const csiDrivers = defineKind({
  plural: 'csidrivers',
  kind: 'CSIDriver',
  namespaced: false,
  storagePath: 'csidrivers/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.CSIDriver'),
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
