// The Go type of v1 Service.

import {
  atomicList,
  bool,
  field,
  int32,
  intOrString,
  listOf,
  mapOf,
  named,
  pointer,
  required,
  string,
  struct,
} from '@instar/kinds';
import { conditionsField } from '../typed/condition.ts';
import { kind } from '../typed/object-meta.ts';

const Protocol = named('v1.Protocol', 'SCTP', 'TCP', 'UDP');

const ServicePort = struct('v1.ServicePort', 'One port of a service.', {
  name: field(1, string, 'The name of the port. Needed when there are several.'),
  protocol: field(2, Protocol, 'TCP, UDP or SCTP.', { default: 'TCP' }),
  appProtocol: pointer(6, string, 'The protocol that is spoken on the port, as a hint.'),
  port: required(3, int32, 'The number under which the service offers the port.'),
  targetPort: field(
    4,
    intOrString,
    'The number or name of the port at the pods. The same number when absent.',
  ),
  nodePort: field(
    5,
    int32,
    'The port of every node that leads to the service, for the types NodePort and LoadBalancer.',
  ),
});

const ClientIPConfig = struct('v1.ClientIPConfig', 'Affinity by the address of the client.', {
  timeoutSeconds: pointer(1, int32, 'For how long a client stays with its pod, from 1 to 86400 seconds.'),
});
const SessionAffinityConfig = struct('v1.SessionAffinityConfig', 'Details of the affinity.', {
  clientIP: pointer(1, ClientIPConfig, 'Affinity by the address of the client.'),
});

const ServiceSpec = struct('v1.ServiceSpec', 'What the service offers, and how.', {
  ports: field(1, listOf(ServicePort), 'The ports that the service offers.', {
    listType: 'map',
    mapKeys: ['port', 'protocol'],
    patch: { strategy: 'merge', key: 'port' },
  }),
  selector: field(
    2,
    mapOf(string),
    'The labels of the pods that traffic goes to. Without it the endpoints must be written separately.',
    {
      atomic: true,
    },
  ),
  clusterIP: field(
    3,
    string,
    'The address of the service, or None for a headless service. The server picks one when it is empty.',
  ),
  clusterIPs: atomicList(
    18,
    string,
    'The addresses of the service, one a family; the first equals clusterIP.',
  ),
  type: field(
    4,
    named('v1.ServiceType', 'ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'),
    'How the service is exposed.',
    {
      default: 'ClusterIP',
    },
  ),
  externalIPs: atomicList(5, string, 'Further addresses at which nodes take traffic for the service.'),
  sessionAffinity: field(
    7,
    named('v1.ServiceAffinity', 'ClientIP', 'None'),
    'Whether a client stays with one pod: None or ClientIP.',
    {
      default: 'None',
    },
  ),
  loadBalancerIP: field(
    8,
    string,
    'An address to request from the load balancer; not all of them support it.',
  ),
  loadBalancerSourceRanges: atomicList(9, string, 'The ranges from which the load balancer takes traffic.'),
  externalName: field(10, string, 'The DNS name that the service refers to, for the type ExternalName.'),
  externalTrafficPolicy: field(
    11,
    named('v1.ServiceExternalTrafficPolicy', 'Cluster', 'Local'),
    'Whether traffic from outside goes to pods of all nodes (Cluster) or of the same one (Local).',
  ),
  healthCheckNodePort: field(
    12,
    int32,
    'The port of a node that load balancers ask whether it has pods of the service.',
  ),
  publishNotReadyAddresses: field(13, bool, 'True to publish addresses before they are ready, and after.'),
  sessionAffinityConfig: pointer(14, SessionAffinityConfig, 'Details of the affinity.'),
  ipFamilies: atomicList(
    19,
    named('v1.IPFamily', 'IPv4', 'IPv6'),
    'The families of the addresses of the service.',
  ),
  ipFamilyPolicy: pointer(
    17,
    named('v1.IPFamilyPolicy', 'PreferDualStack', 'RequireDualStack', 'SingleStack'),
    'Whether the service has addresses of one family or of both.',
  ),
  allocateLoadBalancerNodePorts: pointer(
    20,
    bool,
    'Whether a service of type LoadBalancer also has node ports.',
  ),
  loadBalancerClass: pointer(21, string, 'The class of the load balancer. It cannot be changed.'),
  internalTrafficPolicy: pointer(
    22,
    named('v1.ServiceInternalTrafficPolicy', 'Cluster', 'Local'),
    'Whether traffic from inside goes to pods of all nodes (Cluster) or of the same one (Local).',
  ),
  trafficDistribution: pointer(
    23,
    string,
    'Which endpoints are preferred: PreferClose, PreferSameZone or PreferSameNode.',
  ),
});

const PortStatus = struct('v1.PortStatus', 'The state of one port of a load balancer.', {
  port: required(1, int32, 'The number of the port.'),
  protocol: required(2, Protocol, 'The protocol of the port.'),
  error: pointer(3, string, 'What is wrong with the port, if anything.'),
});
const LoadBalancerIngress = struct('v1.LoadBalancerIngress', 'An ingress point of a load balancer.', {
  ip: field(1, string, 'Its address.'),
  hostname: field(2, string, 'Its name.'),
  ipMode: pointer(
    3,
    named('v1.LoadBalancerIPMode'),
    'VIP or Proxy: what traffic to the address looks like to nodes.',
  ),
  ports: atomicList(4, PortStatus, 'The state of its ports.'),
});
const LoadBalancerStatus = struct('v1.LoadBalancerStatus', 'The state of the load balancer.', {
  ingress: atomicList(1, LoadBalancerIngress, 'The ingress points.'),
});
const ServiceStatus = struct('v1.ServiceStatus', 'The state of the service.', {
  loadBalancer: field(1, LoadBalancerStatus, 'The state of the load balancer.'),
  conditions: conditionsField(2, 'What is known about the state of the service.'),
});

export const Service = kind('v1.Service', 'A name and address for a set of pods.', {
  spec: field(2, ServiceSpec, 'What the service offers, and how.'),
  status: field(3, ServiceStatus, 'The state of the service.'),
});
