// apiextensions.k8s.io CustomResourceDefinition: a kind like the others, whose objects make kinds. What it means is in @instar/crd.
import {
  applyCrdDefaults,
  type CustomResourceDefinition,
  crdWarnings,
  markForDeletion,
  prepareCrdForCreate,
  prepareCrdForStatusUpdate,
  prepareCrdForUpdate,
  validateCrdCreate,
  validateCrdStatusUpdate,
  validateCrdUpdate,
} from '@instar/crd';
import type { KubeObject } from '@instar/machinery';
import { NAME_AND_CREATED_AT } from '../../table/columns.ts';
import { defineKind } from '../define-kind.ts';
import { CustomResourceDefinitionType } from './custom-resource-definition-type.ts';

const asCrd = (object: KubeObject): CustomResourceDefinition => object as CustomResourceDefinition;

export const customResourceDefinitions = defineKind({
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  ownMetadataValidation: true,
  storagePath: 'apiextensions.k8s.io/customresourcedefinitions/',
  versions: [
    {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      type: CustomResourceDefinitionType,
      fillIn: (object) => applyCrdDefaults(object as unknown as CustomResourceDefinition),
      statusSubresource: true,
      columns: NAME_AND_CREATED_AT,
    },
  ],
  strategy: {
    prepareForCreate: (object) => prepareCrdForCreate(asCrd(object)),
    prepareForUpdate: (object, old, { subresource }) =>
      subresource === 'status' ? prepareCrdForStatusUpdate(asCrd(object), asCrd(old)) : prepareCrdForUpdate(asCrd(object), asCrd(old)),
    validateCreate: (object) => validateCrdCreate(asCrd(object)),
    validateUpdate: (object, old, { subresource }) =>
      subresource === 'status' ? validateCrdStatusUpdate(asCrd(object), asCrd(old)) : validateCrdUpdate(asCrd(object), asCrd(old)),
    warnings: (object, old, { subresource }) => (subresource === 'status' ? [] : crdWarnings(asCrd(object), old && asCrd(old))),
    allowUnconditionalUpdate: false,
    /** The objects go first: see the controller in custom/. */
    markForDeletion: (object, now) => markForDeletion(asCrd(object), Date.parse(now)),
  },
});
