// Validation of one metric of a HorizontalPodAutoscaler: a union of which exactly one part is set.
import { nameIsPathSegment, validateDns1123Label, validateQualifiedName } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import { type ReferenceRules, signOf, validateReference } from './autoscaler-reference.ts';
import type { MetricIdentifier, MetricSpec, MetricTarget } from './autoscaler-types.ts';

type Source = Exclude<keyof MetricSpec, 'type'>;

/** Sources in the order of their validation. */
const SOURCES: readonly Source[] = ['object', 'external', 'pods', 'resource', 'containerResource'];
const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const SOURCE_OF: ReadonlyMap<string, Source> = new Map([
  ['Object', 'object'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
  ['External', 'external'],
  ['ContainerResource', 'containerResource'],
]);

export function validateMetric(metric: MetricSpec, rules: ReferenceRules, path: FieldPath): FieldError[] {
  const { type } = metric;
  const typeAt = path.child('type');
  const expected = SOURCE_OF.get(type);
  const present = SOURCES.filter((source) => metric[source] !== undefined);
  const unsupported = expected === undefined ? [fieldErrors.notSupported(typeAt, type, TYPES)] : [];
  const errors = [
    ...(type === '' ? [fieldErrors.required(typeAt, 'must specify a metric source type')] : []),
    ...unsupported,
    ...(present[0] === undefined ? [] : validateSource(metric, present[0], rules, path.child(present[0]))),
  ];
  if (expected !== undefined && metric[expected] === undefined) {
    const rule = 'must populate information for the given metric source';
    errors.push(fieldErrors.required(path.child(expected), rule));
  }
  errors.push(...unsupported);
  if (present.length === 1) return errors;
  const others = present.filter((source) => source !== expected);
  return [
    ...errors,
    ...others.map((source) =>
      fieldErrors.forbidden(path.child(source), 'must populate the given metric source only'),
    ),
  ];
}

function validateSource(
  metric: MetricSpec,
  source: Source,
  rules: ReferenceRules,
  path: FieldPath,
): FieldError[] {
  const { object, external, pods, resource, containerResource } = metric;
  switch (source) {
    case 'object':
      return [
        ...validateReference(object!.describedObject, rules, path.child('describedObject')),
        ...validateNamed(object!, path),
        ...requireValue(object!.target, 'must set either a target value or averageValue', path),
      ];
    case 'external':
      return [...validateNamed(external!, path), ...validateExternalTarget(external!.target, path)];
    case 'pods':
      return [
        ...validateNamed(pods!, path),
        ...(pods!.target.averageValue === undefined
          ? [averageRequired('averageValue', 'must specify a positive target averageValue', path)]
          : []),
      ];
    case 'resource':
      return [
        ...(resource!.name === '' ? [nameRequired(path)] : []),
        ...validateResourceTarget(resource!.target, path),
      ];
    case 'containerResource':
      return [
        ...validateContainer(containerResource!, path),
        ...validateResourceTarget(containerResource!.target, path),
      ];
  }
}

const nameRequired = (path: FieldPath): FieldError =>
  fieldErrors.required(path.child('name'), 'must specify a resource name');
const averageRequired = (name: string, rule: string, path: FieldPath): FieldError =>
  fieldErrors.required(path.child('target', name), rule);

function requireValue({ value, averageValue }: MetricTarget, rule: string, path: FieldPath): FieldError[] {
  return value === undefined && averageValue === undefined
    ? [averageRequired('averageValue', rule, path)]
    : [];
}

function validateExternalTarget(target: MetricTarget, path: FieldPath): FieldError[] {
  const errors = requireValue(target, 'must set either a target value for metric or a per-pod target', path);
  if (target.value === undefined || target.averageValue === undefined) return errors;
  const rule = 'may not set both a target value for metric and a per-pod target';
  return [...errors, fieldErrors.forbidden(path.child('target', 'value'), rule)];
}

function validateNamed(
  { metric, target }: { metric: MetricIdentifier; target: MetricTarget },
  path: FieldPath,
): FieldError[] {
  const at = path.child('metric', 'name');
  const errors =
    metric.name === ''
      ? [fieldErrors.required(at, 'must specify a metric name')]
      : nameIsPathSegment(metric.name, false).map((why) => fieldErrors.invalid(at, metric.name, why));
  return [...errors, ...validateTarget(target, path.child('target'))];
}

function validateResourceTarget(target: MetricTarget, path: FieldPath): FieldError[] {
  const { averageUtilization, averageValue } = target;
  const errors = validateTarget(target, path.child('target'));
  if (averageUtilization === undefined && averageValue === undefined) {
    const rule = 'must set either a target raw value or a target utilization';
    errors.push(averageRequired('averageUtilization', rule, path));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const rule = 'may not set both a target raw value and a target utilization';
    errors.push(fieldErrors.forbidden(path.child('target', 'averageValue'), rule));
  }
  return errors;
}

const TARGET_TYPES = ['Utilization', 'Value', 'AverageValue'];

function validateTarget(target: MetricTarget, path: FieldPath): FieldError[] {
  const { type, averageUtilization } = target;
  const errors: FieldError[] = [];
  if (type === '') errors.push(fieldErrors.required(path.child('type'), 'must specify a metric target type'));
  if (!TARGET_TYPES.includes(type)) {
    const rule = 'must be either Utilization, Value, or AverageValue';
    errors.push(fieldErrors.invalid(path.child('type'), type, rule));
  }
  for (const name of ['value', 'averageValue'] as const) {
    const value = target[name];
    if (value !== undefined && signOf(value) !== 1)
      errors.push(fieldErrors.invalid(path.child(name), value, 'must be positive'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    const at = path.child('averageUtilization');
    errors.push(fieldErrors.invalid(at, averageUtilization, 'must be greater than 0'));
  }
  return errors;
}

/** Names that are standard, though not for containers. */
const isQuotaResource = (name: string): boolean =>
  /^((requests|limits)\.(cpu|memory|ephemeral-storage)|requests\.(storage|hugepages-.*)|storage|pods|services(\.nodeports|\.loadbalancers)?|replicationcontrollers|resourcequotas|secrets|configmaps|persistentvolumeclaims)$/.test(
    name,
  );

const STANDARD = ['cpu', 'memory', 'ephemeral-storage'];

function validateContainer(
  { name, container }: { name: string; container: string },
  path: FieldPath,
): FieldError[] {
  const at = path.child('container');
  const errors = name === '' ? [nameRequired(path)] : validateResourceName(name, path.child('name'));
  if (container === '') errors.push(fieldErrors.required(at, 'must specify a container'));
  else errors.push(...validateDns1123Label(container).map((why) => fieldErrors.invalid(at, container, why)));
  return errors;
}

/** A resource that a container may request. */
function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateQualifiedName(name).map((why) => fieldErrors.invalid(path, name, why));
  const refuse = (rule: string): FieldError => fieldErrors.invalid(path, name, rule);
  if (name.includes('/')) {
    const isNative = /^([^/]*\.)?kubernetes\.io\//.test(name);
    const isExtended =
      !name.startsWith('requests.') && validateQualifiedName(`requests.${name}`).length === 0;
    return isNative || isExtended
      ? errors
      : [...errors, refuse("doesn't follow extended resource name standard")];
  }
  if (STANDARD.includes(name) || name.startsWith('hugepages-')) return errors;
  if (errors.length === 0 && !isQuotaResource(name))
    errors.push(refuse('must be a standard resource type or fully qualified'));
  return [...errors, refuse('must be a standard resource for containers')];
}
