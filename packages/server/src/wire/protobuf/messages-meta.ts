// The messages of meta.k8s.io in protobuf: metadata, Status, discovery, what watches wrap events in. See
// messages.ts for how they are written.

export const META_MESSAGES: Readonly<Record<string, string>> = {
  ObjectMeta:
    '1 name string, 2 generateName string, 3 namespace string, 4 selfLink string, 5 uid string, 6 resourceVersion string, ' +
    '7 generation int, 8 creationTimestamp Time, 9 deletionTimestamp *Time, 10 deletionGracePeriodSeconds *int, ' +
    '11 labels {}string, 12 annotations {}string, 13 ownerReferences []OwnerReference, 14 finalizers []string, ' +
    '17 managedFields []ManagedFieldsEntry',
  OwnerReference:
    '5 apiVersion string, 1 kind string, 3 name string, 4 uid string, 6 controller *bool, 7 blockOwnerDeletion *bool',
  ManagedFieldsEntry:
    '1 manager string, 2 operation string, 3 apiVersion string, 4 time *Time, 6 fieldsType string, 7 fieldsV1 *Json, ' +
    '8 subresource string',
  Condition:
    '1 type string, 2 status string, 3 observedGeneration int, 4 lastTransitionTime Time, 5 reason string, 6 message string',
  LabelSelector: '1 matchLabels {}string, 2 matchExpressions []LabelSelectorRequirement',
  LabelSelectorRequirement: '1 key string, 2 operator string, 3 values []string',
  DeleteOptions:
    '1 gracePeriodSeconds *int, 2 preconditions *Preconditions, 3 orphanDependents *bool, 4 propagationPolicy *string, ' +
    '5 dryRun []string, 6 ignoreStoreReadErrorWithClusterBreakingPotential *bool',
  Preconditions: '1 uid *string, 2 resourceVersion *string',
  ListMeta:
    '1 selfLink string, 2 resourceVersion string, 3 continue string, 4 remainingItemCount *int, 5 shardInfo *ShardInfo',
  ShardInfo: '1 selector string',
  PartialObjectMetadata: '1 metadata ObjectMeta',
  Status:
    '1 metadata ListMeta, 2 status string, 3 message string, 4 reason string, 5 details *StatusDetails, 6 code int',
  StatusDetails:
    '1 name string, 2 group string, 3 kind string, 6 uid string, 4 causes []StatusCause, 5 retryAfterSeconds int',
  StatusCause: '1 reason string, 2 message string, 3 field string',
  APIVersions: '1 versions []string, 2 serverAddressByClientCIDRs []ServerAddressByClientCIDR',
  ServerAddressByClientCIDR: '1 clientCIDR string, 2 serverAddress string',
  APIGroupList: '1 groups []APIGroup',
  APIGroup:
    '1 name string, 2 versions []GroupVersionForDiscovery, 3 preferredVersion GroupVersionForDiscovery, ' +
    '4 serverAddressByClientCIDRs []ServerAddressByClientCIDR',
  GroupVersionForDiscovery: '1 groupVersion string, 2 version string',
  APIResourceList: '1 groupVersion string, 2 resources []APIResource',
  APIResource:
    '1 name string, 6 singularName string, 2 namespaced bool, 8 group string, 9 version string, 3 kind string, 4 verbs *Verbs, ' +
    '5 shortNames []string, 7 categories []string, 10 storageVersionHash string',
  Verbs: '1 items []string',
};
