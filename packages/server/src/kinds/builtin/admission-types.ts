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
} from '@instar/kinds';
import { LabelSelector } from '../typed/label-selector.ts';

/** `embeddedIn` is the struct that Go embeds for the operations, with its number in protobuf. */
function ruleFields(embeddedIn?: readonly [name: string, number: number]): Record<string, GoField> {
  const [name, ...numbers] = embeddedIn ?? [undefined];
  const within = { embeddedIn: name === undefined ? 'Rule' : `${name}.Rule` };
  const inRule = (number: number): number[] => [...numbers, 2, number];
  return {
    operations: atomicList(
      [...numbers, 1],
      named('v1.OperationType'),
      'CREATE, UPDATE, DELETE, CONNECT, or * for all.',
      name === undefined ? {} : { embeddedIn: name },
    ),
    apiGroups: atomicList(
      inRule(1),
      string,
      'The groups of the resources; * for all, empty text for the core group.',
      within,
    ),
    apiVersions: atomicList(inRule(2), string, 'The versions of the resources; * for all.', within),
    resources: atomicList(
      inRule(3),
      string,
      'The resources: pods, pods/status, pods/*, */status, * (all, no subresources) or */* (everything).',
      within,
    ),
    scope: pointer(
      inRule(4),
      named('v1.ScopeType', '*', 'Cluster', 'Namespaced'),
      'Cluster, Namespaced, or * for both.',
      { ...within, default: '*' },
    ),
  };
}

const RuleWithOperations = struct(
  'v1.RuleWithOperations',
  'Operations on resources that the webhook is asked about.',
  ruleFields(),
);

const NamedRuleWithOperations = struct(
  'v1.NamedRuleWithOperations',
  'Operations on resources, or on some objects of them.',
  {
    resourceNames: atomicList(1, string, 'The names of the objects; all if there is none.'),
    ...ruleFields(['RuleWithOperations', 2]),
  },
  { atomic: true },
);

const ServiceReference = struct('v1.ServiceReference', 'A service that answers for the webhook.', {
  namespace: required(1, string, 'The namespace of the service.'),
  name: required(2, string, 'The name of the service.'),
  path: pointer(3, string, 'The path of the URL at which the webhook is asked.'),
  port: pointer(4, int32, 'The port of the service.', { default: 443 }),
});

const WebhookClientConfig = struct(
  'v1.WebhookClientConfig',
  'How to reach a webhook: exactly one of url and service.',
  {
    url: pointer(3, string, 'The address as https://host:port/path, without user, query or fragment.'),
    service: pointer(1, ServiceReference, 'The service that answers.'),
    caBundle: field(
      2,
      bytes,
      'PEM certificates of the authorities that may have signed the certificate of the webhook. Without it the system decides.',
    ),
  },
);

const MatchCondition = struct('v1.MatchCondition', 'A condition in CEL that a request must fulfill.', {
  name: required(1, string, 'A name for the condition, by which it is spoken of.'),
  expression: required(
    2,
    string,
    'A CEL expression that gives a bool. It sees object, oldObject, request and authorizer.',
  ),
});

export const matchConditions = (number: number): GoField =>
  field(
    number,
    listOf(MatchCondition),
    'Conditions that a request must fulfill, all of them, besides the rules. At most 64.',
    { listType: 'map', mapKeys: ['name'], patch: { strategy: 'merge', key: 'name' } },
  );

const namespaceSelector = (number: number): GoField =>
  pointer(number, LabelSelector, 'Only objects in namespaces with such labels.', { default: {} });
const objectSelector = (number: number): GoField =>
  pointer(number, LabelSelector, 'Only objects with such labels.', { default: {} });

const matchPolicy = (number: number, otherwise: string): GoField =>
  pointer(
    number,
    named('v1.MatchPolicyType', 'Equivalent', 'Exact'),
    'Equivalent also matches requests for other versions of the same resource; Exact does not.',
    { default: otherwise },
  );

export const failurePolicy = (number: number, otherwise: string): GoField =>
  pointer(
    number,
    named('v1.FailurePolicyType', 'Fail', 'Ignore'),
    'What to do when no answer can be had: Fail or Ignore.',
    { default: otherwise },
  );

export const MatchResources = struct(
  'v1.MatchResources',
  'Which requests are meant.',
  {
    namespaceSelector: namespaceSelector(1),
    objectSelector: objectSelector(2),
    resourceRules: atomicList(
      3,
      NamedRuleWithOperations,
      'What is meant: whatever matches one of the rules.',
    ),
    excludeResourceRules: atomicList(4, NamedRuleWithOperations, 'What is not, although it matches a rule.'),
    matchPolicy: matchPolicy(7, 'Equivalent'),
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

/** The fields that both kinds of webhooks have; the number of one differs. */
function webhookFields(version: WebhookVersion, selectorNumber: number): Record<string, GoField> {
  const defaults = DEFAULTS[version];
  return {
    name: required(1, string, 'A full domain name for the webhook, unique in the configuration.'),
    clientConfig: required(2, WebhookClientConfig, 'How to reach the webhook.'),
    rules: atomicList(
      3,
      RuleWithOperations,
      'What the webhook is asked about: whatever matches one of the rules.',
    ),
    failurePolicy: failurePolicy(4, defaults.failurePolicy),
    matchPolicy: matchPolicy(9, defaults.matchPolicy),
    namespaceSelector: namespaceSelector(5),
    objectSelector: objectSelector(selectorNumber),
    sideEffects: pointer(
      6,
      named('v1.SideEffectClass', 'None', 'NoneOnDryRun'),
      'None, or NoneOnDryRun for a webhook that has none when the request is a dry run.',
      version === 'v1' ? { required: true } : { default: 'Unknown' },
    ),
    timeoutSeconds: pointer(7, int32, 'How long to wait for an answer, between 1 and 30 seconds.', {
      default: defaults.timeoutSeconds,
    }),
    admissionReviewVersions:
      version === 'v1'
        ? required(8, listOf(string), REVIEW_VERSIONS, { listType: 'atomic' })
        : atomicList(8, string, REVIEW_VERSIONS, { default: ['v1beta1'] }),
  };
}

export const validatingWebhook = (version: WebhookVersion) =>
  struct(`${version}.ValidatingWebhook`, 'A webhook that may refuse requests.', {
    ...webhookFields(version, 10),
    matchConditions: matchConditions(11),
  });

export const mutatingWebhook = (version: WebhookVersion) =>
  struct(`${version}.MutatingWebhook`, 'A webhook that may change objects, or refuse requests.', {
    ...webhookFields(version, 11),
    reinvocationPolicy: pointer(
      10,
      named('v1.ReinvocationPolicyType', 'IfNeeded', 'Never'),
      'IfNeeded asks the webhook once more when a later one has changed the object.',
      { default: 'Never' },
    ),
    matchConditions: matchConditions(12),
  });
