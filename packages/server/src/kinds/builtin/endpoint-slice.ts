// discovery.k8s.io/v1 EndpointSlice: some of the addresses of a service.

import {
  atomicList,
  bool,
  field,
  int32,
  listOf,
  mapOf,
  named,
  pointer,
  required,
  string,
  struct,
} from '@instar/kinds';
import { deepEqual, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { kind } from '../typed/object-meta.ts';
import { ObjectReference } from '../typed/object-reference.ts';
import {
  type EndpointSlice,
  validateEndpointSlice,
  validateEndpointSliceUpdate,
} from '../validate/endpoint-slice.ts';

const EndpointConditions = struct(
  'v1.EndpointConditions',
  'In which state an endpoint is. What is not said is unknown.',
  {
    ready: pointer(1, bool, 'Whether it is ready for traffic.'),
    serving: pointer(2, bool, 'Whether it answers, be it ending or not.'),
    terminating: pointer(3, bool, 'Whether it is ending.'),
  },
);
const ForZone = struct('v1.ForZone', 'A zone.', { name: required(1, string, 'The name of the zone.') });
const ForNode = struct('v1.ForNode', 'A node.', { name: required(1, string, 'The name of the node.') });
const EndpointHints = struct('v1.EndpointHints', 'From where an endpoint is best used.', {
  forZones: atomicList(1, ForZone, 'The zones that should use it. At most 8.'),
  forNodes: atomicList(2, ForNode, 'The nodes that should use it. At most 8.'),
});
const Endpoint = struct(
  'v1.Endpoint',
  'One endpoint, reached at one or more addresses that are the same to the client.',
  {
    addresses: required(
      1,
      listOf(string),
      'The addresses, of the type that the slice says. Between 1 and 100.',
      { listType: 'set' },
    ),
    conditions: field(2, EndpointConditions, 'In which state it is.'),
    hostname: pointer(3, string, 'Its host name.'),
    targetRef: pointer(4, ObjectReference, 'The object that it is.'),
    deprecatedTopology: field(5, mapOf(string), 'Topology of the v1beta1 API; not to be written.'),
    nodeName: pointer(6, string, 'The node on which it runs.'),
    zone: pointer(7, string, 'The zone in which it runs.'),
    hints: pointer(8, EndpointHints, 'From where it is best used.'),
  },
);
const EndpointPort = struct(
  'v1.EndpointPort',
  'One port of all endpoints of the slice.',
  {
    name: pointer(1, string, 'The name of the port, unique in the slice.', { default: '' }),
    protocol: pointer(2, named('v1.Protocol', 'SCTP', 'TCP', 'UDP'), 'TCP, UDP or SCTP.', { default: 'TCP' }),
    port: pointer(3, int32, 'The number of the port; every port when absent.'),
    appProtocol: pointer(4, string, 'The protocol that is spoken on the port.'),
  },
  { atomic: true },
);
const type = kind(
  'v1.EndpointSlice',
  'Some of the endpoints behind a service; a service may have several slices.',
  {
    addressType: required(
      4,
      named('v1.AddressType', 'FQDN', 'IPv4', 'IPv6'),
      'The type of all addresses: IPv4, IPv6 or FQDN. It cannot be changed.',
    ),
    endpoints: atomicList(2, Endpoint, 'The endpoints. At most 1000.', { keepEmpty: true, required: true }),
    ports: atomicList(3, EndpointPort, 'The ports that each endpoint has. At most 100 in practice.', {
      keepEmpty: true,
    }),
  },
);

const SHOWN = 3;
const objects = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

function shortList(texts: string[]): string {
  if (texts.length === 0) return '<unset>';
  const shown = texts.slice(0, SHOWN).join(',');
  return texts.length > SHOWN ? `${shown} + ${texts.length - SHOWN} more...` : shown;
}

const portsCell = ({ ports }: JsonObject): string =>
  shortList(objects(ports).map(({ port, name }) => String(port ?? name ?? '*')));
const endpointsCell = ({ endpoints }: JsonObject): string =>
  shortList(
    objects(endpoints).flatMap(({ addresses }) => (Array.isArray(addresses) ? addresses.map(String) : [])),
  );

function countGeneration(slice: KubeObject, old: KubeObject): void {
  const own = ({ metadata, ...rest }: KubeObject): JsonValue =>
    ({ ...rest, labels: metadata.labels ?? {} }) as JsonValue;
  if (!deepEqual(own(slice), own(old))) slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

export const endpointSlices = defineKind({
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
  storagePath: 'endpointslices/',
  versions: [
    {
      group: 'discovery.k8s.io',
      version: 'v1',
      type,
      columns: [
        nameColumn,
        column('AddressType', 'The type of all addresses.', ({ addressType }) => addressType ?? ''),
        column('Ports', 'The ports of the endpoints.', portsCell),
        column('Endpoints', 'The addresses of the endpoints.', endpointsCell),
        ageColumn,
      ],
    },
  ],
  strategy: {
    prepareForCreate: ({ metadata }) => {
      metadata.generation = 1;
    },
    prepareForUpdate: countGeneration,
    validateCreate: (slice) => validateEndpointSlice(slice as EndpointSlice),
    validateUpdate: (slice, old) => validateEndpointSliceUpdate(slice as EndpointSlice, old as EndpointSlice),
    warnings: (slice) =>
      (slice as EndpointSlice).addressType === 'FQDN'
        ? ['spec.addressType: FQDN endpoints are deprecated']
        : [],
  },
});
