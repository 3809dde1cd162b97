// apiextensions.k8s.io CustomResourceDefinition: a kind like the others, whose objects define kinds. Its
// logic is in @instar/crd. v1beta1 is served beside v1 over the same stored objects: upstream has dropped it,
// but clients still use it.
import { type Converter, settingsWarnings } from '@instar/convert';
import {
  applyCrdDefaults,
  applyV1beta1Defaults,
  type CustomResourceDefinition,
  crdWarnings,
  draftFieldHint,
  fromV1beta1,
  markForDeletion,
  prepareCrdForCreate,
  prepareCrdForStatusUpdate,
  prepareCrdForUpdate,
  toV1beta1,
  type V1beta1CustomResourceDefinition,
  validateCrdCreateInSteps,
  validateCrdStatusUpdate,
  validateCrdUpdateInSteps,
  validateV1beta1,
} from '@instar/crd';
import { asJson, asKubeObject, deepCopy, type KubeObject } from '@instar/machinery';
import type { ValidationSteps, WriteContext } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { NAME_AND_CREATED_AT } from '../table/columns.ts';
import {
  CustomResourceDefinitionBetaType,
  CustomResourceDefinitionType,
} from './custom-resource-definition-type.ts';
import { withDowngradeRemedy } from './downgrade-remedy.ts';

const GROUP = 'apiextensions.k8s.io';
export const BETA = `${GROUP}/v1beta1`;

const asBeta = (object: KubeObject): V1beta1CustomResourceDefinition =>
  object as V1beta1CustomResourceDefinition;

/** The definition in v1; if it is in v1 already, the object itself. */
export const asCrd = (object: KubeObject): CustomResourceDefinition =>
  object.apiVersion === BETA ? fromV1beta1(asBeta(object)) : (object as CustomResourceDefinition);

const copyOf = (object: KubeObject): KubeObject => asKubeObject(deepCopy(asJson(object)));

const converter: Converter = { convertNow };

function convertNow(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const copy = copyOf(object);
  return apiVersion === BETA ? toV1beta1(copy as CustomResourceDefinition) : fromV1beta1(asBeta(copy));
}

/** Runs code for v1 on an object of either version: status and generation are the same in both. */
function inV1(object: KubeObject, prepare: (crd: CustomResourceDefinition) => void): void {
  const crd = asCrd(object);
  prepare(crd);
  if (crd === object) return;
  object['status'] = crd.status;
  if (crd.metadata.generation !== undefined) object.metadata.generation = crd.metadata.generation;
}

function prepareForUpdate(object: KubeObject, old: KubeObject, { subresource }: WriteContext): void {
  if (subresource !== 'status') inV1(object, (crd) => prepareCrdForUpdate(crd, asCrd(old)));
  else if (object.apiVersion === BETA) object['spec'] = copyOf(old)['spec'];
  else prepareCrdForStatusUpdate(asCrd(object), asCrd(old));
}

function* validateInSteps(
  object: KubeObject,
  old: KubeObject | undefined,
  context: WriteContext,
): ValidationSteps {
  return old === undefined ? yield* validateCreate(object) : yield* validateUpdate(object, old, context);
}

function* validateCreate(object: KubeObject): ValidationSteps {
  if (object.apiVersion !== BETA) return yield* validateCrdCreateInSteps(asCrd(object));
  return [...validateV1beta1(asBeta(object)), ...(yield* validateCrdCreateInSteps(asCrd(object), 'v1beta1'))];
}

function* validateUpdate(
  object: KubeObject,
  old: KubeObject,
  { subresource }: WriteContext,
): ValidationSteps {
  if (subresource === 'status') return validateCrdStatusUpdate(asCrd(object), asCrd(old));
  const crd = asCrd(object);
  if (object.apiVersion !== BETA)
    return withDowngradeRemedy(crd, yield* validateCrdUpdateInSteps(crd, asCrd(old)));
  return [
    ...validateV1beta1(asBeta(object)),
    ...withDowngradeRemedy(crd, yield* validateCrdUpdateInSteps(crd, asCrd(old), 'v1beta1')),
  ];
}

const warnings = (crd: CustomResourceDefinition, old?: CustomResourceDefinition): string[] => [
  ...crdWarnings(crd, old),
  ...settingsWarnings(crd, old),
];

export const customResourceDefinitions = defineKind({
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  ownMetadataValidation: true,
  storagePath: `${GROUP}/customresourcedefinitions/`,
  versions: [
    {
      group: GROUP,
      version: 'v1',
      type: CustomResourceDefinitionType,
      fillIn: (object) => applyCrdDefaults(object as unknown as CustomResourceDefinition),
      unknownFieldHint: (path) => draftFieldHint(path),
      statusSubresource: true,
      columns: NAME_AND_CREATED_AT,
    },
    {
      group: GROUP,
      version: 'v1beta1',
      type: CustomResourceDefinitionBetaType,
      fillIn: (object) => applyV1beta1Defaults(object as unknown as V1beta1CustomResourceDefinition),
      unknownFieldHint: (path) => draftFieldHint(path, 'v1beta1'),
      statusSubresource: true,
      columns: NAME_AND_CREATED_AT,
      deprecationWarning: `${BETA} CustomResourceDefinition is deprecated; use ${GROUP}/v1 CustomResourceDefinition`,
    },
  ],
  converter,
  strategy: {
    prepareForCreate: (object) => inV1(object, prepareCrdForCreate),
    prepareForUpdate,
    validateInSteps,
    warnings: (object, old, { subresource }) =>
      subresource === 'status' ? [] : warnings(asCrd(object), old && asCrd(old)),
    allowUnconditionalUpdate: false,
    statusMayWriteMetadata: true,
    /** Its objects are deleted first: see the controller in custom/. */
    markForDeletion(object, now) {
      const crd = asCrd(object);
      markForDeletion(crd, Date.parse(now));
      object['status'] = crd.status;
      object.metadata = crd.metadata;
    },
  },
});
