// Validation of DaemonSets, in upstream's order.
import { type FieldError, FieldPath, fieldErrors, validateLabelSelectorObject } from '@instar/machinery';
import {
  intOrPercentOf,
  validateAtMost100Percent,
  validateImmutable,
  validateIntOrPercent,
  validateNonnegative,
} from '../amounts.ts';
import { unknownStrategy } from './deployment.ts';
import {
  invalidSelector,
  selectorOrUndefined,
  validateRunningTemplate,
  validateTemplateLabels,
} from './selector.ts';
import { STATUS, validateCollisions } from './workload-status.ts';
import type { DaemonSet, RollingUpdate, UpdateStrategy } from './workload-types.ts';

const SPEC = FieldPath.of('spec');
const SELECTOR = SPEC.child('selector');

export function validateDaemonSetSpec({ spec }: DaemonSet): FieldError[] {
  const { selector, template } = spec;
  const at = SPEC.child('template');
  const errors = validateLabelSelectorObject(selector, SELECTOR);
  const parsed = selectorOrUndefined(selector ?? undefined);
  if (parsed !== undefined) errors.push(...validateTemplateLabels(parsed, template, at));
  if (selector !== null && parsed?.empty === true) {
    const rule = 'empty selector is invalid for daemonset';
    errors.push(invalidSelector(selector, rule, SELECTOR));
  }
  return [
    ...errors,
    ...validateRunningTemplate(template, 'DaemonSet', at),
    ...validateNonnegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...validateUpdateStrategy(spec.updateStrategy, SPEC.child('updateStrategy')),
    ...validateNonnegative(spec.revisionHistoryLimit, SPEC.child('revisionHistoryLimit')),
  ];
}

export function validateDaemonSetUpdate(set: DaemonSet, old: DaemonSet): FieldError[] {
  return [
    ...validateImmutable(set.spec.selector, old.spec.selector, SELECTOR),
    ...validateDaemonSetSpec(set),
  ];
}

function validateUpdateStrategy(strategy: UpdateStrategy, path: FieldPath): FieldError[] {
  if (strategy.type === 'OnDelete') return [];
  if (strategy.type !== 'RollingUpdate')
    return [unknownStrategy(strategy, ['RollingUpdate', 'OnDelete'], path)];
  return validateRollingUpdate(strategy.rollingUpdate ?? {}, path.child('rollingUpdate'));
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdate,
  path: FieldPath,
): FieldError[] {
  const [unavailableAt, surgeAt] = [path.child('maxUnavailable'), path.child('maxSurge')];
  const errors = [
    ...validateIntOrPercent(maxUnavailable, unavailableAt),
    ...validateIntOrPercent(maxSurge, surgeAt),
    ...validateAtMost100Percent(maxUnavailable, unavailableAt),
    ...validateAtMost100Percent(maxSurge, surgeAt),
  ];
  const [unavailable, surge] = [intOrPercentOf(maxUnavailable) !== 0, intOrPercentOf(maxSurge) !== 0];
  if (unavailable && surge)
    errors.push(fieldErrors.invalid(surgeAt, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (!unavailable && !surge)
    errors.push(fieldErrors.required(unavailableAt, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;

export const validateDaemonSetStatus = ({ status }: DaemonSet, old: DaemonSet): FieldError[] => [
  ...COUNTS.flatMap((name) => validateNonnegative(status[name], STATUS.child(name))),
  ...validateCollisions(status, old.status),
];
