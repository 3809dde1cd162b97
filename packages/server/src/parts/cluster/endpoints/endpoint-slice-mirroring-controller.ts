// Endpoints that somebody has written for a service without a selector are mirrored to EndpointSlices, which
// is where consumers look.
import { ipFamilyOf } from '@instar/go';
import type { JsonObject, KubeObject } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import { deleteInternally } from '../../controllers/internal-deletes.ts';
import { readCached } from '../internal-objects.ts';
import { KeyedController, keyOf, splitKey } from '../keyed-controller.ts';
import { namePrefix, serviceOfSlice, slicesOf } from './endpoint-slice-controller.ts';
import { BATCH_MS } from './endpoints-controller.ts';
import type { Service } from './service-pods.ts';
import {
  type Endpoint,
  type EndpointGroup,
  reconcileSlices,
  SERVICE_NAME,
  SLICE_MANAGED_BY,
  type SlicePort,
  type SliceTemplate,
} from './slices.ts';

const MANAGER = 'endpointslicemirroring-controller.k8s.io';
const SKIP = 'endpointslice.kubernetes.io/skip-mirror';
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
const NOT_MIRRORED = [
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
];
const MAX_PER_SUBSET = 1000;

interface Address {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: JsonObject;
}

interface Endpoints extends KubeObject {
  subsets?: {
    addresses?: Address[];
    notReadyAddresses?: Address[];
    ports?: { name?: string; port: number; protocol?: string; appProtocol?: string }[];
  }[];
}

export function endpointSliceMirroringController(registry: ResourceRegistry, log: Log): KeyedController {
  const services = registry.get('', 'services')!;
  const endpoints = registry.get('', 'endpoints')!;
  const slices = registry.get('discovery.k8s.io', 'endpointslices')!;
  return new KeyedController({
    name: 'endpointslice-mirroring-controller',
    log,
    delayMs: BATCH_MS,
    follows: [
      { resource: endpoints, keysOf: (object) => [keyOf(object)] },
      { resource: services, keysOf: (service) => [keyOf(service)] },
      { resource: slices, keysOf: serviceOfSlice(MANAGER) },
    ],
    async work(key) {
      const id = splitKey(key);
      const source = readCached<Endpoints>(endpoints, id);
      const service = readCached<Service>(services, id);
      const present = slicesOf(slices, id, MANAGER);
      const isMirrored =
        source !== undefined && isForMirroring(source) && service !== undefined && !hasOwnSlices(service);
      if (isMirrored) await reconcileSlices(registry, present, groupsOf(source), templateOf(source));
      else for (const { metadata } of present) await deleteInternally(slices, metadata);
    },
  });
}

const isForMirroring = ({ metadata: { labels, annotations } }: Endpoints): boolean =>
  labels?.[SKIP] !== 'true' && annotations?.[LEADER] === undefined;

const hasOwnSlices = ({ spec }: Service): boolean => spec.selector !== undefined;

function templateOf({ metadata }: Endpoints): SliceTemplate {
  const { namespace, name, uid } = metadata;
  const annotations = { ...metadata.annotations };
  for (const annotation of NOT_MIRRORED) delete annotations[annotation];
  const owner = { apiVersion: 'v1', kind: 'Endpoints', name: name!, uid: uid! };
  return {
    metadata: {
      namespace: namespace!,
      generateName: namePrefix(name!),
      labels: { ...metadata.labels, [SERVICE_NAME]: name!, [SLICE_MANAGED_BY]: MANAGER },
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
  };
}

/** Subsets with the same ports share slices. */
function groupsOf({ subsets = [] }: Endpoints): EndpointGroup[] {
  const groups = new Map<string, EndpointGroup & { endpoints: Endpoint[] }>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    const slicePorts = ports.map(({ name = '', port, protocol = 'TCP', appProtocol }): SlicePort => {
      return { name, port, protocol, ...(appProtocol && { appProtocol }) };
    });
    const all = [
      ...addresses.map((address) => endpointOf(address, true)),
      ...notReadyAddresses.map((address) => endpointOf(address, false)),
    ].slice(0, MAX_PER_SUBSET);
    for (const endpoint of all) {
      const addressType = ipFamilyOf(endpoint.addresses[0]!) === 6 ? 'IPv6' : 'IPv4';
      const key = `${addressType} ${JSON.stringify(slicePorts)}`;
      const group = groups.get(key) ?? { addressType, ports: slicePorts, endpoints: [] };
      groups.set(key, group);
      group.endpoints.push(endpoint);
    }
  }
  return [...groups.values()];
}

const endpointOf = ({ ip, hostname, nodeName, targetRef }: Address, ready: boolean): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname && { hostname }),
  ...(targetRef && { targetRef }),
  ...(nodeName && { nodeName }),
});
