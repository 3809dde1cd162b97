// networking.k8s.io/v1 IngressClass: which controller serves the ingresses of a class.

import { goStruct } from '@instar/kinds';
import { isJsonObject, type JsonObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { textAt, valueAt } from '../table/values.ts';
import { type IngressClass, validateIngressClass, validateIngressClassUpdate } from '../validate/ingress.ts';
import { countSpecChanges } from './counted-spec.ts';

const DEFAULT_CLASS_ANNOTATION = 'ingressclass.kubernetes.io/is-default-class';

export const isDefaultIngressClass = (it: JsonObject): boolean =>
  valueAt(it, 'metadata', 'annotations', DEFAULT_CLASS_ANNOTATION) === 'true';

function fillIn(object: JsonObject): void {
  const parameters = valueAt(object, 'spec', 'parameters');
  if (isJsonObject(parameters)) parameters['scope'] ??= 'Cluster';
}

function parametersCell(it: JsonObject): string {
  if (valueAt(it, 'spec', 'parameters') === undefined) return '<none>';
  const group = valueAt(it, 'spec', 'parameters', 'apiGroup');
  const kind = textAt(it, ['spec', 'parameters', 'kind']) + (group === undefined ? '' : `.${group}`);
  return `${kind}/${textAt(it, ['spec', 'parameters', 'name'])}`;
}

export const ingressClasses = defineKind({
  plural: 'ingressclasses',
  kind: 'IngressClass',
  namespaced: false,
  storagePath: 'ingressclasses/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.IngressClass'),
      fillIn,
      columns: [
        {
          ...nameColumn,
          cell: (it) => textAt(it, ['metadata', 'name']) + (isDefaultIngressClass(it) ? ' (default)' : ''),
        },
        column('Controller', 'What serves its ingresses.', (it) => textAt(it, ['spec', 'controller'])),
        column('Parameters', 'An object with more settings.', parametersCell),
        ageColumn,
      ],
    },
  ],
  strategy: {
    ...countSpecChanges,
    validateCreate: (it) => validateIngressClass(it as IngressClass),
    validateUpdate: (it, old) => validateIngressClassUpdate(it as IngressClass, old as IngressClass),
  },
});
