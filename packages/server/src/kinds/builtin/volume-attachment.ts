// storage.k8s.io/v1 VolumeAttachment: that a volume is to be attached to a node.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { textAt, valueAt } from '../table/values.ts';
import {
  type VolumeAttachment,
  validateVolumeAttachment,
  validateVolumeAttachmentUpdate,
} from '../validate/volume-attachment.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

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
      columns: [
        nameColumn,
        column('Attacher', 'The driver that attaches it.', (it) => textAt(it, ['spec', 'attacher']), {
          format: 'name',
        }),
        column('PV', 'The volume.', (it) => textAt(it, ['spec', 'source', 'persistentVolumeName'])),
        column('Node', 'The node.', (it) => textAt(it, ['spec', 'nodeName'])),
        column('Attached', 'Whether it is attached.', (it) => valueAt(it, 'status', 'attached') ?? false, {
          type: 'boolean',
        }),
        ageColumn,
      ],
    },
  ],
  strategy: {
    ...prepareSpecAndStatus({ generation: false }),
    validateCreate: (attachment) => validateVolumeAttachment(attachment as VolumeAttachment),
    validateUpdate: (attachment, old) =>
      validateVolumeAttachmentUpdate(attachment as VolumeAttachment, old as VolumeAttachment),
    allowUnconditionalUpdate: false,
    returnDeletedObject: true,
  },
});
