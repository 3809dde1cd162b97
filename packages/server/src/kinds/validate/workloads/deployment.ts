// Validation of Deployments and ReplicaSets, in upstream's order.
import { type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import {
  intOrPercentOf,
  validateAtMost100Percent,
  validateImmutable,
  validateIntOrPercent,
  validateNonnegative,
} from '../amounts.ts';
import { goFields, withGoFields } from '../go-text.ts';
import {
  invalidSelector,
  selectorOrUndefined,
  validateRequiredSelector,
  validateRunningTemplate,
  validateTemplateLabels,
} from './selector.ts';
import { validateCollisions, validateCounts } from './workload-status.ts';
import type { Deployment, ReplicaSet, RollingUpdate, UpdateStrategy } from './workload-types.ts';

const SPEC = FieldPath.of('spec');
const SELECTOR = SPEC.child('selector');

/** Upstream says deployment in the errors of both kinds. */
function validateSelectorAndTemplate({ selector, template }: ReplicaSet['spec']): FieldError[] {
  const errors = validateRequiredSelector(selector, 'deployment', SELECTOR);
  const parsed = selectorOrUndefined(selector ?? undefined);
  if (parsed === undefined)
    return [...errors, invalidSelector(selector!, 'invalid label selector', SELECTOR)];
  const at = SPEC.child('template');
  return [
    ...errors,
    ...(parsed.empty ? [] : validateTemplateLabels(parsed, template, at)),
    ...validateRunningTemplate(template, 'ReplicaSet', at),
  ];
}

export function validateReplicaSetSpec({ spec }: ReplicaSet): FieldError[] {
  return [
    ...validateNonnegative(spec.replicas, SPEC.child('replicas')),
    ...validateNonnegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...validateSelectorAndTemplate(spec),
  ];
}

export function validateReplicaSetUpdate(set: ReplicaSet, old: ReplicaSet): FieldError[] {
  return [
    ...validateReplicaSetSpec(set),
    ...validateImmutable(set.spec.selector, old.spec.selector, SELECTOR),
  ];
}

export const validateReplicaSetStatus = ({ status }: ReplicaSet): FieldError[] =>
  validateCounts(status, {
    counts: [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  });

export function validateDeploymentSpec({ spec }: Deployment): FieldError[] {
  const { minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec;
  const errors = [
    ...validateNonnegative(spec.replicas, SPEC.child('replicas')),
    ...validateSelectorAndTemplate(spec),
    ...validateStrategy(spec.strategy, SPEC.child('strategy')),
    ...validateNonnegative(minReadySeconds, SPEC.child('minReadySeconds')),
    ...validateNonnegative(spec.revisionHistoryLimit, SPEC.child('revisionHistoryLimit')),
    ...validateNonnegative(deadline, SPEC.child('progressDeadlineSeconds')),
  ];
  if (deadline !== undefined && deadline <= minReadySeconds) {
    const at = SPEC.child('progressDeadlineSeconds');
    errors.push(fieldErrors.invalid(at, deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}

export function validateDeploymentUpdate(deployment: Deployment, old: Deployment): FieldError[] {
  const [selector, before] = [deployment.spec.selector, old.spec.selector];
  return [...validateDeploymentSpec(deployment), ...validateImmutable(selector, before, SELECTOR)];
}

function validateStrategy(strategy: UpdateStrategy, path: FieldPath): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'RollingUpdate')
    return validateRollingUpdate(rollingUpdate ?? {}, path.child('rollingUpdate'));
  if (type === 'Recreate') {
    const rule = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate === undefined ? [] : [fieldErrors.forbidden(path.child('rollingUpdate'), rule)];
  }
  return [unknownStrategy(strategy, ['Recreate', 'RollingUpdate'], path)];
}

/** The value of the error is the whole strategy. */
export function unknownStrategy(
  { type = '', rollingUpdate }: UpdateStrategy,
  supported: readonly string[],
  path: FieldPath,
): FieldError {
  return withGoFields(fieldErrors.notSupported(path, type, supported), [
    ['Type', type],
    [
      'RollingUpdate',
      rollingUpdate &&
        goFields([
          ['MaxUnavailable', rollingUpdate.maxUnavailable ?? 0],
          ['MaxSurge', rollingUpdate.maxSurge ?? 0],
        ]),
    ],
  ]);
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdate,
  path: FieldPath,
): FieldError[] {
  const at = path.child('maxUnavailable');
  const errors = [
    ...validateIntOrPercent(maxUnavailable, at),
    ...validateIntOrPercent(maxSurge, path.child('maxSurge')),
  ];
  if (intOrPercentOf(maxUnavailable) === 0 && intOrPercentOf(maxSurge) === 0)
    errors.push(fieldErrors.invalid(at, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  return [...errors, ...validateAtMost100Percent(maxUnavailable, at)];
}

export const validateDeploymentStatus = ({ status }: Deployment, old: Deployment): FieldError[] => [
  ...validateCounts(status, {
    counts: [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ],
    parts: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  }),
  ...validateCollisions(status, old.status),
];
