// Resolves services. There is no cluster network here: a service is reached at the addresses of its
// endpoints, at its ExternalName, or at the address that the operator has configured.
import type { JsonValue } from '@instar/machinery';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

export interface ServiceAddresses {
  /** Rejects with upstream's text if there is no such service, or if it has no endpoints. */
  resolve(namespace: string, name: string, port: number): Promise<Address>;
}

/** "namespace/name" or "namespace/name:port" to "host:port". */
type ServiceMapping = Readonly<Record<string, string>>;

interface ServicePort {
  readonly name?: string;
  readonly port: number;
}

interface EndpointPort {
  readonly name?: string;
  readonly port?: number;
}

export function serviceAddresses(registry: ResourceRegistry, mapping: ServiceMapping): ServiceAddresses {
  return {
    async resolve(namespace, name, port) {
      return (
        mapped(mapping, namespace, name, port) ?? (await resolveObjects(registry, namespace, name, port))
      );
    },
  };
}

function mapped(mapping: ServiceMapping, namespace: string, name: string, port: number): Address | undefined {
  for (const key of [`${namespace}/${name}:${port}`, `${namespace}/${name}`]) {
    if (Object.hasOwn(mapping, key)) return parseAddress(mapping[key]!, port);
  }
  return undefined;
}

function parseAddress(text: string, defaultPort: number): Address {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain ?? text, port: port === undefined ? defaultPort : Number(port) };
}

async function resolveObjects(
  registry: ResourceRegistry,
  namespace: string,
  name: string,
  port: number,
): Promise<Address> {
  const service = await read(registry.get('', 'services'), namespace, name);
  if (service === undefined) throw new Error(`service ${JSON.stringify(name)} not found`);
  const spec = (service['spec'] ?? {}) as {
    type?: string;
    externalName?: string;
    clusterIP?: string;
    ports?: ServicePort[];
  };
  if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
  const servicePort = spec.ports?.find((candidate) => candidate.port === port);
  if (servicePort === undefined)
    throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const found = [
    ...(await endpoints(registry, namespace, name, servicePort.name ?? '')),
    ...(await slices(registry, namespace, name, servicePort.name ?? '')),
  ];
  if (found.length > 0) return found[Math.floor(Math.random() * found.length)]!;
  throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
}

async function read(
  resource: Resource | undefined,
  namespace: string,
  name: string,
): Promise<Record<string, unknown> | undefined> {
  await resource?.cache.waitUntilStarted();
  return resource?.cache.get(resource.key(namespace, name))?.parse();
}

async function endpoints(
  registry: ResourceRegistry,
  namespace: string,
  name: string,
  portName: string,
): Promise<Address[]> {
  const object = await read(registry.get('', 'endpoints'), namespace, name);
  const subsets = (object?.['subsets'] ?? []) as { addresses?: { ip: string }[]; ports?: EndpointPort[] }[];
  return subsets.flatMap(({ addresses = [], ports = [] }) =>
    combine(
      addresses.map(({ ip }) => ip),
      ports,
      portName,
    ),
  );
}

async function slices(
  registry: ResourceRegistry,
  namespace: string,
  name: string,
  portName: string,
): Promise<Address[]> {
  const resource = registry.get('discovery.k8s.io', 'endpointslices');
  await resource?.cache.waitUntilStarted();
  const found = resource?.cache.slice(resource.prefixOf(namespace)) ?? [];
  return found
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name)
    .flatMap((cached) => {
      const slice = cached.parse() as unknown as {
        endpoints?: SliceEndpoint[] | null;
        ports?: EndpointPort[] | null;
      };
      const ready = (slice.endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
      return combine(
        ready.flatMap(({ addresses }) => addresses),
        slice.ports ?? [],
        portName,
      );
    });
}

interface SliceEndpoint {
  readonly addresses: string[];
  readonly conditions?: { readonly ready?: JsonValue };
}

function combine(hosts: readonly string[], ports: readonly EndpointPort[], portName: string): Address[] {
  const port = ports.find(({ name = '' }) => name === portName)?.port;
  return port === undefined ? [] : hosts.map((host) => ({ host, port }));
}
