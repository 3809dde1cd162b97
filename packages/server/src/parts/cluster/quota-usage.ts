// Counts what the objects of a namespace use of a quota, by the resources that the quota names.
import { type Amounts, addAmounts } from '../../kinds/validate/quantities.ts';
import type { ResourceQuota } from '../../kinds/validate/resource-quota.ts';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { TimeSlice } from '../../objects/time-slice.ts';
import { isInScopes } from '../admission/plugins/quota-scopes.ts';
import { usageOf } from '../admission/plugins/quota-usage.ts';

const POD_RESOURCES =
  /^(pods|cpu|memory|ephemeral-storage|(requests|limits)\.(cpu|memory|ephemeral-storage))$/;
const EXTENDED = /^requests\.[^/]+\//;
const NATIVE = 'kubernetes.io/';

/** The resource whose objects are counted for a name in `hard`; undefined: nothing that is served. */
export function countedFor(registry: ResourceRegistry, name: string): Resource | undefined {
  const counted = /^count\/([^.]+)(?:\.(.+))?$/.exec(name);
  if (counted !== null) {
    const resource = registry.get(counted[2] ?? '', counted[1]!);
    return resource?.definition.namespaced === true ? resource : undefined;
  }
  if (name.endsWith('.deviceclass.resource.k8s.io/devices'))
    return registry.get('resource.k8s.io', 'resourceclaims');
  if (name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/'))
    return registry.get('', 'persistentvolumeclaims');
  if (name.startsWith('services.')) return registry.get('', 'services');
  const isOfPods =
    POD_RESOURCES.test(name) ||
    /^(requests\.)?hugepages-/.test(name) ||
    (EXTENDED.test(name) && !name.includes(NATIVE));
  return registry.get('', isOfPods ? 'pods' : name);
}

export interface Measured {
  readonly used: Amounts;
  /** When a pod that is being deleted stops to count, in milliseconds since 1970. */
  readonly changesAt: number | undefined;
}

export async function measure(
  registry: ResourceRegistry,
  quota: ResourceQuota,
  now: number,
): Promise<Measured> {
  const used: Amounts = {};
  let changesAt: number | undefined;
  for (const [resource, counted] of namesByResource(registry, quota)) {
    for (const name of counted) used[name] = '0';
    const slice = new TimeSlice();
    for (const object of resource.cache.slice(resource.prefixOf(quota.metadata.namespace!))) {
      await slice.yieldIfOver();
      const usage = usageIn(quota, object, resource);
      const end = usage === undefined ? undefined : endOfPod(object, resource);
      if (end !== undefined && end > now) changesAt = Math.min(changesAt ?? end, end);
      for (const name of counted) {
        const isGone = end !== undefined && end <= now && !name.startsWith('count/');
        if (usage !== undefined && !isGone && Object.hasOwn(usage, name))
          used[name] = addAmounts(used[name]!, usage[name]!);
      }
    }
  }
  return { used, changesAt };
}

function namesByResource(registry: ResourceRegistry, { spec }: ResourceQuota): Map<Resource, string[]> {
  const names = new Map<Resource, string[]>();
  for (const name of Object.keys(spec.hard ?? {})) {
    const resource = countedFor(registry, name);
    if (resource !== undefined) names.set(resource, [...(names.get(resource) ?? []), name]);
  }
  return names;
}

const usages = new WeakMap<CachedObject, Amounts>();

/** Kept with the object: most objects of a namespace have not changed since they were last counted. */
export function usageOfCached(object: CachedObject, { definition }: Resource): Amounts {
  let usage = usages.get(object);
  if (usage === undefined) usages.set(object, (usage = usageOf(object.parse(), definition)));
  return usage;
}

function usageIn(quota: ResourceQuota, object: CachedObject, resource: Resource): Amounts | undefined {
  const { scopes = [], scopeSelector } = quota.spec;
  const isScoped = scopes.length > 0 || (scopeSelector?.matchExpressions ?? []).length > 0;
  if (isScoped && !isInScopes(quota.spec, object.parse())) return undefined;
  return usageOfCached(object, resource);
}

/** A pod counts until its grace period is over, however long it stays after that. */
function endOfPod({ metadata }: CachedObject, { definition }: Resource): number | undefined {
  if (definition.names.kind !== 'Pod' || definition.group !== '') return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp == null || deletionGracePeriodSeconds == null) return undefined;
  // As kube-apiserver counts, although the time of the deletion has the grace period in it already.
  return Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
}
