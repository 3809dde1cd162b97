// Node ports of a service. Nothing listens on them here, so they are not allocated but derived from the
// service and its port, as addresses are: within 30000–32767, deterministic unless another service has the
// port.
import { type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import type { Service, ServicePort } from '../validate/service.ts';

const FIRST = 30000;
const LAST = 32767;
const COUNT = LAST - FIRST + 1;
const PORTS = FieldPath.of('spec', 'ports');

const NODE_PORT = Buffer.from('odePort":');

/** The node ports of all other services. */
export function takenNodePorts({ metadata }: Service, { resource }: WriteContext): Set<number> {
  const taken = new Set<number>();
  for (const sibling of resource?.cache.values() ?? []) {
    if (!sibling.mentions(NODE_PORT)) continue;
    const other = sibling.parse() as Service;
    if (other.metadata.namespace === metadata.namespace && other.metadata.name === metadata.name) continue;
    for (const port of nodePortsOf(other)) taken.add(port);
  }
  return taken;
}

const nodePortsOf = ({ spec: { ports = [], healthCheckNodePort = 0 } }: Service): number[] =>
  [healthCheckNodePort, ...ports.map(({ nodePort = 0 }) => nodePort)].filter((port) => port !== 0);

const hasNodePorts = ({ spec: { type } }: Service): boolean => type === 'NodePort' || type === 'LoadBalancer';

/**
 * Gives a node port to every port that needs one and has none. An update without node ports keeps the
 * existing ones. As upstream, a port that a new service has in several protocols gets the same one in all.
 */
export function giveNodePorts(service: Service, taken: ReadonlySet<number>, old?: Service): void {
  const { metadata, spec } = service;
  giveHealthCheckPort(service, taken, old);
  if (
    !hasNodePorts(service) ||
    (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts === false)
  )
    return;
  const ports = spec.ports ?? [];
  for (const port of ports.filter(lacksOne)) {
    const used = new Set([...taken, ...nodePortsOf(service)]);
    const kept = old?.spec.ports?.find((other) => isSame(other, port))?.nodePort;
    const shared =
      old === undefined ? ports.find((other) => other.port === port.port && !lacksOne(other)) : undefined;
    if (shared !== undefined) port.nodePort = shared.nodePort!;
    else if (kept && !used.has(kept)) port.nodePort = kept;
    else
      port.nodePort = freePort(`${metadata.namespace}/${metadata.name}:${port.port}/${port.protocol}`, used);
  }
}

/** A balancer that stays local asks each node on a port whether it has endpoints. */
function giveHealthCheckPort({ metadata, spec }: Service, taken: ReadonlySet<number>, old?: Service): void {
  if (spec.type !== 'LoadBalancer' || spec.externalTrafficPolicy !== 'Local') return;
  if ((spec.healthCheckNodePort ?? 0) !== 0) return;
  const name = `${metadata.namespace}/${metadata.name}:health`;
  spec.healthCheckNodePort = old?.spec.healthCheckNodePort || freePort(name, taken);
}

/** Of those that the client requests and the service does not have yet. As upstream, only the first fault. */
export function validateNodePortsFree(
  service: Service,
  taken: ReadonlySet<number>,
  old?: Service,
): FieldError[] {
  if (!hasNodePorts(service)) return [];
  const had = new Set(old === undefined ? [] : nodePortsOf(old));
  for (const [index, { nodePort = 0 }] of (service.spec.ports ?? []).entries()) {
    if (nodePort === 0 || had.has(nodePort)) continue;
    const fault = faultOf(nodePort, taken);
    if (fault !== undefined)
      return [fieldErrors.invalid(PORTS.index(index).child('nodePort'), nodePort, fault)];
  }
  return [];
}

function faultOf(nodePort: number, taken: ReadonlySet<number>): string | undefined {
  if (nodePort < FIRST || nodePort > LAST)
    return `provided port is not in the valid range. The range of valid ports is ${FIRST}-${LAST}`;
  return taken.has(nodePort) ? 'provided port is already allocated' : undefined;
}

const lacksOne = ({ nodePort }: ServicePort): boolean => nodePort === undefined || nodePort === 0;
const isSame = (a: ServicePort, b: ServicePort): boolean => a.port === b.port && a.protocol === b.protocol;

/** If all are taken, the one derived from the name: nothing listens there. */
function freePort(name: string, taken: ReadonlySet<number>): number {
  const first = hashOf(name) % COUNT;
  for (let offset = first; offset < first + COUNT; offset++) {
    const port = FIRST + (offset % COUNT);
    if (!taken.has(port)) return port;
  }
  return FIRST + first;
}

/** FNV-1a: a 32-bit hash of a name. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
