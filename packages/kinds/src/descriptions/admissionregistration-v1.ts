// What the types of admissionregistration/v1 and their fields are, for OpenAPI and kubectl explain.
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
  WebhookClientConfig: {
    '': 'How to reach a webhook: exactly one of url and service.',
    url: 'The address as https://host:port/path, without user, query or fragment.',
    service: 'The service that answers.',
    caBundle:
      'PEM certificates of the authorities that may have signed the certificate of the webhook. Without it the system decides.',
  },
  ServiceReference: {
    '': 'A service that answers for the webhook.',
    namespace: 'The namespace of the service.',
    name: 'The name of the service.',
    path: 'The path of the URL at which the webhook is asked.',
    port: 'The port of the service.',
  },
  RuleWithOperations: {
    '': 'Operations on resources that the webhook is asked about.',
    operations: 'CREATE, UPDATE, DELETE, CONNECT, or * for all.',
    apiGroups: 'The groups of the resources; * for all, empty text for the core group.',
    apiVersions: 'The versions of the resources; * for all.',
    resources:
      'The resources: pods, pods/status, pods/*, */status, * (all, no subresources) or */* (everything).',
    scope: 'Cluster, Namespaced, or * for both.',
  },
  MatchCondition: {
    '': 'A condition in CEL that a request must fulfill.',
    name: 'A name for the condition, by which it is spoken of.',
    expression: 'A CEL expression that gives a bool. It sees object, oldObject, request and authorizer.',
  },
  ValidatingAdmissionPolicy: {
    '': 'What must be true of requests, in CEL.',
    metadata: 'Name, labels and what else all objects have.',
    spec: 'What the policy asks.',
    status: 'What the server has found out about it.',
  },
  ValidatingAdmissionPolicySpec: {
    '': 'What the policy asks of which requests.',
    paramKind: 'The kind of the objects that parameterise the policy, if it has parameters.',
    matchConstraints: 'Which requests the policy is about.',
    validations: 'What must be true of them.',
    failurePolicy: 'What to do when no answer can be had: Fail or Ignore.',
    auditAnnotations: 'What is noted of them.',
    matchConditions: 'Conditions that a request must fulfill, all of them, besides the rules. At most 64.',
    variables: 'Values that the expressions may use.',
  },
  ParamKind: {
    '': 'The kind of the objects that hold parameters.',
    apiVersion: 'Its group and version.',
    kind: 'Its name.',
  },
  MatchResources: {
    '': 'Which requests are meant.',
    namespaceSelector: 'Only objects in namespaces with such labels.',
    objectSelector: 'Only objects with such labels.',
    resourceRules: 'What is meant: whatever matches one of the rules.',
    excludeResourceRules: 'What is not, although it matches a rule.',
    matchPolicy: 'Equivalent also matches requests for other versions of the same resource; Exact does not.',
  },
  NamedRuleWithOperations: {
    '': 'Operations on resources, or on some objects of them.',
    resourceNames: 'The names of the objects; all if there is none.',
    operations: 'CREATE, UPDATE, DELETE, CONNECT, or * for all.',
    apiGroups: 'The groups of the resources; * for all, empty text for the core group.',
    apiVersions: 'The versions of the resources; * for all.',
    resources:
      'The resources: pods, pods/status, pods/*, */status, * (all, no subresources) or */* (everything).',
    scope: 'Cluster, Namespaced, or * for both.',
  },
  Validation: {
    '': 'Something that must be true of a request.',
    expression: 'A CEL expression that gives a bool.',
    message: 'What is told if it gives false.',
    reason: 'Unauthorized, Forbidden, Invalid or RequestEntityTooLarge.',
    messageExpression: 'A CEL expression that gives what is told, instead of the message.',
  },
  AuditAnnotation: {
    '': 'Something to be noted in the audit log.',
    key: 'Under what it is noted.',
    valueExpression: 'A CEL expression that gives a text, or null for nothing.',
  },
  Variable: {
    '': 'A value that expressions of the policy may use by name.',
    name: 'The name: variables.name is the value.',
    expression: 'A CEL expression that gives the value. It may use the variables before it.',
  },
  ValidatingAdmissionPolicyStatus: {
    '': 'What the server has found out about the policy.',
    observedGeneration: 'The generation that the status is about.',
    typeChecking: 'What type checking has found; absent if it has not been done yet.',
    conditions: 'What is known about the state of the policy.',
  },
  TypeChecking: {
    '': 'What type checking has found.',
    expressionWarnings: 'Faults of expressions. They are told only; the policy is in force all the same.',
  },
  ExpressionWarning: {
    '': 'A fault of an expression that type checking has found.',
    fieldRef: 'Where the expression is.',
    warning: 'What is wrong with it, by the types of the objects that it is about.',
  },
  ValidatingAdmissionPolicyBinding: {
    '': 'Puts a policy into force.',
    metadata: 'Name, labels and what else all objects have.',
    spec: 'Which policy, and how.',
  },
  ValidatingAdmissionPolicyBindingSpec: {
    '': 'Where and how a policy is enforced.',
    policyName: 'The policy.',
    paramRef: 'Its parameters.',
    matchResources: 'Fewer requests than the policy is about, if not all of them.',
    validationActions: 'What is done if a validation fails.',
  },
  ParamRef: {
    '': 'Which objects hold the parameters: one by its name, or some by their labels.',
    name: 'The name of the object.',
    namespace: 'Its namespace; that of the request if there is none.',
    selector: 'The labels of the objects.',
    parameterNotFoundAction: 'Allow or Deny requests for which there is no such object.',
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
