// Warnings for the specs of Jobs.
import type { FieldPath } from '@instar/machinery';
import { INDEXED, type JobSpec } from '../../validate/workloads/job-types.ts';
import { podTemplateWarnings } from '../pod/pod-warnings.ts';

const HIGH_COMPLETIONS = 100_000;
const HIGH_PARALLELISM = 10_000;

export function jobSpecWarnings(spec: JobSpec, path: FieldPath): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec;
  const isHigh = completions > HIGH_COMPLETIONS && parallelism > HIGH_PARALLELISM;
  const ofTemplate = podTemplateWarnings(spec.template, path.child('template'));
  if (completionMode !== INDEXED || !isHigh) return ofTemplate;
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
    ...ofTemplate,
  ];
}
