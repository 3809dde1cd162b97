// Prunes status.storedVersions of versions in which nothing is stored, if that is proved. An Instar server
// has a census; elsewhere the proof is a pass over all objects, without failures, under a definition that did
// not change meanwhile.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { crdName, readDefinition, storageVersionOf, writeStoredVersions } from '../definition/definition.ts';
import { readCensus } from '../stored/read-census.ts';
import type { MigrationState } from './state-file.ts';

/** The versions removed from `status.storedVersions`, or why none were. */
export type Pruning =
  | { readonly pruned: readonly string[]; readonly storedVersions: readonly string[] }
  /** Why nothing was removed. */
  | { readonly kept: readonly string[]; readonly reason: string };

export async function proveAndPrune(api: KubeApi, state: MigrationState): Promise<Pruning> {
  const crd = await readDefinition(api, state.crd);
  const claimed = crd.status.storedVersions ?? [];
  const storage = storageVersionOf(crd);
  const surplus = claimed.filter((version) => version !== storage);
  if (surplus.length === 0) return { pruned: [], storedVersions: claimed };
  const doubt = await doubtOf(api, crd, state, surplus);
  if (doubt !== undefined) return { kept: claimed, reason: doubt };
  const { status } = await writeStoredVersions(api, crd, [storage]);
  return { pruned: surplus, storedVersions: status.storedVersions ?? [] };
}

async function doubtOf(
  api: KubeApi,
  crd: CustomResourceDefinition,
  state: MigrationState,
  surplus: readonly string[],
): Promise<string | undefined> {
  const census = await readCensus(api, crdName(crd), undefined);
  if (census !== undefined) {
    const left = census.versions.filter(({ version, objects }) => objects > 0 && surplus.includes(version));
    if (left.length === 0) return undefined;
    return `the server still stores ${left.map(({ version, objects }) => `${objects} in ${version}`).join(', ')}`;
  }
  if (state.counts.failed > 0)
    return `${state.counts.failed} ${state.counts.failed === 1 ? 'object' : 'objects'} could not be rewritten`;
  if (crd.metadata.uid !== state.uid)
    return 'the definition was deleted and created again during the migration';
  if (crd.metadata.generation !== state.generation)
    return 'the definition changed during the migration; run it again';
  return undefined;
}
