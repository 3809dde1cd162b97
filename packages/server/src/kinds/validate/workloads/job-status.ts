// Validation of a status that is written to a Job. Most rules apply only where what they concern has changed,
// so that a controller can repair a status that is invalid already.
import { deepEqual, type FieldError, FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';
import { validateNonnegative } from '../amounts.ts';
import { withGoFields } from '../go-text.ts';
import { countIndexes, overlapOf } from './job-indexes.ts';
import { INDEXED, type Job, type JobStatus } from './job-types.ts';

const STATUS = FieldPath.of('status');
const CONDITIONS = STATUS.child('conditions');

const hasCondition = ({ status }: Job, type: string, value = 'True'): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === type && condition.status === value);
const isComplete = (job: Job): boolean => hasCondition(job, 'Complete');
const isFailed = (job: Job): boolean => hasCondition(job, 'Failed');
const isFinished = (job: Job): boolean => isComplete(job) || isFailed(job);
const isFailureTarget = (job: Job): boolean => hasCondition(job, 'FailureTarget');
const isSuccessCriteriaMet = (job: Job): boolean => hasCondition(job, 'SuccessCriteriaMet');

const refused = (detail: string): FieldError => fieldErrors.invalid(CONDITIONS, undefined, detail);

/** What differs between two states of a Job. */
class JobChange {
  readonly job: Job;
  readonly old: Job;

  constructor(job: Job, old: Job) {
    this.job = job;
    this.old = old;
  }

  by(property: (job: Job) => boolean): boolean {
    return property(this.job) !== property(this.old);
  }

  of(field: keyof JobStatus): boolean {
    return !deepEqual(
      (this.job.status[field] ?? null) as JsonValue,
      (this.old.status[field] ?? null) as JsonValue,
    );
  }
}

export function validateJobStatusUpdate(job: Job, old: Job): FieldError[] {
  const change = new JobChange(job, old);
  return [
    ...validateCounts(job),
    ...validateCompletion(change),
    ...validateFinished(change),
    ...validateIndexes(change),
    ...validateMore(change),
    ...validateSuccessCriteria(job),
    ...validateTransition(change),
  ];
}

function validateCounts({ status }: Job): FieldError[] {
  const counts = (['active', 'succeeded', 'failed', 'ready', 'terminating'] as const).flatMap((name) =>
    validateNonnegative(status[name], STATUS.child(name)),
  );
  const seen = new Set<string>();
  const uncounted = (['succeeded', 'failed'] as const).flatMap((name) =>
    (status.uncountedTerminatedPods?.[name] ?? []).flatMap((uid, index) => {
      const path = STATUS.child('uncountedTerminatedPods', name).index(index);
      if (uid === '') return [fieldErrors.invalid(path, uid, 'must not be empty')];
      if (seen.has(uid)) return [fieldErrors.duplicate(path, uid)];
      seen.add(uid);
      return [];
    }),
  );
  return [...counts, ...uncounted];
}

