// Validation of HorizontalPodAutoscalers, in upstream's order.
import { type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import { validateNonnegative } from '../amounts.ts';
import { validateMetric } from './autoscaler-metric.ts';
import { type ReferenceRules, signOf, validateReference, versionFault } from './autoscaler-reference.ts';
import type { Autoscaler, MetricSpec, ObjectTarget, ScalingRules } from './autoscaler-types.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;

export function validateAutoscaler({ spec }: Autoscaler, old?: Autoscaler): FieldError[] {
  const { minReplicas, maxReplicas, scaleTargetRef, metrics = [] } = spec;
  // Zero is a feature that is off by default; those that have it keep it.
  const lowest = old?.spec.minReplicas === 0 ? 0 : 1;
  const errors: FieldError[] = [];
  const refuse = (name: string, value: number, rule: string): void => {
    errors.push(fieldErrors.invalid(SPEC.child(name), value, rule));
  };
  if (minReplicas !== undefined && minReplicas < lowest)
    refuse('minReplicas', minReplicas, `must be greater than or equal to ${lowest}`);
  if (maxReplicas === 0)
    errors.push(fieldErrors.required(SPEC.child('maxReplicas'), 'must be set and greater than 0'));
  if (maxReplicas < 0) refuse('maxReplicas', maxReplicas, 'must be greater than or equal to 1');
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    refuse('maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  errors.push(
    ...validateReference(scaleTargetRef, targetRules(scaleTargetRef, old), SPEC.child('scaleTargetRef')),
    ...validateMetrics(metrics, minReplicas, metricRules(old)),
  );
  const at = SPEC.child('behavior');
  return [
    ...errors,
    ...validateRules(spec.behavior?.scaleUp, at.child('scaleUp')),
    ...validateRules(spec.behavior?.scaleDown, at.child('scaleDown')),
  ];
}

export const validateAutoscalerStatus = ({ status }: Autoscaler): FieldError[] => [
  ...validateNonnegative(status.currentReplicas, STATUS.child('currentReplicas')),
  ...validateNonnegative(status.desiredReplicas, STATUS.child('desiredReplicas')),
];

/** What is invalid already may stay. */
function targetRules({ kind, apiVersion }: ObjectTarget, old: Autoscaler | undefined): ReferenceRules {
  const before = old?.spec.scaleTargetRef;
  if (before !== undefined && before.apiVersion === apiVersion && before.kind === kind)
    return { allowsAnyVersion: true };
  return { allowsCoreGroup: kind === 'ReplicationController' };
}

function metricRules(old: Autoscaler | undefined): ReferenceRules {
  const allowsAnyVersion = (old?.spec.metrics ?? []).some(
    ({ type, object }) =>
      type === 'Object' &&
      object !== undefined &&
      versionFault(object.describedObject, { allowsCoreGroup: true }) !== undefined,
  );
  return { allowsCoreGroup: true, allowsAnyVersion };
}

function validateMetrics(
  metrics: readonly MetricSpec[],
  minReplicas: number | undefined,
  rules: ReferenceRules,
): FieldError[] {
  const at = SPEC.child('metrics');
  const errors = metrics.flatMap((metric, index) => validateMetric(metric, rules, at.index(index)));
  if (minReplicas !== 0 || metrics.some(({ type }) => type === 'Object' || type === 'External'))
    return errors;
  const rule = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [...errors, fieldErrors.forbidden(at, rule)];
}

const SELECT_POLICIES = ['Disabled', 'Max', 'Min'];
const POLICY_TYPES = ['Percent', 'Pods'];

function validateRules(rules: ScalingRules | undefined, path: FieldPath): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const windowAt = path.child('stabilizationWindowSeconds');
  if (window < 0) errors.push(fieldErrors.invalid(windowAt, window, 'must be greater than or equal to zero'));
  if (window > MAX_WINDOW_SECONDS)
    errors.push(fieldErrors.invalid(windowAt, window, `must be less than or equal to ${MAX_WINDOW_SECONDS}`));
  if (selectPolicy !== undefined && !SELECT_POLICIES.includes(selectPolicy))
    errors.push(fieldErrors.notSupported(path.child('selectPolicy'), selectPolicy, SELECT_POLICIES));
  const at = path.child('policies');
  if (policies.length === 0) errors.push(fieldErrors.required(at, 'must specify at least one Policy'));
  errors.push(...policies.flatMap((policy, index) => validatePolicy(policy, at.index(index))));
  if (tolerance !== undefined && signOf(tolerance) < 0) {
    const rule = 'must be greater than or equal to 0';
    errors.push(fieldErrors.invalid(path.child('tolerance'), tolerance, rule));
  }
  return errors;
}

type Policy = NonNullable<ScalingRules['policies']>[number];

function validatePolicy({ type, value, periodSeconds }: Policy, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const periodAt = path.child('periodSeconds');
  if (!POLICY_TYPES.includes(type))
    errors.push(fieldErrors.notSupported(path.child('type'), type, POLICY_TYPES));
  if (value <= 0) errors.push(fieldErrors.invalid(path.child('value'), value, 'must be greater than zero'));
  if (periodSeconds <= 0)
    errors.push(fieldErrors.invalid(periodAt, periodSeconds, 'must be greater than zero'));
  if (periodSeconds > MAX_PERIOD_SECONDS) {
    const rule = `must be less than or equal to ${MAX_PERIOD_SECONDS}`;
    errors.push(fieldErrors.invalid(periodAt, periodSeconds, rule));
  }
  return errors;
}
