// Creates what clients expect of a cluster beyond its namespaces, if it is missing: the priority classes of
// the system, the range of services, and the service of the API server. What exists is not changed.
import { ApiError, type KubeObject } from '@instar/machinery';
import { SYSTEM_PRIORITY_CLASSES } from '../../kinds/builtin/priority-class.ts';
import {
  firstServiceIp,
  printServiceRanges,
  type ServiceRanges,
} from '../../kinds/builtin/service-cluster-ips.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { createObject } from '../../objects/write/create.ts';
import { internalWrite } from '../controllers/internal-writes.ts';

export async function bootstrapCluster(registry: ResourceRegistry, ranges: ServiceRanges): Promise<void> {
  await Promise.all(objectsOf(ranges).map((object) => createIfMissing(registry, object)));
}

function objectsOf(ranges: ServiceRanges): KubeObject[] {
  return [
    ...SYSTEM_PRIORITY_CLASSES.map(({ name, ...rest }) => ({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      ...rest,
    })),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'kubernetes' },
      spec: { cidrs: printServiceRanges(ranges) },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'kubernetes',
        namespace: 'default',
        labels: { component: 'apiserver', provider: 'kubernetes' },
      },
      spec: {
        type: 'ClusterIP',
        clusterIP: firstServiceIp(ranges),
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 443 }],
      },
    },
  ];
}

async function createIfMissing(registry: ResourceRegistry, object: KubeObject): Promise<void> {
  const { resource, version } = registry.findKind(object.apiVersion, object.kind)!;
  const { name = '', namespace = '' } = object.metadata;
  await resource.cache.waitUntilFresh();
  if (resource.cache.get(resource.key(namespace, name)) !== undefined) return;
  const decoded = version.decode!(object as never);
  if ('error' in decoded) throw new Error(decoded.error);
  const { apiVersion, kind } = object;
  const write = internalWrite({ resource, namespace, name, manager: 'kube-apiserver', version });
  await createObject(write, { ...decoded.object, apiVersion, kind } as never, {}).catch((error: unknown) => {
    // Another server that starts over the same storage has created it first.
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  });
}
