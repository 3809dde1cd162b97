// The Go types of ValidatingAdmissionPolicy and its binding.

import {
  atomicList,
  field,
  int64,
  listOf,
  named,
  pointer,
  required,
  string,
  struct,
} from '../../objects/go-type.ts';
import { conditionsField } from '../typed/condition.ts';
import { LabelSelector } from '../typed/label-selector.ts';
import { kind } from '../typed/object-meta.ts';
import { failurePolicy, MatchResources, matchConditions } from './admission-types.ts';

const byName = { listType: 'map', mapKeys: ['name'], patch: { strategy: 'merge', key: 'name' } } as const;

const ParamKind = struct(
  'v1.ParamKind',
  'The kind of the objects that hold parameters.',
  { apiVersion: field(string, 'Its group and version.'), kind: field(string, 'Its name.') },
  { atomic: true },
);

const Validation = struct('v1.Validation', 'Something that must be true of a request.', {
  expression: required(string, 'A CEL expression that gives a bool.'),
  message: field(string, 'What is told if it gives false.'),
  reason: pointer(named('v1.StatusReason'), 'Unauthorized, Forbidden, Invalid or RequestEntityTooLarge.'),
  messageExpression: field(string, 'A CEL expression that gives what is told, instead of the message.'),
});

const AuditAnnotation = struct('v1.AuditAnnotation', 'Something to be noted in the audit log.', {
  key: required(string, 'Under what it is noted.'),
  valueExpression: required(string, 'A CEL expression that gives a text, or null for nothing.'),
});

const Variable = struct(
  'v1.Variable',
  'A value that expressions of the policy may use by name.',
  {
    name: required(string, 'The name: variables.name is the value.'),
    expression: required(
      string,
      'A CEL expression that gives the value. It may use the variables before it.',
    ),
  },
  { atomic: true },
);

const PolicySpec = struct('v1.ValidatingAdmissionPolicySpec', 'What the policy asks of which requests.', {
  paramKind: pointer(
    ParamKind,
    'The kind of the objects that parameterise the policy, if it has parameters.',
  ),
  matchConstraints: pointer(MatchResources, 'Which requests the policy is about.'),
  validations: atomicList(Validation, 'What must be true of them.'),
  failurePolicy: failurePolicy('Fail'),
  auditAnnotations: atomicList(AuditAnnotation, 'What is noted of them.'),
  matchConditions,
  variables: field(listOf(Variable), 'Values that the expressions may use.', byName),
});

const ExpressionWarning = struct(
  'v1.ExpressionWarning',
  'A fault of an expression that type checking has found.',
  {
    fieldRef: required(string, 'Where the expression is.'),
    warning: required(string, 'What is wrong with it, by the types of the objects that it is about.'),
  },
);

const TypeChecking = struct('v1.TypeChecking', 'What type checking has found.', {
  expressionWarnings: atomicList(
    ExpressionWarning,
    'Faults of expressions. They are told only; the policy is in force all the same.',
  ),
});

const PolicyStatus = struct(
  'v1.ValidatingAdmissionPolicyStatus',
  'What the server has found out about the policy.',
  {
    observedGeneration: field(int64, 'The generation that the status is about.'),
    typeChecking: pointer(TypeChecking, 'What type checking has found; absent if it has not been done yet.'),
    conditions: conditionsField('What is known about the state of the policy.'),
  },
);

export const ValidatingAdmissionPolicyType = kind(
  'v1.ValidatingAdmissionPolicy',
  'What must be true of requests, in CEL.',
  {
    spec: field(PolicySpec, 'What the policy asks.'),
    status: field(PolicyStatus, 'What the server has found out about it.'),
  },
);

const ParamRef = struct(
  'v1.ParamRef',
  'Which objects hold the parameters: one by its name, or some by their labels.',
  {
    name: field(string, 'The name of the object.'),
    namespace: field(string, 'Its namespace; that of the request if there is none.'),
    selector: pointer(LabelSelector, 'The labels of the objects.'),
    parameterNotFoundAction: pointer(
      named('v1.ParameterNotFoundActionType'),
      'Allow or Deny requests for which there is no such object.',
    ),
  },
  { atomic: true },
);

const BindingSpec = struct('v1.ValidatingAdmissionPolicyBindingSpec', 'Where and how a policy is enforced.', {
  policyName: field(string, 'The policy.'),
  paramRef: pointer(ParamRef, 'Its parameters.'),
  matchResources: pointer(MatchResources, 'Fewer requests than the policy is about, if not all of them.'),
  validationActions: field(
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
    spec: field(BindingSpec, 'Which policy, and how.'),
  },
);
