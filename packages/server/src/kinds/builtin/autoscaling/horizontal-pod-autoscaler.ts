// HorizontalPodAutoscaler: how many replicas a workload gets. One stored object in two versions; all rules
// are those of autoscaling/v2.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { asJson, type KubeObject, validateObjectMeta, validateObjectMetaUpdate } from '@instar/machinery';
import type { WriteContext } from '../../../objects/definition.ts';
import { defineKind } from '../../define-kind.ts';
import { validateAutoscaler, validateAutoscalerStatus } from '../../validate/autoscaling/autoscaler.ts';
import type { Autoscaler } from '../../validate/autoscaling/autoscaler-types.ts';
import { BEHAVIOR, CONDITIONS, CURRENT_METRICS, keepAnnotations, METRICS } from './autoscaler-annotations.ts';
import { autoscalerColumns as columns } from './autoscaler-columns.ts';
import { asV2, autoscalerConverter, fillInV1, V1, V2 } from './autoscaler-conversion.ts';
import { fillInAutoscaler } from './autoscaler-defaults.ts';

const SPEC_PARTS = [METRICS, BEHAVIOR];
const STATUS_PARTS = [CURRENT_METRICS, CONDITIONS];
const EMPTY_STATUS = {
  [V1]: { currentReplicas: 0, desiredReplicas: 0 },
  [V2]: { desiredReplicas: 0, currentMetrics: null },
};

function prepareForCreate(object: KubeObject): void {
  asJson(object)['status'] = { ...EMPTY_STATUS[object.apiVersion as typeof V1 | typeof V2] };
  if (object.apiVersion === V1) keepAnnotations(object.metadata, {}, STATUS_PARTS);
}

function prepareForUpdate(object: KubeObject, old: KubeObject, { subresource }: WriteContext): void {
  const isStatus = subresource === 'status';
  const kept = isStatus ? 'spec' : 'status';
  asJson(object)[kept] = structuredClone(asJson(old)[kept]!);
  if (object.apiVersion === V1)
    keepAnnotations(object.metadata, old.metadata, isStatus ? SPEC_PARTS : STATUS_PARTS);
}

const validateUpdate = (object: Autoscaler, old: Autoscaler, { subresource }: WriteContext) => [
  ...validateObjectMetaUpdate(object.metadata, old.metadata),
  ...(subresource === 'status' ? validateAutoscalerStatus(object) : validateAutoscaler(object, old)),
];

export const horizontalPodAutoscalers = defineKind({
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'horizontalpodautoscalers/',
  versions: [
    {
      group: 'autoscaling',
      version: 'v2',
      type: goStruct('autoscaling/v2.HorizontalPodAutoscaler'),
      fillIn: fillInAutoscaler,
      statusSubresource: true,
      columns,
    },
    {
      group: 'autoscaling',
      version: 'v1',
      type: goStruct('autoscaling/v1.HorizontalPodAutoscaler'),
      fillIn: fillInV1,
      statusSubresource: true,
      columns,
    },
  ],
  converter: autoscalerConverter,
  strategy: {
    prepareForCreate,
    prepareForUpdate,
    validateCreate: (object) => [
      ...validateObjectMeta(object.metadata, true, nameIsDnsSubdomain),
      ...validateAutoscaler(asV2(object)),
    ],
    validateUpdate: (object, old, context) => validateUpdate(asV2(object), asV2(old), context),
  },
  ownMetadataValidation: true,
});
