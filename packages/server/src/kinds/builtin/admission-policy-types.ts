// The Go types of ValidatingAdmissionPolicy and its binding.

import { atomicList, field, int64, listOf, named, pointer, required, string, struct } from '@instar/kinds';
import { conditionsField } from '../typed/condition.ts';
import { LabelSelector } from '../typed/label-selector.ts';
import { kind } from '../typed/object-meta.ts';
import { failurePolicy, MatchResources, matchConditions } from './admission-types.ts';

const byName = { listType: 'map', mapKeys: ['name'], patch: { strategy: 'merge', key: 'name' } } as const;

export const ParamKind = struct(
  'v1.ParamKind',
  'The kind of the objects that hold parameters.',
  { apiVersion: field(1, string, 'Its group and version.'), kind: field(2, string, 'Its name.') },
  { atomic: true },
);

const Validation = struct('v1.Validation', 'Something that must be true of a request.', {
  expression: required(1, string, 'A CEL expression that gives a bool.'),
  message: field(2, string, 'What is told if it gives false.'),
  reason: pointer(3, named('v1.StatusReason'), 'Unauthorized, Forbidden, Invalid or RequestEntityTooLarge.'),
  messageExpression: field(4, string, 'A CEL expression that gives what is told, instead of the message.'),
});

const AuditAnnotation = struct('v1.AuditAnnotation', 'Something to be noted in the audit log.', {
  key: required(1, string, 'Under what it is noted.'),
  valueExpression: required(2, string, 'A CEL expression that gives a text, or null for nothing.'),
});

export const Variable = struct(
  'v1.Variable',
  'A value that expressions of the policy may use by name.',
  {
    name: required(1, string, 'The name: variables.name is the value.'),
    expression: required(
      2,
      string,
      'A CEL expression that gives the value. It may use the variables before it.',
    ),
  },
  { atomic: true },
);

const PolicySpec = struct('v1.ValidatingAdmissionPolicySpec', 'What the policy asks of which requests.', {
  paramKind: pointer(
    1,
    ParamKind,
    'The kind of the objects that parameterise the policy, if it has parameters.',
  ),
  matchConstraints: pointer(2, MatchResources, 'Which requests the policy is about.'),
  validations: atomicList(3, Validation, 'What must be true of them.'),
  failurePolicy: failurePolicy(4, 'Fail'),
  auditAnnotations: atomicList(5, AuditAnnotation, 'What is noted of them.'),
  matchConditions: matchConditions(6),
  variables: field(7, listOf(Variable), 'Values that the expressions may use.', byName),
});

const ExpressionWarning = struct(
  'v1.ExpressionWarning',
  'A fault of an expression that type checking has found.',
  {
    fieldRef: required(2, string, 'Where the expression is.'),
    warning: required(3, string, 'What is wrong with it, by the types of the objects that it is about.'),
  },
);

const TypeChecking = struct('v1.TypeChecking', 'What type checking has found.', {
  expressionWarnings: atomicList(
    1,
    ExpressionWarning,
    'Faults of expressions. They are told only; the policy is in force all the same.',
  ),
});

const PolicyStatus = struct(
  'v1.ValidatingAdmissionPolicyStatus',
  'What the server has found out about the policy.',
  {
    observedGeneration: field(1, int64, 'The generation that the status is about.'),
    typeChecking: pointer(
      2,
      TypeChecking,
      'What type checking has found; absent if it has not been done yet.',
    ),
    conditions: conditionsField(3, 'What is known about the state of the policy.'),
  },
);

export const ValidatingAdmissionPolicyType = kind(
  'v1.ValidatingAdmissionPolicy',
  'What must be true of requests, in CEL.',
  {
    spec: field(2, PolicySpec, 'What the policy asks.'),
    status: field(3, PolicyStatus, 'What the server has found out about it.'),
  },
);

export const ParamRef = struct(
  'v1.ParamRef',
  'Which objects hold the parameters: one by its name, or some by their labels.',
  {
    name: field(1, string, 'The name of the object.'),
    namespace: field(2, string, 'Its namespace; that of the request if there is none.'),
    selector: pointer(3, LabelSelector, 'The labels of the objects.'),
    parameterNotFoundAction: pointer(
      4,
      named('v1.ParameterNotFoundActionType'),
      'Allow or Deny requests for which there is no such object.',
    ),
  },
  { atomic: true },
);

const BindingSpec = struct('v1.ValidatingAdmissionPolicyBindingSpec', 'Where and how a policy is enforced.', {
  policyName: field(1, string, 'The policy.'),
  paramRef: pointer(2, ParamRef, 'Its parameters.'),
  matchResources: pointer(3, MatchResources, 'Fewer requests than the policy is about, if not all of them.'),
  validationActions: field(
    4,
    listOf(named('v1.ValidationAction', 'Audit', 'Deny', 'Warn')),
    'What is done if a validation fails.',
    {
      listType: 'set',
    },
  ),
});

export const ValidatingAdmissionPolicyBindingType = kind(
  'v1.ValidatingAdmissionPolicyBinding',
  'Puts a policy into force.',
  {
    spec: field(2, BindingSpec, 'Which policy, and how.'),
  },
);