function validateCompletion(change: JobChange): FieldError[] {
  const { job } = change;
  const { startTime, completionTime } = job.status;
  const at = STATUS.child('completionTime');
  const errors: FieldError[] = [];
  const completed = change.by(isComplete);
  const timed = change.of('completionTime');
  if ((completed || change.by(isFailed)) && isComplete(job) && isFailed(job))
    errors.push(refused('cannot set Complete=True and Failed=true conditions'));
  if ((completed || change.by(isFailureTarget)) && isComplete(job) && isFailureTarget(job))
    errors.push(refused('cannot set Complete=True and FailureTarget=true conditions'));
  if ((completed || timed) && completionTime !== undefined && !isComplete(job)) {
    const rule = 'cannot set completionTime when there is no Complete=True condition';
    errors.push(fieldErrors.invalid(at, completionTime, rule));
  }
  if ((completed || timed) && completionTime === undefined && isComplete(job))
    errors.push(fieldErrors.required(at, 'completionTime is required for Complete jobs'));
  const isEarly =
    startTime !== undefined &&
    completionTime !== undefined &&
    Date.parse(completionTime) < Date.parse(startTime);
  if ((change.of('startTime') || timed) && isEarly)
    errors.push(fieldErrors.invalid(at, completionTime, 'must be equal to or after `startTime`'));
  if ((change.by(isFailed) || change.of('failedIndexes')) && isFailed(job) && !isFailureTarget(job))
    errors.push(refused('cannot set Failed=True condition without the FailureTarget=true condition'));
  if ((completed || change.by(isSuccessCriteriaMet)) && isComplete(job) && !isSuccessCriteriaMet(job))
    errors.push(refused('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  return errors;
}

function validateFinished(change: JobChange): FieldError[] {
  const { job } = change;
  if (!isFinished(job)) return [];
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = job.status;
  const finished = change.by(isFinished);
  const errors: FieldError[] = [];
  if ((finished || change.of('active')) && active > 0)
    errors.push(fieldErrors.invalid(STATUS.child('active'), active, 'active>0 is invalid for finished job'));
  const isNothingToDo = job.spec.suspend === true && job.spec.completions === 0;
  if ((finished || change.of('startTime')) && !isNothingToDo && startTime === undefined)
    errors.push(fieldErrors.required(STATUS.child('startTime'), 'startTime is required for finished job'));
  const { succeeded = [], failed = [] } = uncounted ?? {};
  if ((finished || change.of('uncountedTerminatedPods')) && succeeded.length + failed.length > 0) {
    const at = STATUS.child('uncountedTerminatedPods');
    const error = fieldErrors.invalid(at, { succeeded, failed }, 'must be empty for finished job');
    errors.push(
      withGoFields(error, [
        ['Succeeded', uncounted?.succeeded],
        ['Failed', uncounted?.failed],
      ]),
    );
  }
  return errors;
}

function validateIndexes(change: JobChange): FieldError[] {
  const { spec, status } = change.job;
  const { completions, backoffLimitPerIndex } = spec;
  const { completedIndexes: completed = '', failedIndexes: failed } = status;
  const [completedChanged, failedChanged] = [change.of('completedIndexes'), change.of('failedIndexes')];
  const errors: FieldError[] = [];
  const refuse = (name: string, value: string, why: string): void => {
    errors.push(fieldErrors.invalid(STATUS.child(name), value, why));
  };
  if (completedChanged && completions !== undefined) {
    const counted = countIndexes(completed, completions);
    if (typeof counted === 'string')
      refuse('completedIndexes', completed, `error parsing completedIndexes: ${counted}`);
  }
  const isLimited = completions !== undefined && backoffLimitPerIndex !== undefined;
  if (failedChanged && isLimited && failed !== undefined) {
    const counted = countIndexes(failed, completions);
    if (typeof counted === 'string')
      refuse('failedIndexes', failed, `error parsing failedIndexes: ${counted}`);
  }
  if (completedChanged && completed !== '' && spec.completionMode !== INDEXED) {
    const rule = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    refuse('completedIndexes', completed, rule);
  }
  if (failedChanged && backoffLimitPerIndex === undefined && failed !== undefined)
    refuse('failedIndexes', failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  if ((failedChanged || completedChanged) && completions !== undefined && failed !== undefined) {
    const index = overlapOf(completed, failed, completions);
    if (index !== undefined)
      refuse('failedIndexes', failed, `failedIndexes and completedIndexes overlap at index: ${index}`);
  }
  return errors;
}

function validateMore(change: JobChange): FieldError[] {
  const { job } = change;
  const { terminating = 0, ready, active = 0 } = job.status;
  const errors: FieldError[] = [];
  if ((change.by(isFinished) || change.of('terminating')) && terminating > 0 && isFinished(job)) {
    const rule = 'terminating>0 is invalid for finished job';
    errors.push(fieldErrors.invalid(STATUS.child('terminating'), terminating, rule));
  }
  if ((change.of('ready') || change.of('active')) && ready !== undefined && ready > active)
    errors.push(fieldErrors.invalid(STATUS.child('ready'), ready, 'cannot set more ready pods than active'));
  return errors;
}

function validateSuccessCriteria(job: Job): FieldError[] {
  const errors: FieldError[] = [];
  if (isSuccessCriteriaMet(job) && isFailed(job))
    errors.push(refused('cannot set SuccessCriteriaMet=True and Failed=true conditions'));
  if (isSuccessCriteriaMet(job) && isFailureTarget(job))
    errors.push(refused('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'));
  if (job.spec.successPolicy !== undefined && !isSuccessCriteriaMet(job) && isComplete(job)) {
    const rule = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    errors.push(refused(rule));
  }
  return errors;
}

function validateTransition(change: JobChange): FieldError[] {
  const { job, old } = change;
  const errors = ['Failed', 'Complete', 'FailureTarget']
    .filter((type) => hasCondition(old, type) && !hasCondition(job, type))
    .map((type) => refused(`cannot disable the terminal ${type}=True condition`));
  errors.push(...validateDecrease(change), ...validateTimes(change));
  if (isSuccessCriteriaMet(old) && !isSuccessCriteriaMet(job))
    errors.push(refused('cannot disable the SuccessCriteriaMet=True condition'));
  if (isComplete(old) && !isSuccessCriteriaMet(old) && isSuccessCriteriaMet(job)) {
    const rule = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    errors.push(refused(rule));
  }
  return errors;
}

function validateDecrease({ job, old }: JobChange): FieldError[] {
  const { completionMode, completions, parallelism } = job.spec;
  // Indexed Jobs whose parallelism follows their completions may be scaled down.
  const isElastic = completionMode === INDEXED && completions === parallelism;
  const names = isElastic ? (['failed'] as const) : (['failed', 'succeeded'] as const);
  return names.flatMap((name) => {
    const count = job.status[name] ?? 0;
    if (count >= (old.status[name] ?? 0)) return [];
    return [fieldErrors.invalid(STATUS.child(name), count, `cannot decrease the ${name} counter`)];
  });
}

function validateTimes({ job, old }: JobChange): FieldError[] {
  const errors: FieldError[] = [];
  const { startTime, completionTime } = job.status;
  const { startTime: oldStart, completionTime: oldCompletion } = old.status;
  if (completionTime !== undefined && oldCompletion !== undefined && completionTime !== oldCompletion)
    errors.push(fieldErrors.invalid(STATUS.child('completionTime'), completionTime, 'field is immutable'));
  const isResuming = hasCondition(old, 'Suspended') && hasCondition(job, 'Suspended', 'False');
  const isFixed = oldStart !== undefined && job.spec.suspend !== true && !isResuming;
  if (isFixed && startTime !== oldStart) {
    const rule = 'field is immutable for unsuspended job once set';
    errors.push(fieldErrors.invalid(STATUS.child('startTime'), startTime ?? null, rule));
  }
  return errors;
}
