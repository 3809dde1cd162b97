// instar.dev/v1alpha1 Lens: a conversion as an object. It is served like any custom resource, except that its
// definition ships with the server; @instar/lens validates its operations.

import { RELABEL } from '@instar/convert';
import type { CustomResourceDefinition } from '@instar/crd';
import { parseLens } from '@instar/lens';
import { asJson, type FieldError, type KubeObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { ResourceDefinition, Strategy } from '../../objects/definition.ts';
import { definitionOf } from '../definitions/definition.ts';

const conditions: JSONSchemaProps = {
  type: 'array',
  description:
    'Accepted: the lens is well formed and the only one of its definition. Complete: it joins all versions of the definition.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      type: { type: 'string' },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: { type: 'string' },
      message: { type: 'string' },
      lastTransitionTime: { type: 'string', format: 'date-time' },
      observedGeneration: { type: 'integer', format: 'int64' },
    },
  },
};

const schema: JSONSchemaProps = {
  type: 'object',
  description: 'A conversion between the versions of a custom resource, as data.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['crd', 'lenses'],
      properties: {
        crd: {
          type: 'string',
          minLength: 1,
          maxLength: 253,
          description: 'The definition whose objects are converted: <plural>.<group>.',
        },
        lenses: {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['from', 'to'],
          description: 'Each joins two versions and is read in both directions.',
          items: {
            type: 'object',
            required: ['from', 'to'],
            properties: {
              from: { type: 'string', description: 'The older version.' },
              to: { type: 'string', description: 'The newer version.' },
              ops: {
                type: 'array',
                maxItems: 1000,
                'x-kubernetes-list-type': 'atomic',
                description: 'In order. None: the versions differ in nothing but their name.',
                items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
        },
      },
    },
    status: { type: 'object', properties: { conditions } },
  },
};

const condition = (type: string): string => `.status.conditions[?(@.type=="${type}")].status`;

const names = { plural: 'lenses', singular: 'lens', kind: 'Lens', listKind: 'LensList' };

/** Not stored, so that clients can neither change nor delete it. */
const crd: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lenses.instar.dev' },
  spec: {
    group: 'instar.dev',
    scope: 'Cluster',
    names,
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'CRD', type: 'string', jsonPath: '.spec.crd' },
          { name: 'Accepted', type: 'string', jsonPath: condition('Accepted') },
          { name: 'Complete', type: 'string', jsonPath: condition('Complete') },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
  status: { acceptedNames: names, storedVersions: ['v1alpha1'], conditions: [] },
};

export const lensDefinition: ResourceDefinition = withOperationsChecked(
  definitionOf(
    crd,
    { schemas: new Map(), converter: RELABEL, formGeneration: {}, unavailable: undefined },
    false,
  ),
);

function withOperationsChecked(definition: ResourceDefinition): ResourceDefinition {
  const { strategy } = definition;
  const checked: Strategy = {
    ...strategy,
    validateCreate: (object, context) => strategy.validateCreate!(object, context).concat(faultsOf(object)),
    validateUpdate: (object, old, context) =>
      strategy.validateUpdate!(object, old, context).concat(
        context.subresource === '' ? faultsOf(object) : [],
      ),
  };
  return { ...definition, strategy: checked };
}

function faultsOf(object: KubeObject): FieldError[] {
  return [...(parseLens(asJson(object)).errors ?? [])];
}
