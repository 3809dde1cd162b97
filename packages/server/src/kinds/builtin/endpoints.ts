// v1 Endpoints: the addresses of a service, replaced by EndpointSlice. No controller writes them here;
// clients may.

import { ipFamilyOf, nameIsDnsSubdomain, validateDns1123Label } from '@instar/go';
import { atomicList, field, int32, named, pointer, required, string, struct } from '@instar/kinds';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { kind } from '../typed/object-meta.ts';
import { ObjectReference } from '../typed/object-reference.ts';
import { type NamedPort, validateIp, validatePort, validateReachableIp } from '../validate/address.ts';

interface Address {
  ip: string;
  hostname?: string;
  nodeName?: string;
}

interface Subset {
  addresses?: Address[];
  notReadyAddresses?: Address[];
  ports?: NamedPort[];
}

interface Endpoints extends KubeObject {
  subsets?: Subset[];
}

const EndpointAddress = struct(
  'v1.EndpointAddress',
  'One address.',
  {
    ip: required(1, string, 'The IP address.'),
    hostname: field(3, string, 'The host name of the address.'),
    nodeName: pointer(4, string, 'The node that has the address.'),
    targetRef: pointer(2, ObjectReference, 'The object that has the address.'),
  },
  { atomic: true },
);
const EndpointPort = struct(
  'v1.EndpointPort',
  'One port.',
  {
    name: field(
      1,
      string,
      'The name of the port: that of the port of the service. Needed when there are several.',
    ),
    port: required(2, int32, 'The number of the port.'),
    protocol: field(3, named('v1.Protocol', 'SCTP', 'TCP', 'UDP'), 'TCP, UDP or SCTP.', { default: 'TCP' }),
    appProtocol: pointer(4, string, 'The protocol that is spoken on the port.'),
  },
  { atomic: true },
);
const EndpointSubset = struct('v1.EndpointSubset', 'Addresses that have the same ports.', {
  addresses: atomicList(1, EndpointAddress, 'Addresses that are ready.'),
  notReadyAddresses: atomicList(2, EndpointAddress, 'Addresses that are not ready yet, or no longer.'),
  ports: atomicList(3, EndpointPort, 'The ports of these addresses.'),
});
const type = kind('v1.Endpoints', 'The addresses behind a service. EndpointSlices have taken its place.', {
  subsets: atomicList(2, EndpointSubset, 'All addresses, by the ports they have.'),
});

function validateSubsets(subsets: readonly Subset[]): FieldError[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const path = FieldPath.of('subsets').index(index);
    const none = addresses.length + notReadyAddresses.length === 0;
    return [
      ...(none ? [fieldErrors.required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...addresses.flatMap((address, at) => validateAddress(address, path.child('addresses').index(at))),
      ...notReadyAddresses.flatMap((address, at) =>
        validateAddress(address, path.child('notReadyAddresses').index(at)),
      ),
      ...ports.flatMap((port, at) => validatePort(port, ports.length > 1, path.child('ports').index(at))),
    ];
  });
}

function validateAddress({ ip, hostname = '', nodeName }: Address, path: FieldPath): FieldError[] {
  const invalid = (name: string, value: string) => (reason: string) =>
    fieldErrors.invalid(path.child(name), value, reason);
  return [
    ...validateIp(ip, path.child('ip')),
    ...(hostname === '' ? [] : validateDns1123Label(hostname).map(invalid('hostname', hostname))),
    ...(nodeName === undefined ? [] : nameIsDnsSubdomain(nodeName, false).map(invalid('nodeName', nodeName))),
    ...(ipFamilyOf(ip) !== undefined
      ? validateReachableIp(ip, path.child('ip'))
      : [fieldErrors.invalid(path.child('ip'), ip, 'must be a valid IP address')]),
  ];
}

/** What an older server accepted must not prevent other changes. */
function validateUpdate(endpoints: Endpoints, old: Endpoints): FieldError[] {
  return deepEqual(endpoints.subsets as JsonValue, old.subsets as JsonValue)
    ? []
    : validateSubsets(endpoints.subsets ?? []);
}

const SHOWN = 3;
const objects = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

function addressesCell({ subsets }: JsonObject): string {
  if (objects(subsets).length === 0) return '<none>';
  const all = objects(subsets).flatMap((subset) => {
    const ips = objects(subset['addresses']).map(({ ip }) => String(ip));
    const ports = objects(subset['ports']);
    return ports.length === 0
      ? ips
      : ports.flatMap(({ port }) =>
          ips.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
        );
  });
  const shown = all.slice(0, SHOWN).join(',');
  return all.length > SHOWN ? `${shown} + ${all.length - SHOWN} more...` : shown;
}

export const endpoints = defineKind({
  plural: 'endpoints',
  kind: 'Endpoints',
  shortNames: ['ep'],
  namespaced: true,
  storagePath: 'services/endpoints/',
  versions: [
    {
      group: '',
      version: 'v1',
      type,
      deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
      columns: [
        nameColumn,
        column('Endpoints', 'The addresses that are ready, with their ports.', addressesCell),
        ageColumn,
      ],
    },
  ],
  strategy: {
    validateCreate: (object) => validateSubsets((object as Endpoints).subsets ?? []),
    validateUpdate: (object, old) => validateUpdate(object as Endpoints, old as Endpoints),
    allowCreateOnUpdate: true,
  },
});
