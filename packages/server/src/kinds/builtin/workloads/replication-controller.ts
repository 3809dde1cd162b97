// v1 ReplicationController: so many pods of one template; the elder of ReplicaSet.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { type JsonObject, validateObjectMeta, validateObjectMetaUpdate } from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, nameColumn, wideColumn } from '../../table/columns.ts';
import {
  validateReplicationControllerSpec,
  validateReplicationControllerStatus,
} from '../../validate/workloads/replication-controller.ts';
import type { ReplicationController } from '../../validate/workloads/workload-types.ts';
import { fillInPodTemplate } from '../pod/pod-spec-defaults.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';
import { namedTemplateWarnings, withoutDisabledFields } from './template-rules.ts';
import { containerColumns, countColumn, labelsText, memberAt, numberAt } from './workload-columns.ts';

function fillIn(object: JsonObject): void {
  const { metadata, spec } = object as unknown as ReplicationController;
  fillInPodTemplate(spec.template as never);
  const labels = spec.template?.metadata?.labels;
  if (labels === undefined) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}

export const replicationControllers = defineKind({
  plural: 'replicationcontrollers',
  kind: 'ReplicationController',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'controllers/',
  versions: [
    {
      group: '',
      version: 'v1',
      type: goStruct('core/v1.ReplicationController'),
      fillIn,
      statusSubresource: true,
      scaleSubresource: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.spec.selector',
        selectsByMap: true,
      },
      columns: [
        nameColumn,
        countColumn('Desired', 'How many pods there should be.', 'spec', 'replicas'),
        countColumn('Current', 'How many pods there are.', 'status', 'replicas'),
        countColumn('Ready', 'How many pods are ready.', 'status', 'readyReplicas'),
        ageColumn,
        ...containerColumns(['spec', 'template']),
        wideColumn('Selector', 'Which pods belong to it.', (object) =>
          labelsText(memberAt(object, 'spec', 'selector')),
        ),
      ],
      selectableFields: [
        { name: 'status.replicas', value: (object) => String(numberAt(object, 'status', 'replicas')) },
      ],
    },
  ],
  strategy: {
    ...withoutDisabledFields(prepareSpecAndStatus()),
    validateCreate: (object) => [
      ...validateObjectMeta(object.metadata, true, nameIsDnsSubdomain),
      ...validateReplicationControllerSpec(object as ReplicationController),
    ],
    validateUpdate: (object, old, { subresource }) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...(subresource === 'status'
        ? validateReplicationControllerStatus(object as ReplicationController)
        : validateReplicationControllerSpec(object as ReplicationController)),
    ],
    warnings: namedTemplateWarnings,
    orphansDependents: {},
    statusMayWriteMetadata: true,
  },
  ownMetadataValidation: true,
});
