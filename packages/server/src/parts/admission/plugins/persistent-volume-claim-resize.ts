// PersistentVolumeClaimResize: only a bound claim may grow, and only if its class allows that.
import { classOfClaim, type PersistentVolumeClaim } from '../../../kinds/validate/persistent-volume-claim.ts';
import { compareAmounts } from '../../../kinds/validate/quantities.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import { denied, type PluginDefinition } from './plugin.ts';

const NOT_ALLOWED =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

const sizeOf = ({ spec }: PersistentVolumeClaim): string | undefined => spec.resources.requests?.['storage'];

export const persistentVolumeClaimResize: PluginDefinition = {
  name: 'PersistentVolumeClaimResize',
  make: ({ registry }) => ({
    resources: ['/persistentvolumeclaims'],
    async validate(operation) {
      if (operation.operation !== 'UPDATE' || operation.write.subresource !== '') return;
      const claim = operation.object as PersistentVolumeClaim;
      const old = operation.old as PersistentVolumeClaim;
      if (compareAmounts(sizeOf(claim), sizeOf(old)) <= 0) return;
      if (old.status.phase !== 'Bound')
        throw denied(operation, 'Only bound persistent volume claims can be expanded');
      if (!(await mayGrow(claim, old, registry))) throw denied(operation, NOT_ALLOWED);
    },
  }),
};

async function mayGrow(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  registry: ResourceRegistry,
): Promise<boolean> {
  const name = classOfClaim(claim);
  if (name === '' || name !== classOfClaim(old)) return false;
  const classes = registry.get('storage.k8s.io', 'storageclasses')!;
  await classes.cache.waitUntilStarted();
  return classes.cache.get(classes.key('', name))?.parse()['allowVolumeExpansion'] === true;
}
