// Endpoints of every service that has a selector: the addresses of its pods, by the ports that they have.
import { asJson, deepEqual, type KubeObject } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import { deleteInternally } from '../../controllers/internal-deletes.ts';
import { changeInternally, createInternally, readCached } from '../internal-objects.ts';
import { KeyedController, keyOf, splitKey } from '../keyed-controller.ts';
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

export const HEADLESS = 'service.kubernetes.io/headless';
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const MANAGER = 'endpoint-controller';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
const MAX_ADDRESSES = 1000;
/** Pods change several times when they start: their changes are collected. */
export const BATCH_MS = 100;

interface Port {
  name?: string;
  port: number;
  protocol: string;
  appProtocol?: string;
}

interface Address {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef: ReturnType<typeof targetRefOf>;
}

interface Subset {
  addresses?: Address[];
  notReadyAddresses?: Address[];
  ports?: Port[];
}

export function endpointsController(registry: ResourceRegistry, log: Log): KeyedController {
  const services = registry.get('', 'services')!;
  const pods = registry.get('', 'pods')!;
  const endpoints = registry.get('', 'endpoints')!;
  return new KeyedController({
    name: 'endpoints-controller',
    log,
    delayMs: BATCH_MS,
    follows: [
      { resource: services, keysOf: (service) => [keyOf(service)] },
      { resource: endpoints, keysOf: (object) => [keyOf(object)] },
      {
        resource: pods,
        keysOf: (pod) => servicesOf(pod, services).map((name) => `${pod.metadata.namespace}/${name}`),
      },
    ],
    async work(key) {
      const id = splitKey(key);
      const service = readCached<Service>(services, id);
      const present = readCached(endpoints, id);
      if (service === undefined) {
        // Those without the label were made by others.
        if (present?.metadata.labels?.[MANAGED_BY] === MANAGER) await deleteInternally(endpoints, id);
        return;
      }
      if (service.spec.selector === undefined || service.spec.type === 'ExternalName') return;
      const { subsets, isTruncated } = truncated(subsetsOf(service, await podsOf(service, pods)));
      const complete = (object: KubeObject): void => {
        object['subsets'] = subsets as never;
        object.metadata.labels = labelsOf(service);
        const { [OVER_CAPACITY]: _, ...annotations } = object.metadata.annotations ?? {};
        if (isTruncated) annotations[OVER_CAPACITY] = 'truncated';
        object.metadata.annotations = annotations;
      };
      if (present === undefined) {
        const object: KubeObject = { apiVersion: 'v1', kind: 'Endpoints', metadata: { ...id } };
        complete(object);
        await createInternally(registry, object);
      } else if (!isRight(present, service, subsets)) {
        await changeInternally(endpoints, id, complete);
      }
    },
  });
}

function isRight(present: KubeObject, service: Service, subsets: readonly Subset[]): boolean {
  return (
    deepEqual(asJson(present)['subsets'] ?? [], subsets as never) &&
    deepEqual(present.metadata.labels ?? {}, labelsOf(service))
  );
}

function labelsOf(service: Service): Record<string, string> {
  const { [HEADLESS]: _, ...labels } = service.metadata.labels ?? {};
  if (isHeadless(service)) labels[HEADLESS] = '';
  labels[MANAGED_BY] = MANAGER;
  return labels;
}

/** Pods that have the same ports share a subset. */
function subsetsOf(service: Service, pods: readonly ServicePod[]): Subset[] {
  const subsets = new Map<string, Subset>();
  for (const pod of pods) {
    if (pod.isTerminating && !service.spec.publishNotReadyAddresses) continue;
    const address = addressOf(pod, service);
    const ports = portsOf(pod, service);
    if (address === undefined || (ports.length === 0 && !hasNoPorts(service))) continue;
    const key = JSON.stringify(ports);
    const subset = subsets.get(key) ?? { ...(ports.length > 0 && { ports }) };
    subsets.set(key, subset);
    const list = pod.isReady || service.spec.publishNotReadyAddresses ? 'addresses' : 'notReadyAddresses';
    (subset[list] ??= []).push(address);
  }
  for (const { addresses = [], notReadyAddresses = [] } of subsets.values())
    for (const list of [addresses, notReadyAddresses]) list.sort(byIp);
  return [...subsets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { ports, ...rest }]) => ({
      ...rest,
      ...(ports && { ports }),
    }));
}

const hasNoPorts = ({ spec }: Service): boolean =>
  spec.clusterIP === 'None' && (spec.ports ?? []).length === 0;

const byIp = (a: Address, b: Address): number => {
  const [left, right] = [`${a.ip} ${a.targetRef.uid}`, `${b.ip} ${b.targetRef.uid}`];
  return left < right ? -1 : Number(left > right);
};

function addressOf(pod: ServicePod, service: Service): Address | undefined {
  const wantsIpv6 = (service.spec.ipFamilies?.[0] ?? 'IPv4') === 'IPv6';
  const ip = pod.ips.find((each) => isIpv6(each) === wantsIpv6);
  if (ip === undefined) return undefined;
  return {
    ip,
    ...(hasOwnHostname(pod, service) && { hostname: pod.hostname! }),
    ...(pod.nodeName !== undefined && { nodeName: pod.nodeName }),
    targetRef: targetRefOf(pod),
  };
}

function portsOf(pod: ServicePod, service: Service): Port[] {
  return (service.spec.ports ?? []).flatMap((each) => {
    const port = portOf(pod, each);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = each;
    return [{ ...(name !== '' && { name }), port, protocol, ...(appProtocol && { appProtocol }) }];
  });
}

/** An object has room for a thousand addresses; ready ones come first. */
function truncated(subsets: Subset[]): { subsets: Subset[]; isTruncated: boolean } {
  let room = MAX_ADDRESSES;
  let isTruncated = false;
  const take = (addresses: Address[] | undefined): Address[] | undefined => {
    if (addresses === undefined) return undefined;
    const taken = addresses.slice(0, room);
    room -= taken.length;
    isTruncated ||= taken.length < addresses.length;
    return taken.length === 0 ? undefined : taken;
  };
  const ready = subsets.map(({ addresses }) => take(addresses));
  const notReady = subsets.map(({ notReadyAddresses }) => take(notReadyAddresses));
  const kept = subsets.flatMap(({ ports }, index): Subset[] => {
    const [addresses, notReadyAddresses] = [ready[index], notReady[index]];
    if (addresses === undefined && notReadyAddresses === undefined) return [];
    return [
      {
        ...(addresses && { addresses }),
        ...(notReadyAddresses && { notReadyAddresses }),
        ...(ports && { ports }),
      },
    ];
  });
  return { subsets: kept, isTruncated };
}
