import { describe, expect, it } from 'vitest';
import { services } from './service.ts';
import { Trial } from './trial.ts';

const trial = new Trial(services);
const ports = [{ port: 80 }];
const faults = (spec: object) => trial.faults({ spec });

describe('services', () => {
  it('have defaults', () => {
    const service = trial.create({
      metadata: { name: 'a', namespace: 'b' },
      spec: { ports, selector: { app: 'x' } },
    });
    expect(service).toMatchObject({
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
      status: { loadBalancer: {} },
    });
  });

  it('are given a stable cluster IP', () => {
    const service = trial.create({
      metadata: { name: 'a', namespace: 'b' },
      spec: { ports, selector: { app: 'x' } },
    });
    const { clusterIP, clusterIPs } = service['spec'] as { clusterIP: string; clusterIPs: string[] };
    expect(clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/);
    expect(clusterIPs).toEqual([clusterIP]);
    expect(trial.create({ metadata: { name: 'a', namespace: 'b' }, spec: { ports } })['spec']).toMatchObject({
      clusterIP,
    });
    expect(trial.update({ spec: { ports } }, { spec: { ports } })).toMatchObject({
      faults: [],
      object: { spec: { clusterIP: expect.any(String) } },
    });
  });

  it('of other types have other defaults', () => {
    expect(trial.create({ spec: { type: 'LoadBalancer', ports } })).toMatchObject({
      spec: { externalTrafficPolicy: 'Cluster', allocateLoadBalancerNodePorts: true },
    });
    expect(
      trial.create({ spec: { type: 'ExternalName', externalName: 'x.example.com' } })['spec'],
    ).not.toHaveProperty('clusterIP');
    expect(trial.create({ spec: { clusterIP: 'None', selector: { a: 'b' } } })).toMatchObject({
      spec: { clusterIPs: ['None'], ipFamilies: ['IPv4'] },
    });
    expect(trial.create({ spec: { ports, sessionAffinity: 'ClientIP' } })).toMatchObject({
      spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } },
    });
  });

  it.each([
    [{}, ['spec.ports: Required value']],
    [{ clusterIP: 'None' }, []],
    [
      { ports: [{ port: 0 }] },
      [
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      { ports: [{ port: 1 }, { port: 2 }] },
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    [
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      },
      ['spec.ports[1].name: Duplicate value: "a"'],
    ],
    [
      { ports: [{ port: 1, protocol: 'IP' }] },
      ['spec.ports[0].protocol: Unsupported value: "IP": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      { ports: [{ port: 1, targetPort: 'Web' }] },
      [
        'spec.ports[0].targetPort: Invalid value: "Web": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      ],
    ],
    [
      { ports: [{ port: 1, nodePort: 30000 }] },
      [`spec.ports[0].nodePort: Forbidden: may not be used when \`type\` is 'ClusterIP'`],
    ],
    [
      { ports, type: 'Odd' },
      [
        'spec.type: Unsupported value: "Odd": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      { ports, type: 'NodePort', clusterIP: 'None' },
      [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`],
    ],
    [
      { ports, clusterIP: 'x' },
      [
        'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      { ports, externalIPs: ['127.0.0.1'] },
      [
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [{ type: 'ExternalName' }, ['spec.externalName: Required value']],
    [
      { ports, selector: { 'a b': 'c' } },
      [expect.stringContaining('spec.selector: Invalid value: "a b": name part must consist of')],
    ],
    [
      { ports, sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
      ],
    ],
    [
      { ports, loadBalancerClass: 'x' },
      [`spec.loadBalancerClass: Forbidden: may only be used when \`type\` is 'LoadBalancer'`],
    ],
  ])('are validated with the spec %j', (spec, expected) => {
    expect(faults(spec)).toEqual(expected);
  });

  it('cannot change their address', () => {
    expect(
      trial.update({ spec: { ports, clusterIP: '10.96.1.1' } }, { spec: { ports, clusterIP: '10.96.1.2' } })
        .faults,
    ).toEqual(['spec.clusterIPs[0]: Invalid value: ["10.96.1.1"]: may not change once set']);
  });

  it('drop the fields that a new type does not have', () => {
    const balancer = trial.create({ spec: { ports: [{ port: 80, nodePort: 30000 }], type: 'LoadBalancer' } });
    const { object, faults: none } = trial.update(
      { spec: { ...(balancer['spec'] as object), type: 'ClusterIP' } },
      balancer,
    );
    expect(none).toEqual([]);
    expect(object['spec']).not.toHaveProperty('allocateLoadBalancerNodePorts');
    expect(object['spec']).toMatchObject({ ports: [{ port: 80 }] });
    const toName = trial.update(
      {
        spec: {
          ...(trial.create({ spec: { ports } })['spec'] as object),
          type: 'ExternalName',
          externalName: 'x',
        },
      },
      { spec: { ports } },
    );
    expect(toName.faults).toEqual([]);
  });

  it('change status only through its subresource', () => {
    const status = { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } };
    expect(trial.update({ spec: { ports }, status }, { spec: { ports } }).object).toMatchObject({
      status: { loadBalancer: {} },
    });
    expect(
      trial.update(
        { spec: { type: 'LoadBalancer', ports }, status },
        { spec: { type: 'LoadBalancer', ports } },
        'status',
      ).object,
    ).toMatchObject({
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }] } },
    });
  });

  it('show their addresses and ports', () => {
    expect(trial.columnNames).toEqual([
      'Name',
      'Type',
      'Cluster-IP',
      'External-IP',
      'Port(s)',
      'Age',
      'Selector*',
    ]);
    expect(
      trial.cells({
        spec: {
          type: 'NodePort',
          clusterIP: '10.96.1.1',
          ports: [{ port: 80, nodePort: 30000 }],
          selector: { b: '2', a: '1' },
        },
      }),
    ).toEqual(['a', 'NodePort', '10.96.1.1', '<none>', '80:30000/TCP', '<unknown>', 'a=1,b=2']);
    expect(trial.cells({ spec: { type: 'ExternalName', externalName: 'x.example.com' } })).toEqual([
      'a',
      'ExternalName',
      '<none>',
      'x.example.com',
      '<none>',
      '<unknown>',
      '<none>',
    ]);
    expect(trial.cells({ spec: { type: 'LoadBalancer', clusterIP: '10.96.1.1', ports } })[3]).toBe(
      '<pending>',
    );
  });

  it('may have load balancer ingress only with the type LoadBalancer', () => {
    const status = { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: '1.2.3.4', ipMode: 'VIP' }] } };
    expect(trial.update({ spec: { ports }, status }, { spec: { ports } }, 'status').faults).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
    const spec = { type: 'LoadBalancer', ports };
    expect(trial.update({ spec, status }, { spec }, 'status').faults).toEqual([
      'status.loadBalancer.ingress[1].ipMode: Forbidden: may not be specified when `ip` is not set',
      'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ]);
  });
});
