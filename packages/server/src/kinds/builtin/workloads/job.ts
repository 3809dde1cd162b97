// batch/v1 Job: pods that run to completion.

import { nameIsDnsSubdomain, quoteGo } from '@instar/go';
import { goStruct } from '@instar/kinds';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  type KubeObject,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, column, nameColumn } from '../../table/columns.ts';
import { humanDuration } from '../../table/human-duration.ts';
import {
  LEGACY_NAME_LABEL,
  LEGACY_UID_LABEL,
  NAME_LABEL,
  UID_LABEL,
  validateJob,
} from '../../validate/workloads/job.ts';
import { validateJobStatusUpdate } from '../../validate/workloads/job-status.ts';
import type { Job } from '../../validate/workloads/job-types.ts';
import { validateJobUpdate } from '../../validate/workloads/job-update.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';
import { fillInJob } from './job-defaults.ts';
import { jobSpecWarnings } from './job-warnings.ts';
import { nameWarnings } from './name-warning.ts';
import { withoutDisabledFields } from './template-rules.ts';
import { containerColumns, numberAt, selectorColumn } from './workload-columns.ts';

const GENERATED: ReadonlySet<string> = new Set([LEGACY_NAME_LABEL, NAME_LABEL, LEGACY_UID_LABEL, UID_LABEL]);

const prepare = withoutDisabledFields(prepareSpecAndStatus());

/**
 * Labels the pods with what only this Job has, and selects them by it. What a client has set stays. A Job
 * without labels has those of its pods.
 */
function generateSelector({ metadata, spec }: Job): void {
  const [name, uid] = [metadata.name ?? '', metadata.uid ?? ''];
  const isLabeledLikePods = deepEqual({ ...metadata.labels }, { ...spec.template.metadata?.labels });
  const labels = {
    [LEGACY_NAME_LABEL]: name,
    [NAME_LABEL]: name,
    [LEGACY_UID_LABEL]: uid,
    [UID_LABEL]: uid,
    ...spec.template.metadata?.labels,
  };
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  spec.template.metadata = { ...spec.template.metadata, labels: Object.fromEntries(sorted) };
  if (isLabeledLikePods) metadata.labels = Object.fromEntries(sorted);
  const { matchLabels, ...rest } = spec.selector ?? {};
  spec.selector = { matchLabels: { [UID_LABEL]: uid, ...matchLabels }, ...rest };
}

function validateCreate(job: Job): FieldError[] {
  const { labels, ...rest } = job.metadata;
  // Labels that the server alone has given are those of the template, where their faults are reported.
  const isGenerated = Object.keys(labels ?? {}).every((name) => GENERATED.has(name));
  const metadata = isGenerated ? rest : job.metadata;
  return [...validateObjectMeta(metadata, true, nameIsDnsSubdomain), ...validateJob(job, true)];
}

function validateUpdate(job: Job, old: Job, subresource: string): FieldError[] {
  const metadata = validateObjectMetaUpdate(job.metadata, old.metadata);
  if (subresource === 'status') return [...metadata, ...validateJobStatusUpdate(job, old)];
  const labels = old.spec.template.metadata?.labels ?? {};
  const hadLabels = Object.hasOwn(labels, NAME_LABEL) && Object.hasOwn(labels, UID_LABEL);
  return [
    ...validateObjectMeta(job.metadata, true, nameIsDnsSubdomain),
    ...validateJob(job, hadLabels),
    ...metadata,
    ...validateJobUpdate(job, old),
  ];
}

const SHOWN_CONDITIONS = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'];

function statusCell({ metadata, status }: Job): string {
  const has = (type: string): boolean =>
    (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
  const final = ['Complete', 'Failed'].find(has);
  if (final !== undefined) return final;
  if (metadata.deletionTimestamp != null) return 'Terminating';
  return SHOWN_CONDITIONS.find(has) ?? 'Running';
}

function completionsCell({ spec, status }: Job): string {
  const { succeeded = 0 } = status;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const { parallelism = 0 } = spec;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell({ status: { startTime, completionTime } }: Job, now: number): string {
  if (startTime === undefined) return '';
  const end = completionTime === undefined ? now : Date.parse(completionTime);
  return humanDuration(end - Date.parse(startTime));
}

const ORPHANED =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

export const jobs = defineKind({
  plural: 'jobs',
  kind: 'Job',
  categories: ['all'],
  namespaced: true,
  storagePath: 'jobs/',
  versions: [
    {
      group: 'batch',
      version: 'v1',
      type: goStruct('batch/v1.Job'),
      fillIn: fillInJob,
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Status', 'What the Job does.', (job) => statusCell(job as never)),
        column('Completions', 'How many pods have succeeded, of how many.', (job) =>
          completionsCell(job as never),
        ),
        column('Duration', 'How long it has run.', (job, now) => durationCell(job as never, now)),
        ageColumn,
        ...containerColumns(['spec', 'template']),
        selectorColumn(['spec']),
      ],
      unsupportedFieldSelector: (field) => `field label ${quoteGo(field)} not supported for Job`,
      selectableFields: [
        { name: 'status.successful', value: (job) => String(numberAt(job, 'status', 'succeeded')) },
      ],
    },
  ],
  strategy: {
    ...prepare,
    prepareForCreate(object, context) {
      if ((object as Job).spec.manualSelector !== true) generateSelector(object as Job);
      prepare.prepareForCreate(object, context);
    },
    validateCreate: (object) => validateCreate(object as Job),
    validateUpdate: (object, old, { subresource }) => validateUpdate(object as Job, old as Job, subresource),
    warnings: (object, old, { subresource }) => warnings(object as Job, old as Job | undefined, subresource),
    orphansDependents: { warning: ORPHANED },
    statusMayWriteMetadata: true,
  },
  ownMetadataValidation: true,
});

const SPEC = FieldPath.of('spec');

function warnings(job: Job, old: Job | undefined, subresource: string): string[] {
  if (subresource === 'status' || isSameGeneration(job, old)) return [];
  return [...(old === undefined ? nameWarnings(job) : []), ...jobSpecWarnings(job.spec, SPEC)];
}

const isSameGeneration = ({ metadata }: KubeObject, old: KubeObject | undefined): boolean =>
  old !== undefined && metadata.generation === old.metadata.generation;
