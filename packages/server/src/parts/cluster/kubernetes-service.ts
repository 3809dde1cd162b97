// Keeps default/kubernetes leading to this server: the port of the service, and its Endpoints and
// EndpointSlice, which are as kube-apiserver has them. They are set again when somebody changes them.
import { networkInterfaces } from 'node:os';
import { asJson, deepEqual, type JsonValue, type KubeObject } from '@instar/machinery';
import type { ResolvedOptions } from '../../api/options.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { isIpv6 } from './endpoints/service-pods.ts';
import { changeInternally, createInternally, readCached } from './internal-objects.ts';
import { KeyedController } from './keyed-controller.ts';

const ID = { namespace: 'default', name: 'kubernetes' };
const KEY = `${ID.namespace}/${ID.name}`;
const PORT_NAME = 'https';
const WRITER = { manager: 'kube-apiserver' };

interface OwnAddress {
  readonly ip: string;
  readonly port: number;
}

export function kubernetesService(
  registry: ResourceRegistry,
  options: ResolvedOptions,
  port: number,
): KeyedController {
  const services = registry.get('', 'services')!;
  const endpoints = registry.get('', 'endpoints')!;
  const slices = registry.get('discovery.k8s.io', 'endpointslices')!;
  const ip = options.advertiseAddress ?? advertisable(options.bindAddress);
  const follow = (resource: Resource) => ({
    resource,
    keysOf: ({ key }: { key: string }) => (key === resource.key(ID.namespace, ID.name) ? [KEY] : []),
  });
  const controller = new KeyedController({
    name: 'kubernetes-service',
    log: options.log,
    follows: [services, endpoints, slices].map(follow),
    async work() {
      await changeInternally(services, ID, (service) => lead(service, port), WRITER);
      // Loopback addresses cannot be endpoints: a machine without another one has none to offer.
      if (ip === undefined) return;
      await put(registry, endpoints, endpointsOf({ ip, port }));
      await put(registry, slices, sliceOf({ ip, port }));
    },
  });
  // Also when none of the three is there.
  controller.add(KEY);
  return controller;
}

function lead(service: KubeObject, port: number): void {
  const spec = service['spec'] as { ports?: { name?: string; targetPort?: number | string }[] };
  const own = spec.ports?.find(({ name }) => name === PORT_NAME);
  if (own !== undefined) own.targetPort = port;
}

/** The address that is listened on, unless it is none that others could use. */
function advertisable(bindAddress: string): string | undefined {
  const isOwn =
    !['0.0.0.0', '::', '::1', 'localhost'].includes(bindAddress) && !bindAddress.startsWith('127.');
  if (isOwn) return bindAddress;
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ internal, address }) => !internal && !address.startsWith('fe80:') && !address.startsWith('169.254.'),
    );
  return (others.find(({ family }) => family === 'IPv4') ?? others[0])?.address;
}

const endpointsOf = ({ ip, port }: OwnAddress): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { ...ID, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
  subsets: [{ addresses: [{ ip }], ports: [{ name: PORT_NAME, port, protocol: 'TCP' }] }],
});

const sliceOf = ({ ip, port }: OwnAddress): KubeObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...ID, labels: { 'kubernetes.io/service-name': ID.name } },
  addressType: isIpv6(ip) ? 'IPv6' : 'IPv4',
  endpoints: [{ addresses: [ip], conditions: { ready: true } }],
  ports: [{ name: PORT_NAME, port, protocol: 'TCP' }],
});

/** What differs is set; the rest of the object stays. */
async function put(registry: ResourceRegistry, resource: Resource, wanted: KubeObject): Promise<void> {
  const { apiVersion: _, kind: __, metadata, ...rest } = wanted;
  const present = readCached(resource, ID);
  if (present === undefined) return createInternally(registry, wanted, WRITER);
  const isRight =
    Object.entries(rest).every(([name, value]) => deepEqual(asJson(present)[name], value as JsonValue)) &&
    Object.entries(metadata.labels!).every(([name, value]) => present.metadata.labels?.[name] === value);
  if (isRight) return undefined;
  return changeInternally(
    resource,
    ID,
    (object) => {
      Object.assign(object, structuredClone(rest));
      object.metadata.labels = { ...object.metadata.labels, ...metadata.labels };
    },
    WRITER,
  );
}
