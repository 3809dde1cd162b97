// apps/v1 StatefulSet: pods with stable names and volumes.

import { nameIsDnsLabel } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { type JsonObject, validateObjectMeta, validateObjectMetaUpdate } from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, column, nameColumn } from '../../table/columns.ts';
import {
  validateStatefulSetSpec,
  validateStatefulSetStatus,
  validateStatefulSetUpdate,
} from '../../validate/workloads/stateful-set.ts';
import type { StatefulSet } from '../../validate/workloads/workload-types.ts';
import { fillInPodTemplate } from '../pod/pod-spec-defaults.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';
import { templateWarnings, withoutDisabledFields } from './template-rules.ts';
import { containerColumns, numberAt } from './workload-columns.ts';

function fillIn(object: JsonObject): void {
  const { spec } = object as unknown as StatefulSet;
  fillInPodTemplate(spec.template as never);
  spec.podManagementPolicy ||= 'OrderedReady';
  fillInUpdateStrategy(spec.updateStrategy);
  spec.persistentVolumeClaimRetentionPolicy = {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
    ...spec.persistentVolumeClaimRetentionPolicy,
  };
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  const claims = spec.volumeClaimTemplates ?? [];
  claims.forEach((claim, index) => {
    claims[index] = fillInClaim(claim as JsonObject) as typeof claim;
  });
}

function fillInUpdateStrategy(strategy: StatefulSet['spec']['updateStrategy']): void {
  if ((strategy.type ?? '') === '') {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined)
    strategy.rollingUpdate.partition ??= 0;
}

/** Claims always say what they are. */
function fillInClaim({ spec, status, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    spec: { ...(spec as JsonObject), volumeMode: (spec as JsonObject)['volumeMode'] ?? 'Filesystem' },
    status: { ...(status as JsonObject), phase: (status as JsonObject)['phase'] ?? 'Pending' },
  };
}

/** A feature that is off by default upstream; sets that have it keep it. */
function dropMaxUnavailable({ spec }: StatefulSet, old?: StatefulSet): void {
  const { rollingUpdate } = spec.updateStrategy;
  if (old?.spec.updateStrategy.rollingUpdate?.maxUnavailable === undefined)
    delete rollingUpdate?.maxUnavailable;
}

const prepare = withoutDisabledFields(prepareSpecAndStatus());

const historyWarnings = ({ spec }: StatefulSet): string[] =>
  (spec.revisionHistoryLimit ?? 0) < 0
    ? [
        'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
      ]
    : [];

export const statefulSets = defineKind({
  plural: 'statefulsets',
  kind: 'StatefulSet',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'statefulsets/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.StatefulSet'),
      fillIn,
      statusSubresource: true,
      scaleSubresource: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.spec.selector',
      },
      columns: [
        nameColumn,
        column(
          'Ready',
          'How many pods are ready, of how many.',
          (object) =>
            `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`,
        ),
        ageColumn,
        ...containerColumns(['spec', 'template']),
      ],
    },
  ],
  strategy: {
    prepareForCreate(object, context) {
      dropMaxUnavailable(object as StatefulSet);
      prepare.prepareForCreate(object, context);
    },
    prepareForUpdate(object, old, context) {
      dropMaxUnavailable(object as StatefulSet, old as StatefulSet);
      prepare.prepareForUpdate(object, old, context);
    },
    validateCreate: (object) => [
      ...validateObjectMeta(object.metadata, true, nameIsDnsLabel),
      ...validateStatefulSetSpec(object as StatefulSet),
    ],
    validateUpdate: (object, old, { subresource }) => {
      const metadata = validateObjectMetaUpdate(object.metadata, old.metadata);
      const [set, before] = [object as StatefulSet, old as StatefulSet];
      return subresource === 'status'
        ? [...validateStatefulSetStatus(set, before), ...metadata]
        : [...metadata, ...validateStatefulSetUpdate(set, before)];
    },
    warnings: (object, old, { subresource }) => [
      ...templateWarnings(object, old, subresource),
      ...(subresource === 'status' ? [] : historyWarnings(object as StatefulSet)),
    ],
    statusMayWriteMetadata: true,
  },
  ownMetadataValidation: true,
});
