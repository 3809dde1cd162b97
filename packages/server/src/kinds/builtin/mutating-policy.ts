// admissionregistration.k8s.io/v1 MutatingAdmissionPolicy and MutatingAdmissionPolicyBinding: objects are
// changed without a webhook.
import type { JsonObject, KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import {
  type MutatingBinding,
  type MutatingPolicy,
  validateMutatingBinding,
  validateMutatingPolicy,
} from '../validate/mutating-policy.ts';
import { countGeneration, paramKindCell, paramRefCell, specOf } from './admission-policy.ts';
import { MutatingAdmissionPolicyBindingType, MutatingAdmissionPolicyType } from './mutating-policy-types.ts';

const GROUP = 'admissionregistration.k8s.io';

const mutationCount = (policy: JsonObject): number => {
  const { mutations } = specOf(policy);
  return Array.isArray(mutations) ? mutations.length : 0;
};

const firstGeneration = ({ metadata }: KubeObject): void => {
  metadata.generation = 1;
};

export const mutatingAdmissionPolicies = defineKind({
  plural: 'mutatingadmissionpolicies',
  kind: 'MutatingAdmissionPolicy',
  categories: ['api-extensions'],
  namespaced: false,
  storagePath: 'mutatingadmissionpolicies/',
  versions: [
    {
      group: GROUP,
      version: 'v1',
      type: MutatingAdmissionPolicyType,
      columns: [
        nameColumn,
        column('Mutations', 'How many mutations the policy has.', mutationCount, { type: 'integer' }),
        column('ParamKind', 'The kind of its parameters.', paramKindCell),
        ageColumn,
      ],
    },
  ],
  strategy: {
    prepareForCreate: firstGeneration,
    prepareForUpdate: countGeneration,
    validateCreate: (object) => validateMutatingPolicy(object as MutatingPolicy),
    validateUpdate: (object, old) => validateMutatingPolicy(object as MutatingPolicy, old as MutatingPolicy),
    allowUnconditionalUpdate: false,
  },
});

export const mutatingAdmissionPolicyBindings = defineKind({
  plural: 'mutatingadmissionpolicybindings',
  kind: 'MutatingAdmissionPolicyBinding',
  categories: ['api-extensions'],
  namespaced: false,
  storagePath: 'mutatingadmissionpolicybindings/',
  versions: [
    {
      group: GROUP,
      version: 'v1',
      type: MutatingAdmissionPolicyBindingType,
      columns: [
        nameColumn,
        column('PolicyName', 'The policy that is bound.', (binding) =>
          String(specOf(binding)['policyName'] ?? ''),
        ),
        column('ParamRef', 'Its parameters.', paramRefCell),
        ageColumn,
      ],
    },
  ],
  strategy: {
    prepareForCreate: firstGeneration,
    prepareForUpdate: countGeneration,
    validateCreate: (object) => validateMutatingBinding(object as MutatingBinding),
    validateUpdate: (object) => validateMutatingBinding(object as MutatingBinding),
    allowUnconditionalUpdate: false,
  },
});
