// apps/v1 ReplicaSet: so many pods of one template.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { type JsonObject, validateObjectMeta, validateObjectMetaUpdate } from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn } from '../../table/columns.ts';
import {
  validateReplicaSetSpec,
  validateReplicaSetStatus,
  validateReplicaSetUpdate,
} from '../../validate/workloads/deployment.ts';
import type { ReplicaSet } from '../../validate/workloads/workload-types.ts';
import { fillInPodTemplate } from '../pod/pod-spec-defaults.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';
import { namedTemplateWarnings, withoutDisabledFields } from './template-rules.ts';
import { containerColumns, countColumn, selectorColumn } from './workload-columns.ts';

function fillIn(object: JsonObject): void {
  const { spec } = object as unknown as ReplicaSet;
  fillInPodTemplate(spec.template as never);
  spec.replicas ??= 1;
}

export const replicaSets = defineKind({
  plural: 'replicasets',
  kind: 'ReplicaSet',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'replicasets/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.ReplicaSet'),
      fillIn,
      statusSubresource: true,
      scaleSubresource: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.spec.selector',
      },
      columns: [
        nameColumn,
        countColumn('Desired', 'How many pods there should be.', 'spec', 'replicas'),
        countColumn('Current', 'How many pods there are.', 'status', 'replicas'),
        countColumn('Ready', 'How many pods are ready.', 'status', 'readyReplicas'),
        ageColumn,
        ...containerColumns(['spec', 'template']),
        selectorColumn(['spec']),
      ],
    },
  ],
  strategy: {
    ...withoutDisabledFields(prepareSpecAndStatus()),
    validateCreate: (object) => [
      ...validateObjectMeta(object.metadata, true, nameIsDnsSubdomain),
      ...validateReplicaSetSpec(object as ReplicaSet),
    ],
    validateUpdate: (object, old, { subresource }) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...(subresource === 'status'
        ? validateReplicaSetStatus(object as ReplicaSet)
        : validateReplicaSetUpdate(object as ReplicaSet, old as ReplicaSet)),
    ],
    warnings: namedTemplateWarnings,
    statusMayWriteMetadata: true,
  },
  ownMetadataValidation: true,
});
