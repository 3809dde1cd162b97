// Node ports of a service. Nobody listens on them here, so they are not allocated but follow from the service
// and its port, like addresses do: within 30000–32767, the same every time, and different within one service.
import type { Service, ServicePort } from '../validate/service.ts';

const FIRST = 30000;
const COUNT = 2768;

/**
 * Gives every port one that needs it and has none. An update that does not mention it means the one that is
 * there.
 */
export function giveNodePorts({ metadata, spec }: Service, old?: Service): void {
  const needed =
    spec.type === 'NodePort' ||
    (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
  if (!needed) return;
  const ports = spec.ports ?? [];
  for (const port of ports.filter(lacksOne)) {
    const taken = new Set(ports.map(({ nodePort }) => nodePort));
    const kept = old?.spec.ports?.find((other) => isSame(other, port))?.nodePort;
    port.nodePort =
      kept && !taken.has(kept)
        ? kept
        : freePort(`${metadata.namespace}/${metadata.name}:${port.port}/${port.protocol}`, taken);
  }
}

const lacksOne = ({ nodePort }: ServicePort): boolean => nodePort === undefined || nodePort === 0;
const isSame = (a: ServicePort, b: ServicePort): boolean => a.port === b.port && a.protocol === b.protocol;

function freePort(name: string, taken: ReadonlySet<number | undefined>): number {
  let offset = hashOf(name) % COUNT;
  while (taken.has(FIRST + offset)) offset = (offset + 1) % COUNT;
  return FIRST + offset;
}

/** FNV-1a: 32 bits from a name, well spread. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
