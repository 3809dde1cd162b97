// What services and the pods behind them have in common for Endpoints and EndpointSlices: which pods a
// service selects, at which addresses and ports, and whether they are ready.
import { ipFamilyOf } from '@instar/go';
import type { KubeObject, ObjectMeta } from '@instar/machinery';
import type { CachedObject } from '../../../objects/cached-object.ts';
import type { Resource } from '../../../objects/resource.ts';
import { TimeSlice } from '../../../objects/time-slice.ts';

export interface ServicePort {
  name?: string;
  protocol?: string;
  appProtocol?: string;
  port: number;
  targetPort?: number | string;
}

export interface Service extends KubeObject {
  spec: {
    type?: string;
    selector?: Record<string, string>;
    clusterIP?: string;
    ipFamilies?: string[];
    ports?: ServicePort[];
    publishNotReadyAddresses?: boolean;
  };
}

interface Container {
  restartPolicy?: string;
  ports?: { name?: string; containerPort: number; protocol?: string }[];
}

/** What endpoints need of a pod: kept, so that a change of one pod does not parse all others again. */
export interface ServicePod {
  readonly metadata: ObjectMeta;
  readonly ips: readonly string[];
  readonly nodeName: string | undefined;
  readonly hostname: string | undefined;
  readonly subdomain: string | undefined;
  readonly isReady: boolean;
  readonly isOver: boolean;
  readonly isTerminating: boolean;
  readonly containers: readonly Container[];
}

const known = new WeakMap<CachedObject, ServicePod>();

function servicePod(cached: CachedObject): ServicePod {
  const kept = known.get(cached);
  if (kept !== undefined) return kept;
  const { spec, status } = cached.parse() as unknown as {
    spec: {
      nodeName?: string;
      hostname?: string;
      subdomain?: string;
      containers: Container[];
      initContainers?: Container[];
    };
    status?: {
      phase?: string;
      podIPs?: { ip: string }[];
      conditions?: { type: string; status: string }[];
    };
  };
  const { phase, podIPs = [], conditions = [] } = status ?? {};
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const pod: ServicePod = {
    metadata: cached.metadata,
    ips: podIPs.map(({ ip }) => ip),
    nodeName: spec.nodeName || undefined,
    hostname: spec.hostname || undefined,
    subdomain: spec.subdomain || undefined,
    isReady: conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
    isOver: phase === 'Succeeded' || phase === 'Failed',
    isTerminating: cached.metadata.deletionTimestamp != null,
    containers: [...spec.containers, ...sidecars].map(({ ports }) => (ports === undefined ? {} : { ports })),
  };
  known.set(cached, pod);
  return pod;
}

const selectors = new WeakMap<CachedObject, Record<string, string> | null>();

function selectorOf(service: CachedObject): Record<string, string> | null {
  let selector = selectors.get(service);
  if (selector === undefined) {
    selector = (service.parse() as Service).spec.selector ?? null;
    selectors.set(service, selector);
  }
  return selector;
}

function selects(selector: Record<string, string>, { metadata }: CachedObject): boolean {
  const labels = metadata.labels ?? {};
  return Object.entries(selector).every(
    ([label, value]) => Object.hasOwn(labels, label) && labels[label] === value,
  );
}

/** The names of the services that select a pod. */
export function servicesOf(pod: CachedObject, services: Resource): string[] {
  const prefix = services.prefixOf(pod.metadata.namespace!);
  return services.cache.slice(prefix).flatMap((service) => {
    const selector = selectorOf(service);
    return selector !== null && selects(selector, pod) ? [service.metadata.name!] : [];
  });
}

/** The pods with an address that a service selects, in the order of their names. */
export async function podsOf(service: Service, pods: Resource): Promise<ServicePod[]> {
  const slice = new TimeSlice();
  const selected: ServicePod[] = [];
  for (const cached of pods.cache.slice(pods.prefixOf(service.metadata.namespace!))) {
    await slice.yieldIfOver();
    if (!selects(service.spec.selector!, cached)) continue;
    const pod = servicePod(cached);
    if (!pod.isOver && pod.ips.length > 0) selected.push(pod);
  }
  return selected;
}

/** The number of the port of a pod that a port of a service leads to; undefined: the pod has none. */
export function portOf({ containers }: ServicePod, port: ServicePort): number | undefined {
  const { targetPort = port.port, protocol = 'TCP' } = port;
  if (typeof targetPort === 'number') return targetPort;
  return containers
    .flatMap(({ ports = [] }) => ports)
    .find((each) => each.name === targetPort && (each.protocol ?? 'TCP') === protocol)?.containerPort;
}

export const isIpv6 = (ip: string): boolean => ipFamilyOf(ip) === 6;

export const hasOwnHostname = (pod: ServicePod, service: Service): boolean =>
  pod.hostname !== undefined && pod.subdomain === service.metadata.name;

export const isHeadless = ({ spec }: Service): boolean =>
  spec.clusterIP === undefined || spec.clusterIP === '' || spec.clusterIP === 'None';

export const targetRefOf = ({ metadata: { namespace, name, uid } }: ServicePod) => ({
  kind: 'Pod',
  namespace: namespace!,
  name: name!,
  uid: uid!,
});
