// storage.k8s.io/v1 StorageClass: how volumes of a class are provisioned.

import { goStruct } from '@instar/kinds';
import type { JsonObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { textAt, valueAt } from '../table/values.ts';
import { oldNodeLabel } from '../validate/old-node-labels.ts';
import {
  type StorageClass,
  validateStorageClass,
  validateStorageClassUpdate,
} from '../validate/storage-class.ts';

/** The class of claims that name none. The second one is of the beta of classes. */
const DEFAULT_CLASS_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const isDefaultStorageClass = (storage: JsonObject): boolean =>
  DEFAULT_CLASS_ANNOTATIONS.some((name) => valueAt(storage, 'metadata', 'annotations', name) === 'true');

function fillIn(object: JsonObject): void {
  object['reclaimPolicy'] ??= 'Delete';
  object['volumeBindingMode'] ??= 'Immediate';
}

function warningsOf({ allowedTopologies = [] }: StorageClass): string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, term) =>
    matchLabelExpressions.flatMap(({ key }, index) =>
      oldNodeLabel(key).map(
        (remedy) => `allowedTopologies[${term}].matchLabelExpressions[${index}].key: ${remedy}`,
      ),
    ),
  );
}

export const storageClasses = defineKind({
  plural: 'storageclasses',
  kind: 'StorageClass',
  shortNames: ['sc'],
  namespaced: false,
  storagePath: 'storageclasses/',
  versions: [
    {
      group: 'storage.k8s.io',
      version: 'v1',
      type: goStruct('storage/v1.StorageClass'),
      fillIn,
      columns: [
        {
          ...nameColumn,
          cell: (storage) =>
            textAt(storage, ['metadata', 'name']) + (isDefaultStorageClass(storage) ? ' (default)' : ''),
        },
        column('Provisioner', 'What provisions its volumes.', ({ provisioner }) => provisioner ?? ''),
        column('ReclaimPolicy', 'What becomes of released volumes.', (storage) =>
          textAt(storage, ['reclaimPolicy'], 'Delete'),
        ),
        column('VolumeBindingMode', 'When volumes are provisioned and bound.', (storage) =>
          textAt(storage, ['volumeBindingMode'], 'Immediate'),
        ),
        column(
          'AllowVolumeExpansion',
          'Whether volumes may grow.',
          ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
        ),
        ageColumn,
      ],
    },
  ],
  strategy: {
    validateCreate: (storage) => validateStorageClass(storage as StorageClass),
    validateUpdate: (storage, old) =>
      validateStorageClassUpdate(storage as StorageClass, old as StorageClass),
    warnings: (storage) => warningsOf(storage as StorageClass),
    returnDeletedObject: true,
  },
});
