// The type of v1 Service: a long one, so that it has a file of its own.

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
} from '../../objects/go-type.ts';
import { conditionsField } from '../typed/condition.ts';
import { kind } from '../typed/object-meta.ts';

const Protocol = named('v1.Protocol', 'SCTP', 'TCP', 'UDP');

const ServicePort = struct('v1.ServicePort', 'One port of a service.', {
  name: field(string, 'The name of the port. Needed when there are several.'),
  protocol: field(Protocol, 'TCP, UDP or SCTP.', { default: 'TCP' }),
  appProtocol: pointer(string, 'The protocol that is spoken on the port, as a hint.'),
  port: required(int32, 'The number under which the service offers the port.'),
  targetPort: field(intOrString, 'The number or name of the port at the pods. The same number when absent.'),
  nodePort: field(
    int32,
    'The port of every node that leads to the service, for the types NodePort and LoadBalancer.',
  ),
});

const ClientIPConfig = struct('v1.ClientIPConfig', 'Affinity by the address of the client.', {
  timeoutSeconds: pointer(int32, 'For how long a client stays with its pod, from 1 to 86400 seconds.'),
});
const SessionAffinityConfig = struct('v1.SessionAffinityConfig', 'Details of the affinity.', {
  clientIP: pointer(ClientIPConfig, 'Affinity by the address of the client.'),
});

const ServiceSpec = struct('v1.ServiceSpec', 'What the service offers, and how.', {
  ports: field(listOf(ServicePort), 'The ports that the service offers.', {
    listType: 'map',
    mapKeys: ['port', 'protocol'],
    patch: { strategy: 'merge', key: 'port' },
  }),
  selector: field(
    mapOf(string),
    'The labels of the pods that traffic goes to. Without it somebody else must supply the endpoints.',
    {
      atomic: true,
    },
  ),
  clusterIP: field(
    string,
    'The address of the service, or None for a headless service. The server picks one when it is empty.',
  ),
  clusterIPs: atomicList(string, 'The addresses of the service, one a family; the first equals clusterIP.'),
  type: field(
    named('v1.ServiceType', 'ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'),
    'How the service is exposed.',
    {
      default: 'ClusterIP',
    },
  ),
  externalIPs: atomicList(string, 'Further addresses at which nodes take traffic for the service.'),
  sessionAffinity: field(
    named('v1.ServiceAffinity', 'ClientIP', 'None'),
    'Whether a client stays with one pod: None or ClientIP.',
    {
      default: 'None',
    },
  ),
  loadBalancerIP: field(string, 'An address to ask of the load balancer; not all of them listen.'),
  loadBalancerSourceRanges: atomicList(string, 'The ranges from which the load balancer takes traffic.'),
  externalName: field(string, 'The name that the service stands for, for the type ExternalName.'),
  externalTrafficPolicy: field(
    named('v1.ServiceExternalTrafficPolicy', 'Cluster', 'Local'),
    'Whether traffic from outside goes to pods of all nodes (Cluster) or of the same one (Local).',
  ),
  healthCheckNodePort: field(
    int32,
    'The port of a node that tells load balancers whether it has pods of the service.',
  ),
  publishNotReadyAddresses: field(bool, 'True to publish addresses before they are ready, and after.'),
  sessionAffinityConfig: pointer(SessionAffinityConfig, 'Details of the affinity.'),
  ipFamilies: atomicList(
    named('v1.IPFamily', 'IPv4', 'IPv6'),
    'The families of the addresses of the service.',
  ),
  ipFamilyPolicy: pointer(
    named('v1.IPFamilyPolicy', 'PreferDualStack', 'RequireDualStack', 'SingleStack'),
    'Whether the service has addresses of one family or of both.',
  ),
  allocateLoadBalancerNodePorts: pointer(bool, 'Whether a service of type LoadBalancer also has node ports.'),
  loadBalancerClass: pointer(string, 'Which kind of load balancer is meant. It cannot be changed.'),
  internalTrafficPolicy: pointer(
    named('v1.ServiceInternalTrafficPolicy', 'Cluster', 'Local'),
    'Whether traffic from inside goes to pods of all nodes (Cluster) or of the same one (Local).',
  ),
  trafficDistribution: pointer(
    string,
    'Which endpoints are preferred: PreferClose, PreferSameZone or PreferSameNode.',
  ),
});

const PortStatus = struct('v1.PortStatus', 'How it went with one port of a load balancer.', {
  port: required(int32, 'The number of the port.'),
  protocol: required(Protocol, 'The protocol of the port.'),
  error: pointer(string, 'What is wrong with the port, if anything.'),
});
const LoadBalancerIngress = struct('v1.LoadBalancerIngress', 'A way in through a load balancer.', {
  ip: field(string, 'Its address.'),
  hostname: field(string, 'Its name.'),
  ipMode: pointer(
    named('v1.LoadBalancerIPMode'),
    'VIP or Proxy: what traffic to the address looks like to nodes.',
  ),
  ports: atomicList(PortStatus, 'How it went with its ports.'),
});
const LoadBalancerStatus = struct('v1.LoadBalancerStatus', 'What the load balancer has become.', {
  ingress: atomicList(LoadBalancerIngress, 'The ways in.'),
});
const ServiceStatus = struct('v1.ServiceStatus', 'What the service has become.', {
  loadBalancer: field(LoadBalancerStatus, 'What the load balancer has become.'),
  conditions: conditionsField('What is known about the state of the service.'),
});

export const Service = kind('v1.Service', 'A name and address for a set of pods.', {
  spec: field(ServiceSpec, 'What the service offers, and how.'),
  status: field(ServiceStatus, 'What the service has become.'),
});
