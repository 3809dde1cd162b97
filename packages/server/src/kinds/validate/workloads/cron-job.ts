// Validation of CronJobs, in upstream's order.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import { validateNonnegative } from '../amounts.ts';
import { scheduleFault } from './cron-schedule.ts';
import { SPEC, validateJobTemplateSpec } from './job.ts';
import type { CronJob } from './job-types.ts';
import { invalidSelector } from './selector.ts';
import { isKnownTimeZone } from './time-zone.ts';

/** A Job's name is that of the CronJob with a time of eleven characters. */
const MAX_NAME = 52;

export function validateCronJob(cronJob: CronJob): FieldError[] {
  const { name = '' } = cronJob.metadata;
  const errors = validateCronJobSpec(cronJob);
  if (name.length > MAX_NAME)
    errors.push(fieldErrors.invalid('metadata.name', name, 'must be no more than 52 characters'));
  return errors;
}

export function validateCronJobSpec({ spec }: CronJob, old?: CronJob): FieldError[] {
  const errors = validateSchedule(spec, old?.spec.schedule, SPEC.child('schedule'));
  errors.push(...validateNonnegative(spec.startingDeadlineSeconds, SPEC.child('startingDeadlineSeconds')));
  if (old === undefined || old.spec.timeZone !== spec.timeZone)
    errors.push(...validateTimeZone(spec.timeZone, SPEC.child('timeZone')));
  errors.push(...validateConcurrency(spec.concurrencyPolicy ?? '', SPEC.child('concurrencyPolicy')));
  errors.push(...validateJobTemplate(spec, SPEC.child('jobTemplate', 'spec')));
  return [
    ...errors,
    ...validateNonnegative(spec.successfulJobsHistoryLimit, SPEC.child('successfulJobsHistoryLimit')),
    ...validateNonnegative(spec.failedJobsHistoryLimit, SPEC.child('failedJobsHistoryLimit')),
  ];
}

/** A zone in the schedule stays valid where the old one had one. */
function validateSchedule(
  { schedule, timeZone }: CronJob['spec'],
  old: string | undefined,
  path: FieldPath,
): FieldError[] {
  if (schedule === '') return [fieldErrors.required(path)];
  const fault = scheduleFault(schedule);
  const errors = fault === undefined ? [] : [fieldErrors.invalid(path, schedule, fault)];
  if (!schedule.includes('TZ')) return errors;
  if (old?.includes('TZ') !== true) {
    const rule = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(fieldErrors.invalid(path, schedule, rule));
  } else if (timeZone !== undefined) {
    const rule = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(fieldErrors.invalid(path, schedule, rule));
  }
  return errors;
}

const ZONE_PART = /^(?!-)(?!\.\.?$)[A-Za-z.\-_0-9+]{1,14}$/;

function validateTimeZone(zone: string | undefined, path: FieldPath): FieldError[] {
  if (zone === undefined) return [];
  const refuse = (detail: string): FieldError => fieldErrors.invalid(path, zone, detail);
  if (zone === '') return [refuse('timeZone must be nil or non-empty string')];
  if (!zone.split('/').every((part) => ZONE_PART.test(part))) return [refuse(`unknown time zone ${zone}`)];
  const errors: FieldError[] = [];
  if (zone.toLowerCase() === 'local') {
    const rule = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    errors.push(refuse(rule));
  }
  if (zone !== 'Local' && !isKnownTimeZone(zone)) errors.push(refuse(`unknown time zone ${zone}`));
  return errors;
}

const POLICIES = ['Allow', 'Forbid', 'Replace'];

function validateConcurrency(policy: string, path: FieldPath): FieldError[] {
  if (policy === '') return [fieldErrors.required(path)];
  return POLICIES.includes(policy) ? [] : [fieldErrors.notSupported(path, policy, POLICIES)];
}

function validateJobTemplate({ jobTemplate: { spec } }: CronJob['spec'], path: FieldPath): FieldError[] {
  const errors = validateJobTemplateSpec(spec, path);
  if (spec.selector !== undefined) {
    const rule = '`selector` will be auto-generated';
    errors.push(invalidSelector(spec.selector, rule, path.child('selector')));
  }
  if (spec.manualSelector === true)
    errors.push(fieldErrors.notSupported(path.child('manualSelector'), true, ['nil', 'false']));
  return errors;
}
