// EndpointSlices of every service that has a selector, one set for each family of its addresses.
import { nameIsDnsSubdomain } from '@instar/go';
import type { Log } from '@instar/serving';
import type { CachedObject } from '../../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import type { Resource } from '../../../objects/resource.ts';
import { readCached } from '../internal-objects.ts';
import { KeyedController, keyOf, splitKey } from '../keyed-controller.ts';
import { BATCH_MS, HEADLESS } from './endpoints-controller.ts';
import {
  hasOwnHostname,
  isHeadless,
  isIpv6,
  podsOf,
  portOf,
  type Service,
  type ServicePod,
  servicesOf,
  targetRefOf,
} from './service-pods.ts';
import {
  type Endpoint,
  type EndpointGroup,
  type EndpointSlice,
  reconcileSlices,
  SERVICE_NAME,
  SLICE_MANAGED_BY,
  type SlicePort,
  type SliceTemplate,
} from './slices.ts';

const MANAGER = 'endpointslice-controller.k8s.io';
const ZONE = 'topology.kubernetes.io/zone';

/** The keys of services whose slices these are, if the manager has made them. */
export const serviceOfSlice =
  (manager: string) =>
  ({ metadata }: CachedObject): string[] => {
    const { [SLICE_MANAGED_BY]: by, [SERVICE_NAME]: name } = metadata.labels ?? {};
    return by === manager && name ? [`${metadata.namespace}/${name}`] : [];
  };

/** The slices of a service that a manager has made. */
export function slicesOf(
  slices: Resource,
  { namespace, name }: { namespace: string; name: string },
  manager: string,
): EndpointSlice[] {
  return slices.cache
    .slice(slices.prefixOf(namespace))
    .filter((slice) => serviceOfSlice(manager)(slice)[0] === `${namespace}/${name}`)
    .map((slice) => slice.parse() as EndpointSlice);
}

/** With a dash behind it, unless the name becomes too long. */
export const namePrefix = (name: string): string =>
  nameIsDnsSubdomain(`${name}-`, true).length === 0 ? `${name}-` : name;

export function endpointSliceController(registry: ResourceRegistry, log: Log): KeyedController {
  const services = registry.get('', 'services')!;
  const pods = registry.get('', 'pods')!;
  const nodes = registry.get('', 'nodes')!;
  const slices = registry.get('discovery.k8s.io', 'endpointslices')!;
  const zoneOf = (node: string): string | undefined =>
    nodes.cache.get(nodes.key('', node))?.metadata.labels?.[ZONE];
  return new KeyedController({
    name: 'endpointslice-controller',
    log,
    delayMs: BATCH_MS,
    follows: [
      { resource: services, keysOf: (service) => [keyOf(service)] },
      { resource: slices, keysOf: serviceOfSlice(MANAGER) },
      { resource: nodes, keysOf: () => [] },
      {
        resource: pods,
        keysOf: (pod) => servicesOf(pod, services).map((name) => `${pod.metadata.namespace}/${name}`),
      },
    ],
    async work(key) {
      const id = splitKey(key);
      const service = readCached<Service>(services, id);
      // The garbage collector takes the slices of a service that is gone.
      if (service === undefined) return;
      if (service.spec.selector === undefined || service.spec.type === 'ExternalName') return;
      const selected = await podsOf(service, pods);
      const groups = (service.spec.ipFamilies ?? ['IPv4']).flatMap((family) =>
        groupsOf(service, selected, family === 'IPv6' ? 'IPv6' : 'IPv4', zoneOf),
      );
      await reconcileSlices(registry, slicesOf(slices, id, MANAGER), groups, templateOf(service));
    },
  });
}

function templateOf(service: Service): SliceTemplate {
  const { namespace, name, uid, labels: own = {} } = service.metadata;
  const labels: Record<string, string> = { ...own, [SERVICE_NAME]: name!, [SLICE_MANAGED_BY]: MANAGER };
  delete labels[HEADLESS];
  if (isHeadless(service)) labels[HEADLESS] = '';
  const owner = { apiVersion: 'v1', kind: 'Service', name: name!, uid: uid! };
  return {
    metadata: {
      namespace: namespace!,
      generateName: namePrefix(name!),
      labels,
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
  };
}

function groupsOf(
  service: Service,
  pods: readonly ServicePod[],
  addressType: 'IPv4' | 'IPv6',
  zoneOf: (node: string) => string | undefined,
): EndpointGroup[] {
  const groups = new Map<string, { ports: SlicePort[]; endpoints: Endpoint[] }>();
  for (const pod of pods) {
    const addresses = pod.ips.filter((ip) => isIpv6(ip) === (addressType === 'IPv6'));
    if (addresses.length === 0) continue;
    const ports = portsOf(pod, service);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    groups.set(key, group);
    group.endpoints.push(endpointOf(pod, service, addresses, zoneOf));
  }
  if (groups.size === 0) return [{ addressType, ports: [], endpoints: [] }];
  return [...groups.values()].map((group) => ({ addressType, ...group }));
}

function endpointOf(
  pod: ServicePod,
  service: Service,
  addresses: string[],
  zoneOf: (node: string) => string | undefined,
): Endpoint {
  const serving = pod.isReady;
  const terminating = pod.isTerminating;
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = pod.nodeName === undefined ? undefined : zoneOf(pod.nodeName);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hasOwnHostname(pod, service) && { hostname: pod.hostname! }),
    targetRef: targetRefOf(pod),
    ...(pod.nodeName !== undefined && { nodeName: pod.nodeName }),
    ...(zone !== undefined && { zone }),
  };
}

function portsOf(pod: ServicePod, { spec }: Service): SlicePort[] {
  return (spec.ports ?? []).flatMap((each) => {
    const port = portOf(pod, each);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = each;
    return [{ name, port, protocol, ...(appProtocol && { appProtocol }) }];
  });
}
