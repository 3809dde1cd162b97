import { describe, expect, it } from 'vitest';
import type { Service, ServicePort } from '../validate/service.ts';
import { giveNodePorts } from './service-node-ports.ts';

const service = (type: string, ports: Partial<ServicePort>[], more: object = {}): Service =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      type,
      sessionAffinity: 'None',
      ports: ports.map((port) => ({ protocol: 'TCP', ...port })),
      ...more,
    },
    status: {},
  }) as unknown as Service;
const given = (made: Service, old?: Service, taken: number[] = []): (number | undefined)[] => {
  giveNodePorts(made, new Set(taken), old);
  return made.spec.ports!.map(({ nodePort }) => nodePort);
};

describe('node ports', () => {
  it('are in the usual range, distinct and deterministic', () => {
    const ports = Array.from({ length: 200 }, (_, at) => ({ port: at + 1 }));
    const first = given(service('NodePort', ports));
    expect(new Set(first).size).toBe(200);
    for (const port of first) expect(port! >= 30000 && port! <= 32767).toBe(true);
    expect(given(service('LoadBalancer', ports))).toEqual(first);
  });

  it('are kept if set', () => {
    expect(given(service('NodePort', [{ port: 80, nodePort: 31000 }]))).toEqual([31000]);
  });

  it('are not given to services that need none', () => {
    expect(given(service('ClusterIP', [{ port: 80 }]))).toEqual([undefined]);
    expect(given(service('LoadBalancer', [{ port: 80 }], { allocateLoadBalancerNodePorts: false }))).toEqual([
      undefined,
    ]);
  });

  it('are kept by an update that does not mention them', () => {
    const old = service('NodePort', [{ port: 80, nodePort: 31000 }]);
    expect(given(service('NodePort', [{ port: 80 }]), old)).toEqual([31000]);
    const [moved, kept] = given(service('NodePort', [{ port: 80 }, { port: 81, nodePort: 31000 }]), old);
    expect(kept).toBe(31000);
    expect(moved).not.toBe(31000);
  });

  it('of other services are not given', () => {
    const [port] = given(service('NodePort', [{ port: 80 }]));
    expect(given(service('NodePort', [{ port: 80 }]), undefined, [port!])).not.toEqual([port]);
  });

  it('are the same for one port in two protocols', () => {
    const [tcp, udp] = given(service('NodePort', [{ port: 53 }, { port: 53, protocol: 'UDP' }]));
    expect(udp).toBe(tcp);
    expect(
      given(service('NodePort', [{ port: 53 }, { port: 53, protocol: 'UDP', nodePort: 31053 }])),
    ).toEqual([31053, 31053]);
  });
});
