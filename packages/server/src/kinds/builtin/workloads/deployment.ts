// apps/v1 Deployment: which pods run, and how they are replaced by others.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import {
  type JsonObject,
  type KubeObject,
  type LabelSelectorObject,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../../table/columns.ts';
import {
  validateDeploymentSpec,
  validateDeploymentStatus,
  validateDeploymentUpdate,
} from '../../validate/workloads/deployment.ts';
import { selectorOrUndefined } from '../../validate/workloads/selector.ts';
import type { Deployment } from '../../validate/workloads/workload-types.ts';
import { fillInPodTemplate } from '../pod/pod-spec-defaults.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';
import { namedTemplateWarnings, withoutDisabledFields } from './template-rules.ts';
import { containerColumns, countColumn, memberAt, numberAt } from './workload-columns.ts';

/** A field in old versions of the API, of which only the annotation is left. */
const ROLLBACK = 'deprecated.deployment.rollback.to';

function fillIn(object: JsonObject): void {
  const { metadata, spec } = object as unknown as Deployment;
  fillInPodTemplate(spec.template as never);
  spec.replicas ??= 1;
  const { strategy } = spec;
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate')
    strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...strategy.rollingUpdate };
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  const { annotations } = metadata;
  if (annotations?.[ROLLBACK] === '') delete annotations[ROLLBACK];
  if (annotations !== undefined && Object.keys(annotations).length === 0) delete metadata.annotations;
}

const prepare = withoutDisabledFields(prepareSpecAndStatus({ annotationsCount: true }));

function keepLabels({ metadata }: KubeObject, { metadata: { labels } }: KubeObject): void {
  if (labels === undefined) delete metadata.labels;
  else metadata.labels = { ...labels };
}

export const deployments = defineKind({
  plural: 'deployments',
  kind: 'Deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'deployments/',
  versions: [
    {
      group: 'apps',
      version: 'v1',
      type: goStruct('apps/v1.Deployment'),
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
        {
          ...countColumn(
            'Up-to-date',
            'How many pods have the present template.',
            'status',
            'updatedReplicas',
          ),
          type: 'string',
        },
        {
          ...countColumn('Available', 'How many pods are available.', 'status', 'availableReplicas'),
          type: 'string',
        },
        ageColumn,
        ...containerColumns(['spec', 'template']),
        wideColumn('Selector', 'Which pods belong to it.', (object) => {
          const { selector } = memberAt(object, 'spec');
          return String(selectorOrUndefined(selector as LabelSelectorObject | undefined) ?? '<invalid>');
        }),
      ],
    },
  ],
  strategy: {
    ...prepare,
    prepareForUpdate(object, old, context) {
      prepare.prepareForUpdate(object, old, context);
      if (context.subresource === 'status') keepLabels(object, old);
    },
    validateCreate: (object) => [
      ...validateObjectMeta(object.metadata, true, nameIsDnsSubdomain),
      ...validateDeploymentSpec(object as Deployment),
    ],
    validateUpdate: (object, old, { subresource }) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...(subresource === 'status' ? validateDeploymentStatus : validateDeploymentUpdate)(
        object as Deployment,
        old as Deployment,
      ),
    ],
    warnings: namedTemplateWarnings,
    statusMayWriteMetadata: true,
  },
  ownMetadataValidation: true,
});
