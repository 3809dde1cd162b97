import { describe, expect, it } from 'vitest';
import { ingresses } from './ingress.ts';
import { ingressClasses } from './ingress-class.ts';
import { ipAddresses } from './ip-address.ts';
import { networkPolicies } from './network-policy.ts';
import { serviceCidrs } from './service-cidr.ts';
import { Trial } from './trial.ts';

const backend = { service: { name: 's', port: { number: 80 } } };
const path = (rest: object) => ({
  spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...rest }] } }] },
});

describe('ingresses', () => {
  const trial = new Trial(ingresses);

  it.each([
    ['neither rules nor a backend', { spec: {} }, 'either `defaultBackend` or `rules` must be specified'],
    ['a path that is not absolute', path({ path: 'a' }), 'must be an absolute path'],
    ['a path with a double slash', path({ path: '/a//b' }), "must not contain '//'"],
    ['no type of path', path({ pathType: undefined }), 'pathType: Required value'],
    ['no port', path({ backend: { service: { name: 's' } } }), 'port name or number is required'],
    ['an address as host', { spec: { rules: [{ host: '10.0.0.1' }] } }, 'must be a DNS name, not an IP'],
    ['a wildcard inside a host', { spec: { rules: [{ host: 'a.*.b' }] } }, 'a wildcard DNS-1123 subdomain'],
  ])('are refused with %s', (_what, ingress, text) => {
    expect(trial.faults(ingress).join()).toContain(text);
  });

  it('count the changes of their spec', () => {
    expect(trial.create(path({})).metadata.generation).toBe(1);
    expect(trial.update(path({ path: '/b' }), path({})).object.metadata.generation).toBe(2);
  });
});

describe('ingress classes', () => {
  const trial = new Trial(ingressClasses);
  const parameters = { kind: 'K', name: 'n' };

  it('have parameters of the cluster unless they say otherwise', () => {
    expect(trial.create({ spec: { controller: 'a.com/b', parameters } })['spec']).toMatchObject({
      parameters: { scope: 'Cluster' },
    });
  });

  it('need a controller with a domain', () => {
    expect(trial.faults({ spec: { controller: 'x' } }).join()).toContain('must be a domain-prefixed path');
  });
});

describe('network policies', () => {
  const trial = new Trial(networkPolicies);

  it('are for incoming connections, and for outgoing ones if they have rules for them', () => {
    expect(trial.create({ spec: {} })['spec']).toMatchObject({ policyTypes: ['Ingress'] });
    expect(trial.create({ spec: { egress: [{}] } })['spec']).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it.each([
    ['a peer of nothing', [{}], 'must specify a peer'],
    ['a network that is none', [{ ipBlock: { cidr: 'x' } }], 'must be a valid CIDR value'],
    [
      'an exception outside the network',
      [{ ipBlock: { cidr: '10.0.0.0/24', except: ['10.1.0.0/28'] } }],
      'must be a strict subset of `cidr`',
    ],
  ])('are refused with %s', (_what, from, text) => {
    expect(trial.faults({ spec: { ingress: [{ from }] } }).join()).toContain(text);
  });
});

describe('addresses and ranges', () => {
  it('are in canonical form', () => {
    const parentRef = { resource: 'services', name: 's' };
    const address = (name: string) => ({ metadata: { name }, spec: { parentRef } });
    expect(new Trial(ipAddresses).faults(address('10.0.0.1'))).toEqual([]);
    expect(new Trial(ipAddresses).faults(address('2001:DB8::1')).join()).toContain('canonical form');
    expect(new Trial(serviceCidrs).faults({ spec: { cidrs: ['10.0.0.1/24'] } }).join()).toContain(
      'must not have bits set beyond the prefix length',
    );
  });

  it('get a second family, and change in no other way', () => {
    const trial = new Trial(serviceCidrs);
    const cidrs = (...list: string[]) => ({ spec: { cidrs: list } });
    expect(trial.update(cidrs('10.0.0.0/24', '2001:db8::/64'), cidrs('10.0.0.0/24')).faults).toEqual([]);
    expect(trial.update(cidrs('10.1.0.0/24'), cidrs('10.0.0.0/24')).faults.join()).toContain('immutable');
  });
});
