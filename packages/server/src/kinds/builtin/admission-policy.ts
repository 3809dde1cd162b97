// admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding: admission
// without a webhook.
import {
  deepEqual,
  encodeGoJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import {
  type Binding,
  type Policy,
  validateBinding,
  validatePolicy,
  validatePolicyStatus,
} from '../validate/admission-policy.ts';
import {
  ValidatingAdmissionPolicyBindingType,
  ValidatingAdmissionPolicyType,
} from './admission-policy-types.ts';

const GROUP = 'admissionregistration.k8s.io';

export const specOf = ({ spec }: JsonObject): JsonObject => (isJsonObject(spec) ? spec : {});

export function countGeneration(object: KubeObject, old: KubeObject): void {
  if (!deepEqual(object['spec'] as JsonValue, old['spec'] as JsonValue))
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function preparePolicy(object: KubeObject, old: KubeObject, { subresource }: WriteContext): void {
  if (subresource === 'status') {
    object['spec'] = structuredClone(old['spec']);
    const { managedFields, resourceVersion } = object.metadata;
    object.metadata = {
      ...structuredClone(old.metadata),
      ...(managedFields !== undefined && { managedFields }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    };
    return;
  }
  object['status'] = structuredClone(old['status']);
  countGeneration(object, old);
}

export function paramKindCell(policy: JsonObject): string {
  const { paramKind } = specOf(policy);
  return isJsonObject(paramKind)
    ? `${String(paramKind['apiVersion'] ?? '')}/${String(paramKind['kind'] ?? '')}`
    : '<unset>';
}

export function paramRefCell(binding: JsonObject): string {
  const { paramRef } = specOf(binding);
  if (!isJsonObject(paramRef)) return '<unset>';
  const { name = '', namespace = '', selector } = paramRef;
  if (name !== '') return `${namespace === '' ? '*' : String(namespace)}/${String(name)}`;
  return selector === undefined ? '<unset>' : encodeGoJson(selector);
}

const validationCount = (policy: JsonObject): number => {
  const { validations } = specOf(policy);
  return Array.isArray(validations) ? validations.length : 0;
};

export const validatingAdmissionPolicies = defineKind({
  plural: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  categories: ['api-extensions'],
  namespaced: false,
  storagePath: 'validatingadmissionpolicies/',
  versions: [
    {
      group: GROUP,
      version: 'v1',
      type: ValidatingAdmissionPolicyType,
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Validations', 'How many validations the policy has.', validationCount, { type: 'integer' }),
        column('ParamKind', 'The kind of its parameters.', paramKindCell),
        ageColumn,
      ],
    },
  ],
  strategy: {
    prepareForCreate: (object) => {
      object.metadata.generation = 1;
      object['status'] = {};
    },
    prepareForUpdate: preparePolicy,
    validateCreate: (object) => validatePolicy(object as Policy),
    validateUpdate: (object, old, { subresource }) =>
      subresource === 'status'
        ? validatePolicyStatus(object as Policy)
        : validatePolicy(object as Policy, old as Policy),
    allowUnconditionalUpdate: false,
  },
});

export const validatingAdmissionPolicyBindings = defineKind({
  plural: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
  categories: ['api-extensions'],
  namespaced: false,
  storagePath: 'validatingadmissionpolicybindings/',
  versions: [
    {
      group: GROUP,
      version: 'v1',
      type: ValidatingAdmissionPolicyBindingType,
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
    prepareForCreate: ({ metadata }) => {
      metadata.generation = 1;
    },
    prepareForUpdate: countGeneration,
    validateCreate: (object) => validateBinding(object as Binding),
    validateUpdate: (object) => validateBinding(object as Binding),
    allowUnconditionalUpdate: false,
  },
});
