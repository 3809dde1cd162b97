// What the types of core/v1 and their fields are, for OpenAPI and kubectl explain.
import type { Descriptions } from './descriptions.ts';

export const descriptions: Descriptions = {
  ConfigMap: {
    '': 'Configuration as named texts or bytes, for programs to read.',
    metadata: 'Name, labels and what else all objects have.',
    immutable:
      'When true, the data can no longer be changed, nor can this field. Only metadata stays open to change.',
    data: 'Texts by name. A name consists of letters, digits, -, _ and dots, and stands in one of data and binaryData only.',
    binaryData: 'Bytes by name, written in base64. For content that is not UTF-8.',
  },
  Endpoints: {
    '': 'The addresses behind a service. EndpointSlices have taken its place.',
    metadata: 'Name, labels and what else all objects have.',
    subsets: 'All addresses, by the ports they have.',
  },
  EndpointSubset: {
    '': 'Addresses that have the same ports.',
    addresses: 'Addresses that are ready.',
    notReadyAddresses: 'Addresses that are not ready yet, or no longer.',
    ports: 'The ports of these addresses.',
  },
  EndpointAddress: {
    '': 'One address.',
    ip: 'The IP address.',
    hostname: 'The host name of the address.',
    nodeName: 'The node that has the address.',
    targetRef: 'The object that has the address.',
  },
  ObjectReference: {
    '': 'Points at an object, or at a part of one.',
    kind: 'The kind of the object.',
    namespace: 'The namespace of the object.',
    name: 'The name of the object.',
    uid: 'The UID of the object.',
    apiVersion: 'The API version of the object.',
    resourceVersion: 'The resourceVersion of the object that is meant, if it is a certain one.',
    fieldPath: 'The part that is meant, such as spec.containers{name}, if it is not the whole.',
  },
  EndpointPort: {
    '': 'One port.',
    name: 'The name of the port: that of the port of the service. Needed when there are several.',
    port: 'The number of the port.',
    protocol: 'TCP, UDP or SCTP.',
    appProtocol: 'The protocol that is spoken on the port.',
  },
  Event: {
    '': 'Something that happened to an object. Events are for people, are kept for a short time, and must not be relied on.',
    metadata: 'Name, labels and what else all objects have.',
    involvedObject: 'The object that it is about.',
    reason: 'Why, in one word for programs.',
    message: 'What happened, in words for people.',
    source: 'Who reported it.',
    firstTimestamp: 'When it was first recorded.',
    lastTimestamp: 'When it was last recorded.',
    count: 'How often it was recorded.',
    type: 'Normal or Warning.',
    eventTime: 'When it happened first.',
    series: 'How often it happened, if more than once.',
    action: 'What was done, or failed, with regard to the object.',
    related: 'A second object that plays a part.',
    reportingComponent: 'The controller that reported it, such as example.com/controller.',
    reportingInstance: 'Which instance of the controller it was.',
  },
  EventSource: {
    '': 'Who reported an event.',
    component: 'The program that reported it.',
    host: 'The node on which it ran.',
  },
  EventSeries: {
    '': 'How often the same thing happened.',
    count: 'How often, up to the last time.',
    lastObservedTime: 'The last time.',
  },
  Namespace: {
    '': 'A space for names: objects of different namespaces may have the same name.',
    metadata: 'Name, labels and what else all objects have.',
    spec: 'How the namespace behaves.',
    status: 'In which part of its life the namespace is.',
  },
  NamespaceSpec: {
    '': 'How the namespace behaves.',
    finalizers: 'Names that must be gone before the namespace may be removed from storage.',
  },
  NamespaceStatus: {
    '': 'In which part of its life the namespace is.',
    phase: 'Active, or Terminating once deletion was asked for.',
    conditions: 'What stands in the way of deletion, among other things.',
  },
  NamespaceCondition: {
    '': 'One thing that is known about the state of a namespace.',
    type: 'What the condition is about.',
    status: 'True, False or Unknown.',
    lastTransitionTime: 'When the status last changed.',
    reason: 'A word for why the condition is as it is.',
    message: 'A sentence for people.',
  },
  Secret: {
    '': 'Passwords, keys and the like, as named bytes.',
    metadata: 'Name, labels and what else all objects have.',
    immutable:
      'When true, the data can no longer be changed, nor can this field. Only metadata stays open to change.',
    data: 'The values by name, written in base64.',
    stringData:
      'Values as plain text, for writing only: each replaces the entry of its name in data and is never shown.',
    type: 'What the secret is for; some types must have certain keys. It cannot be changed.',
  },
  ServiceAccount: {
    '': 'An identity that programs in a namespace act under.',
    metadata: 'Name, labels and what else all objects have.',
    secrets: 'Secrets that pods under this account may use.',
    imagePullSecrets:
      'Secrets of the same namespace with which images are pulled for pods under this account.',
    automountServiceAccountToken: 'Whether pods under this account get a token mounted by themselves.',
  },
  LocalObjectReference: {
    '': 'Points at an object of the same namespace.',
    name: 'The name of the object.',
  },
  Service: {
    '': 'A name and address for a set of pods.',
    metadata: 'Name, labels and what else all objects have.',
    spec: 'What the service offers, and how.',
    status: 'The state of the service.',
  },
  ServiceSpec: {
    '': 'What the service offers, and how.',
    ports: 'The ports that the service offers.',
    selector:
      'The labels of the pods that traffic goes to. Without it the endpoints must be written separately.',
    clusterIP:
      'The address of the service, or None for a headless service. The server picks one when it is empty.',
    clusterIPs: 'The addresses of the service, one a family; the first equals clusterIP.',
    type: 'How the service is exposed.',
    externalIPs: 'Further addresses at which nodes take traffic for the service.',
    sessionAffinity: 'Whether a client stays with one pod: None or ClientIP.',
    loadBalancerIP: 'An address to request from the load balancer; not all of them support it.',
    loadBalancerSourceRanges: 'The ranges from which the load balancer takes traffic.',
    externalName: 'The DNS name that the service refers to, for the type ExternalName.',
    externalTrafficPolicy:
      'Whether traffic from outside goes to pods of all nodes (Cluster) or of the same one (Local).',
    healthCheckNodePort: 'The port of a node that load balancers ask whether it has pods of the service.',
    publishNotReadyAddresses: 'True to publish addresses before they are ready, and after.',
    sessionAffinityConfig: 'Details of the affinity.',
    ipFamilies: 'The families of the addresses of the service.',
    ipFamilyPolicy: 'Whether the service has addresses of one family or of both.',
    allocateLoadBalancerNodePorts: 'Whether a service of type LoadBalancer also has node ports.',
    loadBalancerClass: 'The class of the load balancer. It cannot be changed.',
    internalTrafficPolicy:
      'Whether traffic from inside goes to pods of all nodes (Cluster) or of the same one (Local).',
    trafficDistribution: 'Which endpoints are preferred: PreferClose, PreferSameZone or PreferSameNode.',
  },
  ServicePort: {
    '': 'One port of a service.',
    name: 'The name of the port. Needed when there are several.',
    protocol: 'TCP, UDP or SCTP.',
    appProtocol: 'The protocol that is spoken on the port, as a hint.',
    port: 'The number under which the service offers the port.',
    targetPort: 'The number or name of the port at the pods. The same number when absent.',
    nodePort: 'The port of every node that leads to the service, for the types NodePort and LoadBalancer.',
  },
  SessionAffinityConfig: {
    '': 'Details of the affinity.',
    clientIP: 'Affinity by the address of the client.',
  },
  ClientIPConfig: {
    '': 'Affinity by the address of the client.',
    timeoutSeconds: 'For how long a client stays with its pod, from 1 to 86400 seconds.',
  },
  ServiceStatus: {
    '': 'The state of the service.',
    loadBalancer: 'The state of the load balancer.',
    conditions: 'What is known about the state of the service.',
  },
  LoadBalancerStatus: {
    '': 'The state of the load balancer.',
    ingress: 'The ingress points.',
  },
  LoadBalancerIngress: {
    '': 'An ingress point of a load balancer.',
    ip: 'Its address.',
    hostname: 'Its name.',
    ipMode: 'VIP or Proxy: what traffic to the address looks like to nodes.',
    ports: 'The state of its ports.',
  },
  PortStatus: {
    '': 'The state of one port of a load balancer.',
    port: 'The number of the port.',
    protocol: 'The protocol of the port.',
    error: 'What is wrong with the port, if anything.',
  },
};
