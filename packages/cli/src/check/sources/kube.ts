// Definitions and objects from a cluster.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { ApiError, asJson, type JsonObject, type KubeObject } from '@instar/machinery';
import { type ClusterFlags, openCluster } from '../../cluster-flags.ts';

const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

export async function clusterDefinitions(
  flags: ClusterFlags,
  name: string | undefined,
): Promise<JsonObject[]> {
  const client = await openCluster(flags, 'instar-check');
  try {
    if (name !== undefined) return [asJson(await client.get({ ...CRDS, name }))];
    return (await collect(client, CRDS)).map((definition) => asJson(named(definition)));
  } finally {
    await client.close();
  }
}

/**
 * Every object of the definition, served in its storage version. None if the cluster does not have the
 * definition.
 */
export async function clusterObjects(
  flags: ClusterFlags,
  crd: CustomResourceDefinition,
): Promise<JsonObject[]> {
  const client = await openCluster(flags, 'instar-check');
  const version = (
    crd.spec.versions.find(({ storage, served }) => storage && served) ??
    crd.spec.versions.find(({ served }) => served)
  )?.name;
  try {
    if (version === undefined) return [];
    return (await collect(client, { group: crd.spec.group, version, resource: crd.spec.names.plural })).map(
      asJson,
    );
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return [];
    throw error;
  } finally {
    await client.close();
  }
}

async function collect(client: KubeApi, ref: Parameters<KubeApi['pages']>[0]): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  for await (const { items } of client.pages(ref, { onExpired: 'continue' })) objects.push(...items);
  return objects;
}

/** Lists leave kind and apiVersion out. */
function named(definition: KubeObject): KubeObject {
  return { ...definition, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
}
