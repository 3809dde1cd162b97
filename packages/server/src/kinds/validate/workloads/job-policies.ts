// The policies of a Job: which failures of pods count, and when it has succeeded before all pods have.
import { quoteGo } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors, validateLabelName } from '@instar/machinery';
import { validateNonnegative } from '../amounts.ts';
import { countIndexes } from './job-indexes.ts';
import type { JobSpec, PodFailurePolicyRule, SuccessPolicyRule } from './job-types.ts';

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_CONDITIONS = 20;
const MAX_INDEXES_BYTES = 64 * 1024;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const REPLACEMENTS = ['Failed', 'TerminatingOrFailed'];

const validValues = (values: readonly string[]): string => `valid values: [${values.map(quoteGo).join(' ')}]`;

/** A value out of a list that must not be empty. */
function validateChoice(value: string, choices: readonly string[], path: FieldPath): FieldError[] {
  if (value === '') return [fieldErrors.required(path, validValues(choices))];
  return choices.includes(value) ? [] : [fieldErrors.notSupported(path, value, choices)];
}

export function validatePodFailurePolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const at = path.child('rules');
  return [
    ...(rules.length > MAX_RULES ? [fieldErrors.tooMany(at, rules.length, MAX_RULES)] : []),
    ...rules.flatMap((rule, index) => validateFailureRule(spec, rule, at.index(index))),
  ];
}

function validateFailureRule(spec: JobSpec, rule: PodFailurePolicyRule, path: FieldPath): FieldError[] {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  const errors = validateChoice(action, ACTIONS, path.child('action'));
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    errors.push(
      fieldErrors.invalid(path.child('action'), action, 'requires the backoffLimitPerIndex to be set'),
    );
  }
  if (onExitCodes !== undefined)
    errors.push(...validateExitCodes(spec, onExitCodes, path.child('onExitCodes')));
  errors.push(...validatePodConditions(onPodConditions, path.child('onPodConditions')));
  const isBoth = onExitCodes !== undefined && onPodConditions.length > 0;
  const isNeither = onExitCodes === undefined && onPodConditions.length === 0;
  if (isBoth) errors.push(refused(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (isNeither) errors.push(refused(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

const refused = (path: FieldPath, detail: string): FieldError => fieldErrors.invalid(path, undefined, detail);

function validatePodConditions(
  patterns: NonNullable<PodFailurePolicyRule['onPodConditions']>,
  path: FieldPath,
): FieldError[] {
  return [
    ...(patterns.length > MAX_CONDITIONS ? [fieldErrors.tooMany(path, patterns.length, MAX_CONDITIONS)] : []),
    ...patterns.flatMap(({ type, status }, index) => [
      ...validateLabelName(type, path.index(index).child('type')),
      ...validateChoice(status, STATUSES, path.index(index).child('status')),
    ]),
  ];
}

function validateExitCodes(
  { template }: JobSpec,
  { containerName, operator, values: given }: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  path: FieldPath,
): FieldError[] {
  const errors = validateChoice(operator, OPERATORS, path.child('operator'));
  const { containers, initContainers = [] } = template.spec;
  const isKnown = [...(containers ?? []), ...initContainers].some(({ name }) => name === containerName);
  if (containerName !== undefined && !isKnown) {
    const rule = 'must be one of the container or initContainer names in the pod template';
    errors.push(fieldErrors.invalid(path.child('containerName'), containerName, rule));
  }
  const at = path.child('values');
  const values = given ?? [];
  if (values.length === 0) errors.push(fieldErrors.invalid(at, values, 'at least one value is required'));
  if (values.length > MAX_EXIT_CODES) errors.push(fieldErrors.tooMany(at, values.length, MAX_EXIT_CODES));
  const seen = new Set<number>();
  values.forEach((value, index) => {
    if (operator === 'In' && value === 0)
      errors.push(fieldErrors.invalid(at.index(index), value, 'must not be 0 for the In operator'));
    if (seen.has(value)) errors.push(fieldErrors.duplicate(at.index(index), value));
    seen.add(value);
  });
  if (values.some((value, index) => index > 0 && values[index - 1]! > value))
    errors.push(fieldErrors.invalid(at, values, 'must be ordered'));
  return errors;
}

export function validateSuccessPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  const at = path.child('rules');
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    errors.push(
      fieldErrors.required(at, 'at least one rules must be specified when the successPolicy is specified'),
    );
  }
  if (rules.length > MAX_RULES) errors.push(fieldErrors.tooMany(at, rules.length, MAX_RULES));
  return [
    ...errors,
    // Without completions, which is reported too, upstream's server would crash here.
    ...rules.flatMap((rule, index) => validateSuccessRule(spec.completions ?? 0, rule, at.index(index))),
  ];
}

function validateSuccessRule(
  completions: number,
  { succeededIndexes: indexes, succeededCount: count }: SuccessPolicyRule,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (count === undefined && indexes === undefined) {
    const rule = 'at least one of succeededCount or succeededIndexes must be specified';
    errors.push(fieldErrors.required(path, rule));
  }
  let total: number | undefined;
  if (indexes !== undefined) {
    const at = path.child('succeededIndexes');
    if (Buffer.byteLength(indexes) > MAX_INDEXES_BYTES)
      errors.push(fieldErrors.tooLong(at, MAX_INDEXES_BYTES));
    const counted = countIndexes(indexes, completions);
    total = typeof counted === 'string' ? 0 : counted;
    if (typeof counted === 'string')
      errors.push(fieldErrors.invalid(at, indexes, `error parsing succeededIndexes: ${counted}`));
  }
  const at = path.child('succeededCount');
  errors.push(...validateNonnegative(count, at));
  const exceeds = (limit: number, what: string): FieldError =>
    fieldErrors.invalid(at, count!, `must be less than or equal to ${limit} (the number of ${what})`);
  if (count !== undefined && count > completions) errors.push(exceeds(completions, 'specified completions'));
  if (count !== undefined && total !== undefined && count > total)
    errors.push(exceeds(total, 'indexes in the specified succeededIndexes field'));
  return errors;
}

export function validatePodReplacementPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const { podReplacementPolicy: policy, podFailurePolicy } = spec;
  const choices = podFailurePolicy === undefined ? REPLACEMENTS : ['Failed'];
  return policy === undefined || choices.includes(policy)
    ? []
    : [fieldErrors.notSupported(path, policy, choices)];
}
