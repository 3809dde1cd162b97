// The types that the four kinds of rbac.authorization.k8s.io/v1 are made of.
import { atomicList, field, required, string, struct } from '@instar/kinds';

export const PolicyRule = struct('v1.PolicyRule', 'Verbs that are allowed, and on what.', {
  verbs: atomicList(1, string, 'What may be done: get, list, create, …; * for everything.', {
    keepEmpty: true,
    required: true,
  }),
  apiGroups: atomicList(2, string, 'The groups of the resources; empty text for the core group, * for all.'),
  resources: atomicList(3, string, 'The resources, such as pods or pods/status; * for all.'),
  resourceNames: atomicList(4, string, 'The names of the objects; all if empty.'),
  nonResourceURLs: atomicList(
    5,
    string,
    'Non-resource paths, such as /healthz or /metrics/*. In cluster roles only.',
  ),
});

export const Subject = struct(
  'v1.Subject',
  'Who is given a role.',
  {
    kind: required(1, string, 'User, Group or ServiceAccount.'),
    apiGroup: field(
      2,
      string,
      'The group of the kind: empty for service accounts, rbac.authorization.k8s.io for users and groups.',
    ),
    name: required(3, string, 'The name of the user, group or account.'),
    namespace: field(4, string, 'The namespace of a service account.'),
  },
  { atomic: true },
);

export const RoleRef = struct(
  'v1.RoleRef',
  'The role that is given.',
  {
    apiGroup: field(1, string, 'The group of the role.', { keepEmpty: true }),
    kind: required(2, string, 'Role or ClusterRole.'),
    name: required(3, string, 'The name of the role.'),
  },
  { atomic: true },
);
