// Validation of Jobs and of the Jobs that CronJobs describe, in upstream's order.
import { quoteGo, validateDns1123Label, validateDns1123Subdomain } from '@instar/go';
import { type FieldError, FieldPath, fieldErrors, validateLabelSelectorObject } from '@instar/machinery';
import { validateNonnegative } from '../amounts.ts';
import { internalText } from '../pod/internal-json.ts';
import { validatePodTemplateSpec } from '../pod-spec.ts';
import {
  validatePodFailurePolicy,
  validatePodReplacementPolicy,
  validateSuccessPolicy,
} from './job-policies.ts';
import { INDEXED, type Job, type JobSpec, NON_INDEXED } from './job-types.ts';
import { invalidSelector, selectorOrUndefined } from './selector.ts';

const MAX_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
const HIGH_COMPLETIONS = 100_000;
const MAX_PARALLELISM_OF_HIGH = 10_000;
const MAX_FAILED_OF_HIGH = 10_000;
const MAX_MANAGED_BY_BYTES = 63;

export const SPEC = FieldPath.of('spec');

export const LEGACY_UID_LABEL = 'controller-uid';
export const LEGACY_NAME_LABEL = 'job-name';
export const UID_LABEL = 'batch.kubernetes.io/controller-uid';
export const NAME_LABEL = 'batch.kubernetes.io/job-name';

/** What follows the metadata. Old jobs may lack the labels that have a prefix. */
export function validateJob(job: Job, requirePrefixed: boolean): FieldError[] {
  const { metadata, spec } = job;
  const errors = [...validateGeneratedSelector(job, requirePrefixed), ...validateJobSpec(spec, SPEC)];
  const { completionMode, completions = 0 } = spec;
  if (completionMode !== INDEXED || completions <= 0) return errors;
  const longest = `${metadata.name}-${completions - 1}`;
  if (validateDns1123Label(longest).length === 0) return errors;
  const rule = `will not able to create pod with invalid DNS label: ${longest}`;
  return [...errors, fieldErrors.invalid('metadata.name', metadata.name!, rule)];
}

/** A generated selector must be the one that the server generates, and its labels must be on the template. */
function validateGeneratedSelector({ metadata, spec }: Job, requirePrefixed: boolean): FieldError[] {
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const expected: [string, string][] = [
    [LEGACY_UID_LABEL, metadata.uid ?? ''],
    [LEGACY_NAME_LABEL, metadata.name ?? ''],
  ];
  if (requirePrefixed) expected.push([UID_LABEL, metadata.uid ?? ''], [NAME_LABEL, metadata.name ?? '']);
  const errors = expected.flatMap(([key, value]) => validateHasLabel(spec, key, value));
  const selector = selectorOrUndefined(spec.selector);
  if (selector !== undefined && !selector.matches(Object.fromEntries(expected))) {
    const rule = '`selector` not auto-generated';
    errors.push(invalidSelector(spec.selector, rule, SPEC.child('selector')));
  }
  return errors;
}

function validateHasLabel({ template }: JobSpec, key: string, expected: string): FieldError[] {
  const labels = template.metadata?.labels ?? {};
  const path = SPEC.child('template', 'metadata', 'labels');
  if (!Object.hasOwn(labels, key)) return [fieldErrors.required(path.key(key), `must be '${expected}'`)];
  return labels[key] === expected
    ? []
    : [fieldErrors.invalid(path.key(key), { ...labels }, `must be '${expected}'`)];
}

export function validateJobSpec(spec: JobSpec, path: FieldPath): FieldError[] {
  const errors = validateJobTemplateSpec(spec, path);
  const { selector } = spec;
  if (selector === undefined) errors.push(fieldErrors.required(path.child('selector')));
  else errors.push(...validateLabelSelectorObject(selector, path.child('selector')));
  const labels = spec.template.metadata?.labels;
  if (selectorOrUndefined(selector)?.matches(labels) === false) {
    const rule = '`selector` does not match template `labels`';
    errors.push(
      fieldErrors.invalid(path.child('template', 'metadata', 'labels'), labels ? { ...labels } : null, rule),
    );
  }
  return errors;
}

/** Without what concerns the selector, which CronJobs leave to the server. */
export function validateJobTemplateSpec(spec: JobSpec, path: FieldPath): FieldError[] {
  const errors = [
    ...validateNonnegative(spec.parallelism, path.child('parallelism')),
    ...validateNonnegative(spec.completions, path.child('completions')),
    ...validateNonnegative(spec.activeDeadlineSeconds, path.child('activeDeadlineSeconds')),
    ...validateNonnegative(spec.backoffLimit, path.child('backoffLimit')),
    ...validateNonnegative(spec.ttlSecondsAfterFinished, path.child('ttlSecondsAfterFinished')),
    ...validateNonnegative(spec.backoffLimitPerIndex, path.child('backoffLimitPerIndex')),
    ...validateNonnegative(spec.maxFailedIndexes, path.child('maxFailedIndexes')),
  ];
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.push(
      fieldErrors.required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'),
    );
  errors.push(...validateManagedBy(spec.managedBy, path.child('managedBy')));
  errors.push(...validateCompletionMode(spec, path));
  if (spec.podFailurePolicy !== undefined)
    errors.push(...validatePodFailurePolicy(spec, path.child('podFailurePolicy')));
  errors.push(...validateSuccess(spec, path.child('successPolicy')));
  errors.push(...validatePodReplacementPolicy(spec, path.child('podReplacementPolicy')));
  errors.push(...validatePodTemplateSpec(spec.template, path.child('template')));
  return [...errors, ...validateRestartPolicy(spec, path.child('template', 'spec', 'restartPolicy'))];
}

