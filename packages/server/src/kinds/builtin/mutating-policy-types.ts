// The Go types of MutatingAdmissionPolicy and its binding.

import { atomicList, field, named, pointer, required, string, struct } from '@instar/kinds';
import { kind } from '../typed/object-meta.ts';
import { ParamKind, ParamRef, Variable } from './admission-policy-types.ts';
import { failurePolicy, MatchResources, matchConditions } from './admission-types.ts';

const ApplyConfiguration = struct(
  'v1.ApplyConfiguration',
  'Fields that are set, as by a server-side apply.',
  {
    expression: field(1, string, 'A CEL expression that gives an Object with the fields.'),
  },
);

const JsonPatch = struct('v1.JSONPatch', 'Operations of a JSON Patch.', {
  expression: field(1, string, 'A CEL expression that gives a list of JSONPatch.'),
});

const Mutation = struct('v1.Mutation', 'One change of the object.', {
  patchType: required(
    2,
    named('v1.PatchType', 'ApplyConfiguration', 'JSONPatch'),
    'Which of the two: ApplyConfiguration or JSONPatch.',
  ),
  applyConfiguration: pointer(3, ApplyConfiguration, 'The fields that are set.'),
  jsonPatch: pointer(4, JsonPatch, 'The operations that are done.'),
});

const PolicySpec = struct('v1.MutatingAdmissionPolicySpec', 'What the policy changes in which requests.', {
  paramKind: pointer(
    1,
    ParamKind,
    'The kind of the objects that parameterise the policy, if it has parameters.',
  ),
  matchConstraints: pointer(2, MatchResources, 'Which requests the policy is about.'),
  variables: atomicList(3, Variable, 'Values that the expressions may use.'),
  mutations: atomicList(4, Mutation, 'The changes, one after the other.'),
  failurePolicy: failurePolicy(5, 'Fail'),
  matchConditions: matchConditions(6),
  reinvocationPolicy: field(
    7,
    named('v1.ReinvocationPolicyType', 'IfNeeded', 'Never'),
    'IfNeeded applies the policy once more when something else has changed the object after it.',
  ),
});

export const MutatingAdmissionPolicyType = kind(
  'v1.MutatingAdmissionPolicy',
  'What is changed in objects before they are stored, in CEL.',
  { spec: field(2, PolicySpec, 'What the policy changes.') },
);

const BindingSpec = struct('v1.MutatingAdmissionPolicyBindingSpec', 'Where a policy is in force.', {
  policyName: field(1, string, 'The policy.'),
  paramRef: pointer(2, ParamRef, 'Its parameters.'),
  matchResources: pointer(3, MatchResources, 'Fewer requests than the policy is about, if not all of them.'),
});

export const MutatingAdmissionPolicyBindingType = kind(
  'v1.MutatingAdmissionPolicyBinding',
  'Puts a policy into force.',
  { spec: field(2, BindingSpec, 'Which policy, and where.') },
);
