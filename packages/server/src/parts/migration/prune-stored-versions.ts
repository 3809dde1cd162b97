// Updates the CustomResourceDefinition of a migration: sets the condition StorageMigrating, as
// kube-controller-manager does, and removes from status.storedVersions the versions in which nothing is
// stored. Only the census can prove that, and only if the definition has not changed since the migration
// began.
import { type CustomResourceDefinition, findCondition, setCondition } from '@instar/crd';
import type { KubeObject } from '@instar/machinery';
import type { Resource } from '../../objects/resource.ts';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { updateObject } from '../../objects/write/update.ts';
import type { Census } from '../census/census.ts';
import { internalWrite } from '../controllers/internal-writes.ts';

const MANAGER = 'migration-runner-controller';
const STORAGE_MIGRATING = 'StorageMigrating';

/** Returns the generation of the definition that the migration begins with. */
export async function markMigrating(crds: Resource, name: string, migration: string): Promise<number> {
  let generation = 0;
  await changeStatus(crds, name, (crd) => {
    generation = crd.metadata.generation ?? 0;
    setMigrating(crd, 'True', 'MigrationRunning', `Migration ${migration} is running`);
  });
  return generation;
}

/** `census` undefined: the migration has failed, and nothing is pruned. */
export async function markMigrated(
  crds: Resource,
  name: string,
  generation: number,
  census: Census | undefined,
): Promise<void> {
  await changeStatus(crds, name, (crd) => {
    if (census === undefined) {
      setMigrating(crd, 'False', 'MigrationFailed', 'The migration has failed');
      return;
    }
    const storage = crd.spec.versions.find((version) => version.storage)!.name;
    const isProved =
      crd.metadata.generation === generation &&
      census.storedIn(`${crd.spec.group}/${storage}`) === census.objects;
    if (isProved) crd.status.storedVersions = [storage];
    const outcome = isProved
      ? 'and the stored versions have been updated'
      : 'but the stored versions have not been updated due to a generation mismatch';
    setMigrating(crd, 'False', 'MigrationSucceeded', `The migration has succeeded ${outcome}`);
  });
}

function setMigrating(
  crd: CustomResourceDefinition,
  status: 'True' | 'False',
  reason: string,
  message: string,
): void {
  setCondition(crd, { type: STORAGE_MIGRATING, status, reason, message }, Date.now());
  const condition = findCondition(crd, STORAGE_MIGRATING)!;
  if (crd.metadata.generation !== undefined) condition.observedGeneration = crd.metadata.generation;
}

async function changeStatus(
  crds: Resource,
  name: string,
  change: (crd: CustomResourceDefinition) => void,
): Promise<void> {
  const version = crds.version('apiextensions.k8s.io/v1')!;
  const write = internalWrite({ resource: crds, name, subresource: 'status', manager: MANAGER, version });
  const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
    const crd = structuredClone(live!) as CustomResourceDefinition;
    change(crd);
    return recordOwnership(write, live, crd);
  };
  await updateObject(write, { next, mayCreate: false, options: {} });
}