const PATH_CHARACTERS = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

function validateManagedBy(managedBy: string | undefined, path: FieldPath): FieldError[] {
  if (managedBy === undefined) return [];
  const errors = validateDomainPrefixedPath(managedBy, path);
  if (Buffer.byteLength(managedBy) > MAX_MANAGED_BY_BYTES)
    errors.push(fieldErrors.tooLong(path, MAX_MANAGED_BY_BYTES));
  return errors;
}

function validateDomainPrefixedPath(text: string, path: FieldPath): FieldError[] {
  if (text === '') return [fieldErrors.required(path)];
  const slash = text.indexOf('/');
  const [domain, rest] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  if (domain === '' || rest === '')
    return [fieldErrors.invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = validateDns1123Subdomain(domain).map((why) => fieldErrors.invalid(path, domain, why));
  if (new RegExp(`^${PATH_CHARACTERS}$`).test(rest)) return errors;
  const rule = `Invalid path (regex used for validation is '${PATH_CHARACTERS}')`;
  return [...errors, fieldErrors.invalid(path, rest, rule)];
}

function validateCompletionMode(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completionMode = NON_INDEXED } = spec;
  const errors: FieldError[] = [];
  if (completionMode !== NON_INDEXED && completionMode !== INDEXED) {
    const choices = [NON_INDEXED, INDEXED];
    errors.push(fieldErrors.notSupported(path.child('completionMode'), completionMode, choices));
  }
  if (completionMode === INDEXED) errors.push(...validateIndexed(spec, path));
  if (completionMode !== NON_INDEXED) return errors;
  for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    const value = spec[name];
    if (value !== undefined)
      errors.push(fieldErrors.invalid(path.child(name), value, 'requires indexed completion mode'));
  }
  return errors;
}

function validateIndexed(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const failed = maxFailedIndexes ?? 0;
  const errors: FieldError[] = [];
  const limit = (name: string, value: number, rule: string): void => {
    errors.push(fieldErrors.invalid(path.child(name), value, `must be less than or equal to ${rule}`));
  };
  if (completions === undefined)
    errors.push(fieldErrors.required(path.child('completions'), `when completion mode is ${INDEXED}`));
  if (parallelism > MAX_PARALLELISM)
    limit('parallelism', parallelism, `${MAX_PARALLELISM} when completion mode is ${INDEXED}`);
  if (completions !== undefined && failed > completions) limit('maxFailedIndexes', failed, 'completions');
  if (failed > MAX_FAILED_INDEXES) limit('maxFailedIndexes', failed, `${MAX_FAILED_INDEXES}`);
  if ((completions ?? 0) <= HIGH_COMPLETIONS || backoffLimitPerIndex === undefined) return errors;
  const when = `when completions are above ${HIGH_COMPLETIONS} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) {
    const rule = `must be specified when completions is above ${HIGH_COMPLETIONS}`;
    errors.push(fieldErrors.required(path.child('maxFailedIndexes'), rule));
  }
  if (parallelism > MAX_PARALLELISM_OF_HIGH)
    limit('parallelism', parallelism, `${MAX_PARALLELISM_OF_HIGH} ${when}`);
  if (failed > MAX_FAILED_OF_HIGH) limit('maxFailedIndexes', failed, `${MAX_FAILED_OF_HIGH} ${when}`);
  return errors;
}

function validateSuccess(spec: JobSpec, path: FieldPath): FieldError[] {
  if (spec.successPolicy === undefined) return [];
  if (spec.completionMode === INDEXED) return validateSuccessPolicy(spec, path);
  const error = fieldErrors.invalid(path, {}, 'requires indexed completion mode');
  return [{ ...error, valueText: internalText('batch/v1.SuccessPolicy', spec.successPolicy) }];
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: FieldPath): FieldError[] {
  const { restartPolicy = '' } = template.spec;
  const choices = ['OnFailure', 'Never'];
  if (restartPolicy === '' || restartPolicy === 'Always')
    return [fieldErrors.required(path, `valid values: ${choices.map(quoteGo).join(', ')}`)];
  if (!choices.includes(restartPolicy)) return [fieldErrors.notSupported(path, restartPolicy, choices)];
  if (podFailurePolicy === undefined || restartPolicy === 'Never') return [];
  return [
    fieldErrors.invalid(path, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified'),
  ];
}
