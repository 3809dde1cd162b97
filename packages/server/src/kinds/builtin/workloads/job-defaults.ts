// Defaults of Jobs and of the Jobs that CronJobs describe.
import type { JsonObject } from '@instar/machinery';
import { type Job, type JobSpec, NON_INDEXED } from '../../validate/workloads/job-types.ts';
import { fillInPodTemplate } from '../pod/pod-spec-defaults.ts';

const MAX_INT32 = 0x7fffffff;

export function fillInJob(object: JsonObject): void {
  const { metadata, spec } = object as unknown as Job;
  fillInTemplate(spec);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  const { labels } = spec.template.metadata ?? {};
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0)
    metadata.labels = { ...labels };
  spec.completionMode ??= NON_INDEXED;
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
}

/** What the Job of a CronJob gets before it exists. */
export function fillInTemplate({ template, podFailurePolicy }: JobSpec): void {
  fillInPodTemplate(template as never);
  for (const { onPodConditions = [] } of podFailurePolicy?.rules ?? [])
    for (const pattern of onPodConditions) pattern.status ||= 'True';
}
