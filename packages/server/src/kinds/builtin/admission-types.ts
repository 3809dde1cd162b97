// The Go types of admissionregistration.k8s.io that its kinds share: rules, conditions, and webhooks, which
// differ in defaults by version.
import {
  atomicList,
  bytes,
  field,
  type GoField,
  int32,
  listOf,
  named,
  pointer,
  required,
  string,
  struct,
} from '../../objects/go-type.ts';
import { LabelSelector } from '../typed/label-selector.ts';

/** `inRule` and `inOperations` say through which embedded structs Go reaches the fields. */
function ruleFields(inRule: string, inOperations?: string): Record<string, GoField> {
  const within = { embeddedIn: inRule };
  return {
    operations: atomicList(
      named('v1.OperationType'),
      'CREATE, UPDATE, DELETE, CONNECT, or * for all.',
      inOperations === undefined ? {} : { embeddedIn: inOperations },
    ),
    apiGroups: atomicList(
      string,
      'The groups of the resources; * for all, empty text for the core group.',
      within,
    ),
    apiVersions: atomicList(string, 'The versions of the resources; * for all.', within),
    resources: atomicList(
      string,
      'The resources: pods, pods/status, pods/*, */status, * (all, no subresources) or */* (everything).',
      within,
    ),
    scope: pointer(
      named('v1.ScopeType', '*', 'Cluster', 'Namespaced'),
      'Cluster, Namespaced, or * for both.',
      { ...within, default: '*' },
    ),
  };
}

const RuleWithOperations = struct(
  'v1.RuleWithOperations',
  'Operations on resources that the webhook is asked about.',
  ruleFields('Rule'),
);

const NamedRuleWithOperations = struct(
  'v1.NamedRuleWithOperations',
  'Operations on resources, or on some objects of them.',
  {
    resourceNames: atomicList(string, 'The names of the objects; all if there is none.'),
    ...ruleFields('RuleWithOperations.Rule', 'RuleWithOperations'),
  },
  { atomic: true },
);

const ServiceReference = struct('v1.ServiceReference', 'A service that answers for the webhook.', {
  namespace: required(string, 'The namespace of the service.'),
  name: required(string, 'The name of the service.'),
  path: pointer(string, 'The path of the URL at which the webhook is asked.'),
  port: pointer(int32, 'The port of the service.', { default: 443 }),
});

const WebhookClientConfig = struct(
  'v1.WebhookClientConfig',
  'How to reach a webhook: exactly one of url and service.',
  {
    url: pointer(string, 'The address as https://host:port/path, without user, query or fragment.'),
    service: pointer(ServiceReference, 'The service that answers.'),
    caBundle: field(
      bytes,
      'PEM certificates of the authorities that may have signed the certificate of the webhook. Without it the system decides.',
    ),
  },
);

const MatchCondition = struct('v1.MatchCondition', 'A condition in CEL that a request must fulfill.', {
  name: required(string, 'A name for the condition, by which it is spoken of.'),
  expression: required(
    string,
    'A CEL expression that gives a bool. It sees object, oldObject, request and authorizer.',
  ),
});

export const matchConditions = field(
  listOf(MatchCondition),
  'Conditions that a request must fulfill, all of them, besides the rules. At most 64.',
  { listType: 'map', mapKeys: ['name'], patch: { strategy: 'merge', key: 'name' } },
);

const selector = (what: string): GoField => pointer(LabelSelector, `Only ${what}.`, { default: {} });
const namespaceSelector = selector('objects in namespaces with such labels');
const objectSelector = selector('objects with such labels');

const matchPolicy = (otherwise: string): GoField =>
  pointer(
    named('v1.MatchPolicyType', 'Equivalent', 'Exact'),
    'Equivalent also matches requests for other versions of the same resource; Exact does not.',
    { default: otherwise },
  );

export const failurePolicy = (otherwise: string): GoField =>
  pointer(
    named('v1.FailurePolicyType', 'Fail', 'Ignore'),
    'What to do when no answer can be had: Fail or Ignore.',
    { default: otherwise },
  );

export const MatchResources = struct(
  'v1.MatchResources',
  'Which requests are meant.',
  {
    namespaceSelector,
    objectSelector,
    resourceRules: atomicList(NamedRuleWithOperations, 'What is meant: whatever matches one of the rules.'),
    excludeResourceRules: atomicList(NamedRuleWithOperations, 'What is not, although it matches a rule.'),
    matchPolicy: matchPolicy('Equivalent'),
  },
  { atomic: true },
);

export type WebhookVersion = 'v1' | 'v1beta1';

interface Defaults {
  readonly failurePolicy: string;
  readonly matchPolicy: string;
  readonly timeoutSeconds: number;
}

const DEFAULTS: Record<WebhookVersion, Defaults> = {
  v1: { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 },
  v1beta1: { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 30 },
};

const REVIEW_VERSIONS =
  'The versions of AdmissionReview that the webhook understands; the first one that the server knows is sent.';

function webhookFields(version: WebhookVersion): Record<string, GoField> {
  const defaults = DEFAULTS[version];
  return {
    name: required(string, 'A full domain name for the webhook, unique in the configuration.'),
    clientConfig: required(WebhookClientConfig, 'How to reach the webhook.'),
    rules: atomicList(
      RuleWithOperations,
      'What the webhook is asked about: whatever matches one of the rules.',
    ),
    failurePolicy: failurePolicy(defaults.failurePolicy),
    matchPolicy: matchPolicy(defaults.matchPolicy),
    namespaceSelector,
    objectSelector,
    sideEffects: pointer(
      named('v1.SideEffectClass', 'None', 'NoneOnDryRun'),
      'None, or NoneOnDryRun for a webhook that has none when the request is a dry run.',
      version === 'v1' ? { required: true } : { default: 'Unknown' },
    ),
    timeoutSeconds: pointer(int32, 'How long to wait for an answer, between 1 and 30 seconds.', {
      default: defaults.timeoutSeconds,
    }),
    admissionReviewVersions:
      version === 'v1'
        ? required(listOf(string), REVIEW_VERSIONS, { listType: 'atomic' })
        : atomicList(string, REVIEW_VERSIONS, { default: ['v1beta1'] }),
  };
}

export const validatingWebhook = (version: WebhookVersion) =>
  struct(`${version}.ValidatingWebhook`, 'A webhook that may refuse requests.', {
    ...webhookFields(version),
    matchConditions,
  });

export const mutatingWebhook = (version: WebhookVersion) =>
  struct(`${version}.MutatingWebhook`, 'A webhook that may change objects, or refuse requests.', {
    ...webhookFields(version),
    reinvocationPolicy: pointer(
      named('v1.ReinvocationPolicyType', 'IfNeeded', 'Never'),
      'IfNeeded asks the webhook once more when a later one has changed the object.',
      { default: 'Never' },
    ),
    matchConditions,
  });
