// storage.k8s.io/v1 VolumeAttachment: that a volume is to be attached to a node.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const volumeAttachments = defineKind({
  plural: 'volumeattachments',
  kind: 'VolumeAttachment',
  namespaced: false,
  storagePath: 'volumeattachments/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.VolumeAttachment'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
