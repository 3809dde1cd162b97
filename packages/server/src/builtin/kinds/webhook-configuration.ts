// admissionregistration.k8s.io/v1: which webhooks are asked before objects are written. The two kinds differ in one field.
import { deepEqual, type JsonValue, type KubeObject } from '@instar/machinery';
import { ageColumn, column, nameColumn } from '../../table/columns.ts';
import { defineKind } from '../define-kind.ts';
import { atomicList, bytes, field, type GoField, int32, listOf, named, pointer, required, string, struct } from '../typed/go-type.ts';
import { LabelSelector } from '../typed/label-selector.ts';
import { kind } from '../typed/object-meta.ts';
import { validateWebhooks, type Webhook } from '../validate/webhook.ts';

interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

const inRule = { embeddedIn: 'Rule' };
const RuleWithOperations = struct('v1.RuleWithOperations', 'Operations on resources that the webhook is asked about.', {
  operations: atomicList(named('v1.OperationType'), 'CREATE, UPDATE, DELETE, CONNECT, or * for all.'),
  apiGroups: atomicList(string, 'The groups of the resources; * for all, empty text for the core group.', inRule),
  apiVersions: atomicList(string, 'The versions of the resources; * for all.', inRule),
  resources: atomicList(
    string,
    'The resources: pods, pods/status, pods/*, */status, * (all, no subresources) or */* (everything).',
    inRule,
  ),
  scope: pointer(named('v1.ScopeType', '*', 'Cluster', 'Namespaced'), 'Cluster, Namespaced, or * for both.', { ...inRule, default: '*' }),
});

const ServiceReference = struct('v1.ServiceReference', 'A service that answers for the webhook.', {
  namespace: required(string, 'The namespace of the service.'),
  name: required(string, 'The name of the service.'),
  path: pointer(string, 'The path of the URL at which the webhook is asked.'),
  port: pointer(int32, 'The port of the service.', { default: 443 }),
});

const WebhookClientConfig = struct('v1.WebhookClientConfig', 'How to reach a webhook: exactly one of url and service.', {
  url: pointer(string, 'The address as https://host:port/path, without user, query or fragment.'),
  service: pointer(ServiceReference, 'The service that answers.'),
  caBundle: field(
    bytes,
    'PEM certificates of the authorities that may have signed the certificate of the webhook. Without it the system decides.',
  ),
});

const MatchCondition = struct('v1.MatchCondition', 'A condition in CEL that a request must fulfil for the webhook to be asked.', {
  name: required(string, 'A name for the condition, by which it is spoken of.'),
  expression: required(string, 'A CEL expression that gives a bool. It sees object, oldObject, request and authorizer.'),
});

const selectable = (what: string): GoField => pointer(LabelSelector, `Asks the webhook only about ${what}.`, { default: {} });

const webhookFields: Record<string, GoField> = {
  name: required(string, 'A full domain name for the webhook, unique in the configuration.'),
  clientConfig: required(WebhookClientConfig, 'How to reach the webhook.'),
  rules: atomicList(RuleWithOperations, 'What the webhook is asked about: whatever matches one of the rules.'),
  failurePolicy: pointer(named('v1.FailurePolicyType', 'Fail', 'Ignore'), 'What to do when the webhook cannot be asked: Fail or Ignore.', {
    default: 'Fail',
  }),
  matchPolicy: pointer(
    named('v1.MatchPolicyType', 'Equivalent', 'Exact'),
    'Equivalent also matches requests for other versions of the same resource; Exact does not.',
    { default: 'Equivalent' },
  ),
  namespaceSelector: selectable('objects in namespaces with such labels'),
  objectSelector: selectable('objects with such labels'),
  sideEffects: pointer(
    named('v1.SideEffectClass', 'None', 'NoneOnDryRun'),
    'None, or NoneOnDryRun for a webhook that has none when the request is a dry run.',
    { required: true },
  ),
  timeoutSeconds: pointer(int32, 'How long to wait for an answer, between 1 and 30 seconds.', { default: 10 }),
  admissionReviewVersions: required(
    listOf(string),
    'The versions of AdmissionReview that the webhook understands; the first one that the server knows is sent.',
    { listType: 'atomic' },
  ),
};

const matchConditions = field(
  listOf(MatchCondition),
  'Conditions that a request must fulfil, all of them, besides the rules. At most 64.',
  {
    listType: 'map',
    mapKeys: ['name'],
    patch: { strategy: 'merge', key: 'name' },
  },
);

const ValidatingWebhook = struct('v1.ValidatingWebhook', 'A webhook that may refuse requests.', { ...webhookFields, matchConditions });
const MutatingWebhook = struct('v1.MutatingWebhook', 'A webhook that may change objects, or refuse requests.', {
  ...webhookFields,
  reinvocationPolicy: pointer(
    named('v1.ReinvocationPolicyType', 'IfNeeded', 'Never'),
    'IfNeeded asks the webhook once more when a later one has changed the object.',
    { default: 'Never' },
  ),
  matchConditions,
});

function defineConfiguration(name: 'Validating' | 'Mutating', webhook: typeof ValidatingWebhook, description: string) {
  const type = kind(`v1.${name}WebhookConfiguration`, description, {
    webhooks: field(listOf(webhook), 'The webhooks and what each is asked about.', {
      listType: 'map',
      mapKeys: ['name'],
      patch: { strategy: 'merge', key: 'name' },
    }),
  });
  return defineKind({
    plural: `${name.toLowerCase()}webhookconfigurations`,
    kind: `${name}WebhookConfiguration`,
    categories: ['api-extensions'],
    namespaced: false,
    storagePath: `${name.toLowerCase()}webhookconfigurations/`,
    versions: [
      {
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        type,
        columns: [
          nameColumn,
          column('Webhooks', 'How many webhooks the configuration holds.', ({ webhooks }) => countOf(webhooks), { type: 'integer' }),
          ageColumn,
        ],
      },
    ],
    strategy: {
      prepareForCreate: ({ metadata }) => {
        metadata.generation = 1;
      },
      prepareForUpdate: (object, old) => {
        const changed = !deepEqual(object['webhooks'] as JsonValue, old['webhooks'] as JsonValue);
        if (changed) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      },
      validateCreate: (object) => validateWebhooks((object as WebhookConfiguration).webhooks ?? []),
      validateUpdate: (object, old) =>
        validateWebhooks((object as WebhookConfiguration).webhooks ?? [], (old as WebhookConfiguration).webhooks ?? []),
      allowUnconditionalUpdate: false,
    },
  });
}

const countOf = (list: JsonValue | undefined): number => (Array.isArray(list) ? list.length : 0);

export const validatingWebhookConfigurations = defineConfiguration(
  'Validating',
  ValidatingWebhook,
  'Webhooks that are asked whether a request may go ahead.',
);
export const mutatingWebhookConfigurations = defineConfiguration(
  'Mutating',
  MutatingWebhook,
  'Webhooks that may change objects before they are stored.',
);
