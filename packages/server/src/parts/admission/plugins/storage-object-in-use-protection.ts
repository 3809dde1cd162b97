// StorageObjectInUseProtection: volumes and claims are not deleted while they are used, and classes of
// attributes neither. A controller removes the finalizers.
import { isWholeCreate, type PluginDefinition } from './plugin.ts';

const FINALIZERS: ReadonlyMap<string, string> = new Map([
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['volumeattributesclasses', 'kubernetes.io/vac-protection'],
]);

export const storageObjectInUseProtection: PluginDefinition = {
  name: 'StorageObjectInUseProtection',
  make: () => ({
    resources: ['/persistentvolumes', '/persistentvolumeclaims', 'storage.k8s.io/volumeattributesclasses'],
    mutate(operation) {
      if (!isWholeCreate(operation)) return;
      const { metadata } = operation.object!;
      const finalizer = FINALIZERS.get(operation.write.resource.definition.names.plural)!;
      if (metadata.finalizers?.includes(finalizer) !== true)
        metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
    },
  }),
};
