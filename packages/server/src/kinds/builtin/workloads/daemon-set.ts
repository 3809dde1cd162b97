// apps/v1 DaemonSet: one pod on every node.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { type JsonObject, validateObjectMeta, validateObjectMetaUpdate } from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, column, nameColumn } from '../../table/columns.ts';
import {
  validateDaemonSetSpec,
  validateDaemonSetStatus,
  validateDaemonSetUpdate,
} from '../../validate/workloads/daemon-set.ts';
import type { DaemonSet } from '../../validate/workloads/workload-types.ts';
import { fillInPodTemplate } from '../pod/pod-spec-defaults.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';
import {
  fillInTemplateGeneration,
  keepTemplateGeneration,
  setTemplateGeneration,
} from './template-generation.ts';
import { templateWarnings, withoutDisabledFields } from './template-rules.ts';
import { containerColumns, countColumn, labelsText, memberAt, selectorColumn } from './workload-columns.ts';

function fillIn(object: JsonObject): void {
  const { spec } = object as unknown as DaemonSet;
  fillInPodTemplate(spec.template as never);
  const { updateStrategy } = spec;
  updateStrategy.type ||= 'RollingUpdate';
  if (updateStrategy.type === 'RollingUpdate')
    updateStrategy.rollingUpdate = { maxUnavailable: 1, maxSurge: 0, ...updateStrategy.rollingUpdate };
  // Upstream has no pointers here: what is not set is 0.
  const { rollingUpdate } = updateStrategy;
  if (rollingUpdate !== undefined)
    updateStrategy.rollingUpdate = { maxUnavailable: 0, maxSurge: 0, ...rollingUpdate };
  spec.revisionHistoryLimit ??= 10;
  fillInTemplateGeneration(object);
}

const prepare = withoutDisabledFields(prepareSpecAndStatus());

export const daemonSets = defineKind({
  plural: 'daemonsets',
  kind: 'DaemonSet',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'daemonsets/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.DaemonSet'),
      fillIn,
      statusSubresource: true,
      columns: [
        nameColumn,
        countColumn('Desired', 'How many nodes should run the pod.', 'status', 'desiredNumberScheduled'),
        countColumn('Current', 'How many nodes run the pod.', 'status', 'currentNumberScheduled'),
        countColumn('Ready', 'How many nodes run it and it is ready.', 'status', 'numberReady'),
        countColumn(
          'Up-to-date',
          'How many nodes run the present template.',
          'status',
          'updatedNumberScheduled',
        ),
        countColumn('Available', 'How many nodes run it and it is available.', 'status', 'numberAvailable'),
        column('Node Selector', 'Which nodes run the pod.', (object) =>
          labelsText(memberAt(object, 'spec', 'template', 'spec', 'nodeSelector')),
        ),
        ageColumn,
        ...containerColumns(['spec', 'template']),
        selectorColumn(['spec']),
      ],
    },
  ],
  strategy: {
    prepareForCreate(object, context) {
      prepare.prepareForCreate(object, context);
      setTemplateGeneration(object);
    },
    prepareForUpdate(object, old, context) {
      prepare.prepareForUpdate(object, old, context);
      if (context.subresource === '') keepTemplateGeneration(object as DaemonSet, old as DaemonSet);
    },
    validateCreate: (object) => [
      ...validateObjectMeta(object.metadata, true, nameIsDnsSubdomain),
      ...validateDaemonSetSpec(object as DaemonSet),
    ],
    validateUpdate: (object, old, { subresource }) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...(subresource === 'status' ? validateDaemonSetStatus : validateDaemonSetUpdate)(
        object as DaemonSet,
        old as DaemonSet,
      ),
    ],
    warnings: (object, old, { subresource }) => templateWarnings(object, old, subresource),
    statusMayWriteMetadata: true,
  },
  ownMetadataValidation: true,
});
