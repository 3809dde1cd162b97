// What the types of rbac/v1 and their fields are, for OpenAPI and kubectl explain.
import type { Descriptions } from './descriptions.ts';

export const descriptions: Descriptions = {
  ClusterRoleBinding: {
    '': 'Gives a cluster role to subjects in all namespaces.',
    metadata: 'Name, labels and what else all objects have.',
    subjects: 'The subjects that are given the role.',
    roleRef: 'The cluster role. It cannot be changed.',
  },
  Subject: {
    '': 'Who is given a role.',
    kind: 'User, Group or ServiceAccount.',
    apiGroup:
      'The group of the kind: empty for service accounts, rbac.authorization.k8s.io for users and groups.',
    name: 'The name of the user, group or account.',
    namespace: 'The namespace of a service account.',
  },
  RoleRef: {
    '': 'The role that is given.',
    apiGroup: 'The group of the role.',
    kind: 'Role or ClusterRole.',
    name: 'The name of the role.',
  },
  ClusterRole: {
    '': 'Permissions in all namespaces, and on what has none.',
    metadata: 'Name, labels and what else all objects have.',
    rules: 'What the role allows.',
    aggregationRule: 'How the rules are aggregated from other roles; then they must not be edited.',
  },
  PolicyRule: {
    '': 'Verbs that are allowed, and on what.',
    verbs: 'What may be done: get, list, create, …; * for everything.',
    apiGroups: 'The groups of the resources; empty text for the core group, * for all.',
    resources: 'The resources, such as pods or pods/status; * for all.',
    resourceNames: 'The names of the objects; all if empty.',
    nonResourceURLs: 'Non-resource paths, such as /healthz or /metrics/*. In cluster roles only.',
  },
  AggregationRule: {
    '': 'Other cluster roles that this one aggregates.',
    clusterRoleSelectors:
      'Chooses cluster roles; the rules of all that match one of the selectors are taken over.',
  },
  RoleBinding: {
    '': 'Gives a role to subjects within a namespace.',
    metadata: 'Name, labels and what else all objects have.',
    subjects: 'The subjects that are given the role.',
    roleRef: 'The role: of the same namespace, or a cluster role. It cannot be changed.',
  },
  Role: {
    '': 'Permissions within a namespace.',
    metadata: 'Name, labels and what else all objects have.',
    rules: 'What the role allows.',
  },
};
