// Field numbers, names and types of the API objects that typed clients send and read in protobuf: facts of
// the Kubernetes wire format. Each message is written as "number name type"; "." for a name means that the
// fields belong to the message around. Types: string, bytes, int, bool, double, a message; "*" before one
// that can be absent in Go (so that zero means something), "[]" for lists, "{}" for maps from strings. Lists
// of objects are not written down: they are all alike.
import { DEFINITION_MESSAGES } from './messages-definition.ts';
import { META_MESSAGES } from './messages-meta.ts';

export const MESSAGES: Readonly<Record<string, string>> = {
  ...META_MESSAGES,
  ...DEFINITION_MESSAGES,
  Namespace: '1 metadata ObjectMeta, 2 spec NamespaceSpec, 3 status NamespaceStatus',
  NamespaceSpec: '1 finalizers []string',
  NamespaceStatus: '1 phase string, 2 conditions []NamespaceCondition',
  NamespaceCondition:
    '1 type string, 2 status string, 4 lastTransitionTime Time, 5 reason string, 6 message string',
  ConfigMap: '1 metadata ObjectMeta, 4 immutable *bool, 2 data {}string, 3 binaryData {}bytes',
  Secret: '1 metadata ObjectMeta, 5 immutable *bool, 2 data {}bytes, 4 stringData {}string, 3 type string',
  ServiceAccount:
    '1 metadata ObjectMeta, 2 secrets []ObjectReference, 3 imagePullSecrets []LocalObjectReference, ' +
    '4 automountServiceAccountToken *bool',
  ObjectReference:
    '1 kind string, 2 namespace string, 3 name string, 4 uid string, 5 apiVersion string, 6 resourceVersion string, ' +
    '7 fieldPath string',
  LocalObjectReference: '1 name string',
  Service: '1 metadata ObjectMeta, 2 spec ServiceSpec, 3 status ServiceStatus',
  ServiceSpec:
    '1 ports []ServicePort, 2 selector {}string, 3 clusterIP string, 18 clusterIPs []string, 4 type string, ' +
    '5 externalIPs []string, 7 sessionAffinity string, 8 loadBalancerIP string, 9 loadBalancerSourceRanges []string, ' +
    '10 externalName string, 11 externalTrafficPolicy string, 12 healthCheckNodePort int, 13 publishNotReadyAddresses bool, ' +
    '14 sessionAffinityConfig *SessionAffinityConfig, 19 ipFamilies []string, 17 ipFamilyPolicy *string, ' +
    '20 allocateLoadBalancerNodePorts *bool, 21 loadBalancerClass *string, 22 internalTrafficPolicy *string, ' +
    '23 trafficDistribution *string',
  ServicePort:
    '1 name string, 2 protocol string, 6 appProtocol *string, 3 port int, 4 targetPort IntOrString, 5 nodePort int',
  SessionAffinityConfig: '1 clientIP *ClientIPConfig',
  ClientIPConfig: '1 timeoutSeconds *int',
  ServiceStatus: '1 loadBalancer LoadBalancerStatus, 2 conditions []Condition',
  LoadBalancerStatus: '1 ingress []LoadBalancerIngress',
  LoadBalancerIngress: '1 ip string, 2 hostname string, 3 ipMode *string, 4 ports []PortStatus',
  PortStatus: '1 port int, 2 protocol string, 3 error *string',
  Endpoints: '1 metadata ObjectMeta, 2 subsets []EndpointSubset',
  EndpointSubset:
    '1 addresses []EndpointAddress, 2 notReadyAddresses []EndpointAddress, 3 ports []EndpointPort',
  EndpointAddress: '1 ip string, 3 hostname string, 4 nodeName *string, 2 targetRef *ObjectReference',
  EndpointPort: '1 name string, 2 port int, 3 protocol string, 4 appProtocol *string',
  Event:
    '1 metadata ObjectMeta, 2 involvedObject ObjectReference, 3 reason string, 4 message string, 5 source EventSource, ' +
    '6 firstTimestamp Time, 7 lastTimestamp Time, 8 count int, 9 type string, 10 eventTime MicroTime, 11 series *EventSeries, ' +
    '12 action string, 13 related *ObjectReference, 14 reportingComponent string, 15 reportingInstance string',
  EventSource: '1 component string, 2 host string',
  EventSeries: '1 count int, 2 lastObservedTime MicroTime',
  EventsEvent:
    '1 metadata ObjectMeta, 2 eventTime MicroTime, 3 series *EventSeries, 4 reportingController string, ' +
    '5 reportingInstance string, 6 action string, 7 reason string, 8 regarding ObjectReference, 9 related *ObjectReference, ' +
    '10 note string, 11 type string, 12 deprecatedSource EventSource, 13 deprecatedFirstTimestamp Time, ' +
    '14 deprecatedLastTimestamp Time, 15 deprecatedCount int',
  Lease: '1 metadata ObjectMeta, 2 spec LeaseSpec',
  LeaseSpec:
    '1 holderIdentity *string, 2 leaseDurationSeconds *int, 3 acquireTime *MicroTime, 4 renewTime *MicroTime, ' +
    '5 leaseTransitions *int, 6 strategy *string, 7 preferredHolder *string',
  EndpointSlice: '1 metadata ObjectMeta, 4 addressType string, 2 endpoints []Endpoint, 3 ports []SlicePort',
  Endpoint:
    '1 addresses []string, 2 conditions EndpointConditions, 3 hostname *string, 4 targetRef *ObjectReference, ' +
    '5 deprecatedTopology {}string, 6 nodeName *string, 7 zone *string, 8 hints *EndpointHints',
  EndpointConditions: '1 ready *bool, 2 serving *bool, 3 terminating *bool',
  EndpointHints: '1 forZones []ForZone, 2 forNodes []ForNode',
  ForZone: '1 name string',
  ForNode: '1 name string',
  SlicePort: '1 name *string, 2 protocol *string, 3 port *int, 4 appProtocol *string',
  Role: '1 metadata ObjectMeta, 2 rules []PolicyRule',
  PolicyRule:
    '1 verbs []string, 2 apiGroups []string, 3 resources []string, 4 resourceNames []string, 5 nonResourceURLs []string',
  ClusterRole: '1 metadata ObjectMeta, 2 rules []PolicyRule, 3 aggregationRule *AggregationRule',
  AggregationRule: '1 clusterRoleSelectors []LabelSelector',
  RoleBinding: '1 metadata ObjectMeta, 2 subjects []Subject, 3 roleRef RoleRef',
  Subject: '1 kind string, 2 apiGroup string, 3 name string, 4 namespace string',
  RoleRef: '1 apiGroup string, 2 kind string, 3 name string',
  ClusterRoleBinding: '1 metadata ObjectMeta, 2 subjects []Subject, 3 roleRef RoleRef',
  StorageVersionMigration:
    '1 metadata ObjectMeta, 2 spec StorageVersionMigrationSpec, 3 status StorageVersionMigrationStatus',
  StorageVersionMigrationSpec: '1 resource GroupResource',
  GroupResource: '1 group string, 2 resource string',
  StorageVersionMigrationStatus: '1 conditions []Condition, 2 resourceVersion string',
  ValidatingWebhookConfiguration: '1 metadata ObjectMeta, 2 webhooks []ValidatingWebhook',
  ValidatingWebhook:
    '1 name string, 2 clientConfig WebhookClientConfig, 3 rules []RuleWithOperations, 4 failurePolicy *string, ' +
    '9 matchPolicy *string, 5 namespaceSelector *LabelSelector, 10 objectSelector *LabelSelector, 6 sideEffects *string, ' +
    '7 timeoutSeconds *int, 8 admissionReviewVersions []string, 11 matchConditions []MatchCondition',
  WebhookClientConfig: '3 url *string, 1 service *ServiceReference, 2 caBundle bytes',
  ServiceReference: '1 namespace string, 2 name string, 3 path *string, 4 port *int',
  RuleWithOperations: '1 operations []string, 2 . Rule',
  Rule: '1 apiGroups []string, 2 apiVersions []string, 3 resources []string, 4 scope *string',
  MatchCondition: '1 name string, 2 expression string',
  MutatingWebhookConfiguration: '1 metadata ObjectMeta, 2 webhooks []MutatingWebhook',
  MutatingWebhook:
    '1 name string, 2 clientConfig WebhookClientConfig, 3 rules []RuleWithOperations, 4 failurePolicy *string, ' +
    '9 matchPolicy *string, 5 namespaceSelector *LabelSelector, 11 objectSelector *LabelSelector, 6 sideEffects *string, ' +
    '7 timeoutSeconds *int, 8 admissionReviewVersions []string, 10 reinvocationPolicy *string, ' +
    '12 matchConditions []MatchCondition',
  ValidatingAdmissionPolicy:
    '1 metadata ObjectMeta, 2 spec ValidatingAdmissionPolicySpec, 3 status ValidatingAdmissionPolicyStatus',
  ValidatingAdmissionPolicySpec:
    '1 paramKind *ParamKind, 2 matchConstraints *MatchResources, 3 validations []Validation, 4 failurePolicy *string, ' +
    '5 auditAnnotations []AuditAnnotation, 6 matchConditions []MatchCondition, 7 variables []Variable',
  ParamKind: '1 apiVersion string, 2 kind string',
  MatchResources:
    '1 namespaceSelector *LabelSelector, 2 objectSelector *LabelSelector, 3 resourceRules []NamedRuleWithOperations, ' +
    '4 excludeResourceRules []NamedRuleWithOperations, 7 matchPolicy *string',
  NamedRuleWithOperations: '1 resourceNames []string, 2 . RuleWithOperations',
  Validation: '1 expression string, 2 message string, 3 reason *string, 4 messageExpression string',
  AuditAnnotation: '1 key string, 2 valueExpression string',
  Variable: '1 name string, 2 expression string',
  ValidatingAdmissionPolicyStatus:
    '1 observedGeneration int, 2 typeChecking *TypeChecking, 3 conditions []Condition',
  TypeChecking: '1 expressionWarnings []ExpressionWarning',
  ExpressionWarning: '2 fieldRef string, 3 warning string',
  ValidatingAdmissionPolicyBinding: '1 metadata ObjectMeta, 2 spec ValidatingAdmissionPolicyBindingSpec',
  ValidatingAdmissionPolicyBindingSpec:
    '1 policyName string, 2 paramRef *ParamRef, 3 matchResources *MatchResources, 4 validationActions []string',
  ParamRef: '1 name string, 2 namespace string, 3 selector *LabelSelector, 4 parameterNotFoundAction *string',
  TokenReview: '1 metadata ObjectMeta, 2 spec TokenReviewSpec, 3 status TokenReviewStatus',
  TokenReviewSpec: '1 token string, 2 audiences []string',
  TokenReviewStatus: '1 authenticated bool, 2 user UserInfo, 4 audiences []string, 3 error string',
  UserInfo: '1 username string, 2 uid string, 3 groups []string, 4 extra {}ExtraValue',
  ExtraValue: '1 items []string',
  SelfSubjectReview: '1 metadata ObjectMeta, 2 status SelfSubjectReviewStatus',
  SelfSubjectReviewStatus: '1 userInfo UserInfo',
  SelfSubjectAccessReview:
    '1 metadata ObjectMeta, 2 spec SelfSubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus',
  SelfSubjectAccessReviewSpec:
    '1 resourceAttributes *ResourceAttributes, 2 nonResourceAttributes *NonResourceAttributes',
  ResourceAttributes:
    '1 namespace string, 2 verb string, 3 group string, 4 version string, 5 resource string, 6 subresource string, ' +
    '7 name string, 8 fieldSelector *FieldSelectorAttributes, 9 labelSelector *LabelSelectorAttributes',
  FieldSelectorAttributes: '1 rawSelector string, 2 requirements []FieldSelectorRequirement',
  FieldSelectorRequirement: '1 key string, 2 operator string, 3 values []string',
  LabelSelectorAttributes: '1 rawSelector string, 2 requirements []LabelSelectorRequirement',
  NonResourceAttributes: '1 path string, 2 verb string',
  SubjectAccessReviewStatus: '1 allowed bool, 4 denied bool, 2 reason string, 3 evaluationError string',
  SubjectAccessReview:
    '1 metadata ObjectMeta, 2 spec SubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus',
  SubjectAccessReviewSpec:
    '1 resourceAttributes *ResourceAttributes, 2 nonResourceAttributes *NonResourceAttributes, 3 user string, ' +
    '4 groups []string, 5 extra {}ExtraValue, 6 uid string',
  LocalSubjectAccessReview:
    '1 metadata ObjectMeta, 2 spec SubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus',
  SelfSubjectRulesReview:
    '1 metadata ObjectMeta, 2 spec SelfSubjectRulesReviewSpec, 3 status SubjectRulesReviewStatus',
  SelfSubjectRulesReviewSpec: '1 namespace string',
  SubjectRulesReviewStatus:
    '1 resourceRules []ResourceRule, 2 nonResourceRules []NonResourceRule, 3 incomplete bool, 4 evaluationError string',
  ResourceRule: '1 verbs []string, 2 apiGroups []string, 3 resources []string, 4 resourceNames []string',
  NonResourceRule: '1 verbs []string, 2 nonResourceURLs []string',
  Scale: '1 metadata ObjectMeta, 2 spec ScaleSpec, 3 status ScaleStatus',
  ScaleSpec: '1 replicas int',
  ScaleStatus: '1 replicas int, 2 selector string',
};
