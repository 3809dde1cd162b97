// batch/v1 CronJob: Jobs that are made at the times of a schedule.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { FieldPath, type JsonObject, validateObjectMeta, validateObjectMetaUpdate } from '@instar/machinery';
import { defineKind } from '../../define-kind.ts';
import { ageColumn, column, nameColumn } from '../../table/columns.ts';
import { ageOf } from '../../table/human-duration.ts';
import { validateCronJob, validateCronJobSpec } from '../../validate/workloads/cron-job.ts';
import type { CronJob } from '../../validate/workloads/job-types.ts';
import { prepareSpecAndStatus } from '../spec-and-status.ts';
import { fillInTemplate } from './job-defaults.ts';
import { jobSpecWarnings } from './job-warnings.ts';
import { nameWarnings } from './name-warning.ts';
import { withoutDisabledFields } from './template-rules.ts';
import { containerColumns, memberAt, selectorColumn } from './workload-columns.ts';

function fillIn(object: JsonObject): void {
  const { spec } = object as unknown as CronJob;
  fillInTemplate(spec.jobTemplate.spec);
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
}

const JOB_SPEC = FieldPath.of('spec', 'jobTemplate', 'spec');
const ZONE_WARNING =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

function warnings(job: CronJob, old: CronJob | undefined): string[] {
  const ofSpec = jobSpecWarnings(job.spec.jobTemplate.spec, JOB_SPEC);
  if (old === undefined) return [...nameWarnings(job), ...ofSpec];
  return [
    ...(job.metadata.generation === old.metadata.generation ? [] : ofSpec),
    ...(job.spec.schedule.includes('TZ') ? [ZONE_WARNING] : []),
  ];
}

const lastScheduleCell = ({ status }: CronJob, now: number): string =>
  status.lastScheduleTime === undefined ? '<none>' : ageOf(status.lastScheduleTime, now);
const suspendCell = ({ spec: { suspend } }: CronJob): string =>
  suspend === undefined ? '<unset>' : suspend ? 'True' : 'False';

export const cronJobs = defineKind({
  plural: 'cronjobs',
  kind: 'CronJob',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  storagePath: 'cronjobs/',
  versions: [
    {
      group: 'batch',
      version: 'v1',
      type: goStruct('batch/v1.CronJob'),
      fillIn,
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Schedule', 'When Jobs are made.', (job) => memberAt(job, 'spec')['schedule'] ?? ''),
        column(
          'Timezone',
          'The time zone of the schedule.',
          (job) => memberAt(job, 'spec')['timeZone'] ?? '<none>',
        ),
        column('Suspend', 'Whether no Jobs are made now.', (job) => suspendCell(job as never), {
          type: 'boolean',
        }),
        column(
          'Active',
          'How many Jobs run.',
          (job) => (job as unknown as CronJob).status.active?.length ?? 0,
          {
            type: 'integer',
          },
        ),
        column('Last Schedule', 'When the last Job was made.', (job, now) =>
          lastScheduleCell(job as never, now),
        ),
        ageColumn,
        ...containerColumns(['spec', 'jobTemplate', 'spec', 'template']),
        selectorColumn(['spec', 'jobTemplate', 'spec']),
      ],
    },
  ],
  strategy: {
    ...withoutDisabledFields(
      prepareSpecAndStatus(),
      (object) => (object as CronJob).spec.jobTemplate.spec.template,
    ),
    validateCreate: (object) => [
      ...validateObjectMeta(object.metadata, true, nameIsDnsSubdomain),
      ...validateCronJob(object as CronJob),
    ],
    validateUpdate: (object, old, { subresource }) =>
      subresource === 'status'
        ? []
        : [
            ...validateObjectMetaUpdate(object.metadata, old.metadata),
            ...validateCronJobSpec(object as CronJob, old as CronJob),
          ],
    warnings: (object, old, { subresource }) =>
      subresource === 'status' ? [] : warnings(object as CronJob, old as CronJob | undefined),
    statusMayWriteMetadata: true,
  },
  ownMetadataValidation: true,
});
