// How many pods there should be: the sum of the scales of what controls them.
import type { JsonObject } from '@instar/machinery';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { scaleFrom } from '../../objects/scale.ts';

/** Throws if the controller of a pod is not there or has no scale; pods without a controller do not count. */
export function expectedPods(registry: ResourceRegistry, pods: readonly CachedObject[]): number {
  const scales = new Map<string, number>();
  for (const { metadata } of pods) {
    const owner = controllerOf(metadata);
    if (owner === undefined || scales.has(owner.uid)) continue;
    const found = scaleOf(registry, owner, metadata.namespace!);
    if (found === undefined) throw new Error(`found no controllers for pod "${metadata.name}"`);
    scales.set(found.uid, found.replicas);
    scales.set(owner.uid, owner.uid === found.uid ? found.replicas : 0);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

type Owner = NonNullable<CachedObject['metadata']['ownerReferences']>[number];

const controllerOf = ({ ownerReferences = [] }: CachedObject['metadata']): Owner | undefined =>
  ownerReferences.find(({ controller }) => controller);

/** A replica set of a deployment has the scale of the deployment. */
function scaleOf(
  registry: ResourceRegistry,
  { apiVersion, kind, name, uid }: Owner,
  namespace: string,
): { uid: string; replicas: number } | undefined {
  const served = registry.findKind(apiVersion, kind);
  if (served === undefined) return undefined;
  const { resource, version } = served;
  const cached = resource.cache.get(resource.key(namespace, name));
  const paths = version.scaleSubresource;
  if (cached === undefined || cached.metadata.uid !== uid || paths === undefined) return undefined;
  const above = kind === 'ReplicaSet' ? controllerOf(cached.metadata) : undefined;
  if (above?.kind === 'Deployment') {
    const scale = scaleOf(registry, above, namespace);
    if (scale !== undefined) return scale;
  }
  const { scale } = scaleFrom(cached.parse() as unknown as JsonObject, paths);
  return { uid, replicas: scale.spec?.replicas ?? 0 };
}
