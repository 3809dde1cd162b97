// What the types of discovery/v1 and their fields are, for OpenAPI and kubectl explain.
import type { Descriptions } from './descriptions.ts';

export const descriptions: Descriptions = {
  EndpointSlice: {
    '': 'Some of the endpoints behind a service; a service may have several slices.',
    metadata: 'Name, labels and what else all objects have.',
    addressType: 'The type of all addresses: IPv4, IPv6 or FQDN. It cannot be changed.',
    endpoints: 'The endpoints. At most 1000.',
    ports: 'The ports that each endpoint has. At most 100 in practice.',
  },
  Endpoint: {
    '': 'One endpoint, reached at one or more addresses that are the same to the client.',
    addresses: 'The addresses, of the type that the slice says. Between 1 and 100.',
    conditions: 'In which state it is.',
    hostname: 'Its host name.',
    targetRef: 'The object that it is.',
    deprecatedTopology: 'Topology of the v1beta1 API; not to be written.',
    nodeName: 'The node on which it runs.',
    zone: 'The zone in which it runs.',
    hints: 'From where it is best used.',
  },
  EndpointConditions: {
    '': 'In which state an endpoint is. What is not said is unknown.',
    ready: 'Whether it is ready for traffic.',
    serving: 'Whether it answers, be it ending or not.',
    terminating: 'Whether it is ending.',
  },
  EndpointHints: {
    '': 'From where an endpoint is best used.',
    forZones: 'The zones that should use it. At most 8.',
    forNodes: 'The nodes that should use it. At most 8.',
  },
  ForZone: {
    '': 'A zone.',
    name: 'The name of the zone.',
  },
  ForNode: {
    '': 'A node.',
    name: 'The name of the node.',
  },
  EndpointPort: {
    '': 'One port of all endpoints of the slice.',
    name: 'The name of the port, unique in the slice.',
    protocol: 'TCP, UDP or SCTP.',
    port: 'The number of the port; every port when absent.',
    appProtocol: 'The protocol that is spoken on the port.',
  },
};
