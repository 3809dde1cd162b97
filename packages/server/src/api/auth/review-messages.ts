// The reviews of authentication.k8s.io and authorization.k8s.io in protobuf. See message-table.ts for how
// messages are written.
import { ObjectMeta } from '../../kinds/typed/object-meta.ts';
import { messageOf } from '../../kinds/typed/protobuf-of.ts';
import { registerMessage } from '../../wire/protobuf/kinds.ts';
import { messagesOf } from '../../wire/protobuf/message-table.ts';

const TABLE = {
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
    '1 namespace string, 2 verb string, 3 group string, 4 version string, 5 resource string, ' +
    '6 subresource string, 7 name string, 8 fieldSelector *FieldSelectorAttributes, ' +
    '9 labelSelector *LabelSelectorAttributes',
  FieldSelectorAttributes: '1 rawSelector string, 2 requirements []FieldSelectorRequirement',
  FieldSelectorRequirement: '1 key string, 2 operator string, 3 values []string',
  LabelSelectorAttributes: '1 rawSelector string, 2 requirements []LabelSelectorRequirement',
  NonResourceAttributes: '1 path string, 2 verb string',
  SubjectAccessReviewStatus: '1 allowed bool, 4 denied bool, 2 reason string, 3 evaluationError string',
  SubjectAccessReview:
    '1 metadata ObjectMeta, 2 spec SubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus',
  SubjectAccessReviewSpec:
    '1 resourceAttributes *ResourceAttributes, 2 nonResourceAttributes *NonResourceAttributes, ' +
    '3 user string, 4 groups []string, 5 extra {}ExtraValue, 6 uid string',
  LocalSubjectAccessReview:
    '1 metadata ObjectMeta, 2 spec SubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus',
  SelfSubjectRulesReview:
    '1 metadata ObjectMeta, 2 spec SelfSubjectRulesReviewSpec, 3 status SubjectRulesReviewStatus',
  SelfSubjectRulesReviewSpec: '1 namespace string',
  SubjectRulesReviewStatus:
    '1 resourceRules []ResourceRule, 2 nonResourceRules []NonResourceRule, 3 incomplete bool, ' +
    '4 evaluationError string',
  ResourceRule: '1 verbs []string, 2 apiGroups []string, 3 resources []string, 4 resourceNames []string',
  NonResourceRule: '1 verbs []string, 2 nonResourceURLs []string',
  LabelSelectorRequirement: '1 key string, 2 operator string, 3 values []string',
};

const KINDS = {
  'authentication.k8s.io/v1': ['TokenReview', 'SelfSubjectReview'],
  'authorization.k8s.io/v1': [
    'SelfSubjectAccessReview',
    'SubjectAccessReview',
    'LocalSubjectAccessReview',
    'SelfSubjectRulesReview',
  ],
};

export function registerReviews(): void {
  const messages = messagesOf(TABLE, { known: { ObjectMeta: messageOf(ObjectMeta) }, lists: ['ExtraValue'] });
  for (const [apiVersion, kinds] of Object.entries(KINDS))
    for (const kind of kinds) registerMessage(apiVersion, kind, messages.get(kind)!);
}
