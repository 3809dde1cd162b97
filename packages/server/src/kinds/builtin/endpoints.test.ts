import { describe, expect, it } from 'vitest';
import { endpointSlices } from './endpoint-slice.ts';
import { endpoints } from './endpoints.ts';
import { Trial } from './trial.ts';

const old = new Trial(endpoints);
const slices = new Trial(endpointSlices);
const subset = (change: object) =>
  old
    .faults({ subsets: [{ addresses: [{ ip: '10.0.0.1' }], ...change }] })
    .map((text) => text.replace('subsets[0]', ''));
const endpoint = (change: object, addressType = 'IPv4') =>
  slices
    .faults({ addressType, endpoints: [{ addresses: ['10.0.0.1'], ...change }] })
    .map((text) => text.replace('endpoints[0].', ''));

describe('endpoints', () => {
  it.each([
    [{ ports: [{ port: 80 }] }, []],
    [{ addresses: [] }, [': Required value: must specify `addresses` or `notReadyAddresses`']],
    [{ ports: [{ port: 1 }, { name: 'b', port: 2 }] }, ['.ports[0].name: Required value']],
    [
      { addresses: [{ ip: '::1' }] },
      ['.addresses[0].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
    [
      { addresses: [{ ip: 'fe80::1' }] },
      [
        '.addresses[0].ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      ],
    ],
    [{ addresses: [{ ip: '::' }] }, ['.addresses[0].ip: Invalid value: "::": may not be unspecified (::)']],
    [
      { addresses: [{ ip: 'ff02::1' }] },
      [
        '.addresses[0].ip: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
    [{ addresses: [{ ip: '2001:db8::1' }] }, []],
    [
      { addresses: [{ ip: 'x' }] },
      [
        '.addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        '.addresses[0].ip: Invalid value: "x": must be a valid IP address',
      ],
    ],
  ])('are validated with %j', (change, faults) => {
    expect(subset(change)).toEqual(faults);
  });

  it('keep addresses that were accepted before', () => {
    const bad = { subsets: [{ addresses: [{ ip: '127.0.0.1' }] }] };
    expect(old.update(bad, bad).faults).toEqual([]);
  });

  it('show three addresses and the number of others', () => {
    const addresses = ['10.0.0.1', '10.0.0.2', '2001:db8::1', '10.0.0.4'].map((ip) => ({ ip }));
    expect(old.cells({ subsets: [{ addresses, ports: [{ port: 80 }] }] })[1]).toBe(
      '10.0.0.1:80,10.0.0.2:80,[2001:db8::1]:80 + 1 more...',
    );
    expect(old.cells({ subsets: [{ addresses: [{ ip: '10.0.0.1' }] }] })[1]).toBe('10.0.0.1');
    expect(old.cells({})[1]).toBe('<none>');
  });

  it('are answered with a warning that they are deprecated', () => {
    expect(endpoints.versions[0]).toMatchObject({
      deprecated: true,
      deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    });
  });
});

describe('endpoint slices', () => {
  it.each([
    [{}, 'IPv4', []],
    [{ addresses: [] }, 'IPv4', ['addresses: Required value: must contain at least 1 address']],
    [
      { addresses: ['2001:db8::1'] },
      'IPv4',
      ['addresses: Invalid value: "2001:db8::1": must be an IPv4 address'],
    ],
    [
      { addresses: ['example'] },
      'FQDN',
      [
        'addresses[0]: Invalid value: "example": should be a domain with at least two segments separated by dots',
      ],
    ],
    [{ addresses: ['example.com.'] }, 'FQDN', []],
    [
      { hostname: 'A' },
      'IPv4',
      [expect.stringContaining('hostname: Invalid value: "A": a lowercase RFC 1123 label')],
    ],
    [
      { hints: { forZones: [{ name: 'a' }, { name: 'a' }] } },
      'IPv4',
      ['hints.forZones[1].name: Duplicate value: "a"'],
    ],
  ])('are validated with %j and the type %s', (change, type, faults) => {
    expect(endpoint(change, type)).toEqual(faults);
  });

  it('have unique names of ports and an immutable type', () => {
    expect(slices.create({ addressType: 'IPv4', ports: [{}] })).toMatchObject({
      endpoints: null,
      ports: [{ name: '', protocol: 'TCP' }],
      metadata: { generation: 1 },
    });
    expect(slices.faults({ addressType: 'IPv4', ports: [{}, {}] })).toEqual([
      'ports[1].name: Duplicate value: ""',
    ]);
    expect(slices.faults({})).toEqual(['addressType: Required value']);
    expect(slices.update({ addressType: 'IPv6' }, { addressType: 'IPv4' })).toMatchObject({
      faults: ['addressType: Invalid value: "IPv6": field is immutable'],
      object: { metadata: { generation: 2 } },
    });
  });

  it('show their ports and addresses', () => {
    const ports = [{ port: 80 }, { name: 'x' }, {}];
    expect(
      slices.cells({ addressType: 'IPv4', ports, endpoints: [{ addresses: ['10.0.0.1', '10.0.0.2'] }] }),
    ).toEqual(['a', 'IPv4', '80,x,', '10.0.0.1,10.0.0.2', '<unknown>']);
    expect(slices.cells({ addressType: 'IPv4' })).toEqual(['a', 'IPv4', '<unset>', '<unset>', '<unknown>']);
  });
});
