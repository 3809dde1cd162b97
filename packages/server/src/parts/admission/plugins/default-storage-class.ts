// DefaultStorageClass: a claim that names no class gets the default one, if there is one.

import { CLASS_ANNOTATION } from '../../../kinds/builtin/persistent-volume.ts';
import { isDefaultStorageClass } from '../../../kinds/builtin/storage-class.ts';
import type { PersistentVolumeClaim } from '../../../kinds/validate/persistent-volume-claim.ts';
import { findDefaultClass } from './default-class.ts';
import { isWholeCreate, type PluginDefinition } from './plugin.ts';

export const defaultStorageClass: PluginDefinition = {
  name: 'DefaultStorageClass',
  make: ({ registry }) => ({
    resources: ['/persistentvolumeclaims'],
    async mutate(operation) {
      if (!isWholeCreate(operation)) return;
      const { metadata, spec } = operation.object as PersistentVolumeClaim;
      const isNamed = Object.hasOwn(metadata.annotations ?? {}, CLASS_ANNOTATION);
      if (isNamed || spec.storageClassName !== undefined) return;
      const classes = registry.get('storage.k8s.io', 'storageclasses')!;
      const name = await findDefaultClass(classes, isDefaultStorageClass);
      if (name !== undefined) spec.storageClassName = name;
    },
  }),
};
