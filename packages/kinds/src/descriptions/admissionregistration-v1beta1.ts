// What the types of admissionregistration/v1beta1 and their fields are, for OpenAPI and kubectl explain.
import type { Descriptions } from './descriptions.ts';

export const descriptions: Descriptions = {
  MutatingWebhookConfiguration: {
    '': 'Webhooks that may change objects before they are stored.',
    metadata: 'Name, labels and what else all objects have.',
    webhooks: 'The webhooks and what each is asked about.',
  },
  MutatingWebhook: {
    '': 'A webhook that may change objects, or refuse requests.',
    name: 'A full domain name for the webhook, unique in the configuration.',
    clientConfig: 'How to reach the webhook.',
    rules: 'What the webhook is asked about: whatever matches one of the rules.',
    failurePolicy: 'What to do when no answer can be had: Fail or Ignore.',
    matchPolicy: 'Equivalent also matches requests for other versions of the same resource; Exact does not.',
    namespaceSelector: 'Only objects in namespaces with such labels.',
    objectSelector: 'Only objects with such labels.',
    sideEffects: 'None, or NoneOnDryRun for a webhook that has none when the request is a dry run.',
    timeoutSeconds: 'How long to wait for an answer, between 1 and 30 seconds.',
    admissionReviewVersions:
      'The versions of AdmissionReview that the webhook understands; the first one that the server knows is sent.',
    reinvocationPolicy: 'IfNeeded asks the webhook once more when a later one has changed the object.',
    matchConditions: 'Conditions that a request must fulfill, all of them, besides the rules. At most 64.',
  },
  ValidatingWebhookConfiguration: {
    '': 'Webhooks that are asked whether a request may go ahead.',
    metadata: 'Name, labels and what else all objects have.',
    webhooks: 'The webhooks and what each is asked about.',
  },
  ValidatingWebhook: {
    '': 'A webhook that may refuse requests.',
    name: 'A full domain name for the webhook, unique in the configuration.',
    clientConfig: 'How to reach the webhook.',
    rules: 'What the webhook is asked about: whatever matches one of the rules.',
    failurePolicy: 'What to do when no answer can be had: Fail or Ignore.',
    matchPolicy: 'Equivalent also matches requests for other versions of the same resource; Exact does not.',
    namespaceSelector: 'Only objects in namespaces with such labels.',
    objectSelector: 'Only objects with such labels.',
    sideEffects: 'None, or NoneOnDryRun for a webhook that has none when the request is a dry run.',
    timeoutSeconds: 'How long to wait for an answer, between 1 and 30 seconds.',
    admissionReviewVersions:
      'The versions of AdmissionReview that the webhook understands; the first one that the server knows is sent.',
    matchConditions: 'Conditions that a request must fulfill, all of them, besides the rules. At most 64.',
  },
};
