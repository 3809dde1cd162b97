// Where a pod may run: selectors of nodes, affinities, tolerations, spreading.
import { nameIsDnsLabel, nameIsDnsSubdomain, validateLabelValue } from '@instar/go';
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type LabelSelectorObject,
  validateLabelName,
  validateLabelSelectorObject,
} from '@instar/machinery';
import type {
  Affinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  Toleration,
  TopologySpreadConstraint,
} from './pod-types.ts';
import { invalidEach, validateOptionalChoice, validateQualified } from './values.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Affinity | undefined, path: FieldPath): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {};
  const required = nodeAffinity?.[REQUIRED];
  const preferred = nodeAffinity?.[PREFERRED] ?? [];
  const nodePath = path.child('nodeAffinity');
  return [
    ...(required === undefined
      ? []
      : validateNodeSelector(required.nodeSelectorTerms ?? [], nodePath.child(REQUIRED))),
    ...preferred.flatMap(({ weight, preference }, index) => {
      const at = nodePath.child(PREFERRED).index(index);
      return [
        ...validateWeight(weight, at),
        ...validateNodeSelectorTerm(preference ?? {}, true, at.child('preference')),
      ];
    }),
    ...validatePodAffinity(podAffinity, path.child('podAffinity')),
    ...validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity')),
  ];
}

const validateWeight = (weight: number, path: FieldPath): FieldError[] =>
  weight > 0 && weight <= 100
    ? []
    : [fieldErrors.invalid(path.child('weight'), weight ?? 0, 'must be in the range 1-100')];

function validateNodeSelector(terms: readonly NodeSelectorTerm[], path: FieldPath): FieldError[] {
  const at = path.child('nodeSelectorTerms');
  if (terms.length === 0) return [fieldErrors.required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateNodeSelectorTerm(term, false, at.index(index)));
}

function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  anyValues: boolean,
  path: FieldPath,
): FieldError[] {
  return [
    ...matchExpressions.flatMap((requirement, index) =>
      validateNodeRequirement(requirement, anyValues, path.child('matchExpressions').index(index)),
    ),
    ...matchFields.flatMap((requirement, index) =>
      validateNodeFieldRequirement(requirement, path.child('matchFields').index(index)),
    ),
  ];
}

function validateNodeRequirement(
  { key = '', operator = '', values = [] }: NodeSelectorRequirement,
  anyValues: boolean,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...validateOperatorValues(operator, values.length, path),
    ...validateLabelName(key, path.child('key')),
  ];
  if (anyValues) return errors;
  for (const [index, value] of values.entries())
    errors.push(...invalidEach(path.child('values').index(index), value, validateLabelValue(value)));
  return errors;
}

function validateOperatorValues(operator: string, count: number, path: FieldPath): FieldError[] {
  const at = path.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? []
        : [fieldErrors.required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [fieldErrors.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1
        ? []
        : [fieldErrors.required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [fieldErrors.invalid(path.child('operator'), operator, 'not a valid selector operator')];
  }
}

function validateNodeFieldRequirement(
  { key = '', operator = '', values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(fieldErrors.invalid(path.child('operator'), operator, 'not a valid selector operator'));
  else if (values.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(fieldErrors.required(path.child('values'), why));
  }
  if (key !== 'metadata.name')
    return [...errors, fieldErrors.invalid(path.child('key'), key, 'not a valid field selector key')];
  for (const [index, value] of values.entries())
    errors.push(...invalidEach(path.child('values').index(index), value, nameIsDnsSubdomain(value, false)));
  return errors;
}

function validatePodAffinity(affinity: PodAffinity | undefined, path: FieldPath): FieldError[] {
  const required = affinity?.[REQUIRED] ?? [];
  const preferred = affinity?.[PREFERRED] ?? [];
  return [
    ...required.flatMap((term, index) => validatePodTerm(term, path.child(REQUIRED).index(index))),
    ...preferred.flatMap(({ weight, podAffinityTerm }, index) => {
      const at = path.child(PREFERRED).index(index);
      return [
        ...validateWeight(weight, at),
        ...validatePodTerm(podAffinityTerm ?? ({} as PodAffinityTerm), at.child('podAffinityTerm')),
      ];
    }),
  ];
}

function validatePodTerm(term: PodAffinityTerm, path: FieldPath): FieldError[] {
  const { topologyKey = '', labelSelector, namespaceSelector } = term;
  return [
    ...validateLabelSelectorObject(labelSelector, path.child('labelSelector')),
    ...validateLabelSelectorObject(namespaceSelector, path.child('namespaceSelector')),
    ...(term.namespaces ?? []).flatMap((name) =>
      invalidEach(path.child('namespace'), name, nameIsDnsLabel(name, false)),
    ),
    ...validateLabelKeys(term.matchLabelKeys ?? [], term.mismatchLabelKeys ?? [], labelSelector, path),
    ...(topologyKey === '' ? [fieldErrors.required(path.child('topologyKey'), 'can not be empty')] : []),
    ...validateLabelName(topologyKey, path.child('topologyKey')),
  ];
}

function validateLabelKeys(
  matched: readonly string[],
  mismatched: readonly string[],
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...validateKeyNames(matched, selector, path.child('matchLabelKeys')),
    ...validateKeyNames(mismatched, selector, path.child('mismatchLabelKeys')),
  ];
  const used = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key } of selector?.matchExpressions ?? []) {
    const index = matched.lastIndexOf(key);
    if (index !== -1 && used.has(key)) {
      const why = 'exists in both matchLabelKeys and labelSelector';
      errors.push(fieldErrors.invalid(path.index(index), key, why));
    }
    used.add(key);
  }
  for (const [index, key] of matched.entries()) {
    if (!mismatched.includes(key)) continue;
    const why = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(fieldErrors.invalid(path.child('matchLabelKeys').index(index), key, why));
  }
  return errors;
}

function validateKeyNames(
  keys: readonly string[],
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined)
    return [fieldErrors.forbidden(path, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => validateLabelName(key, path.index(index)));
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTolerations(tolerations: readonly Toleration[], path: FieldPath): FieldError[] {
  return tolerations.flatMap((toleration, index) => validateToleration(toleration, path.index(index)));
}

function validateToleration(toleration: Toleration, path: FieldPath): FieldError[] {
  const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
  const errors = key === '' ? [] : validateLabelName(key, path.child('key'));
  if (key === '' && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(fieldErrors.invalid(path.child('operator'), operator, why));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(fieldErrors.invalid(path.child('effect'), effect, why));
  }
  errors.push(...validateTolerationValue(toleration, path.child('operator')));
  if (effect !== '' && !EFFECTS.includes(effect))
    errors.push(fieldErrors.notSupported(path.child('effect'), effect, EFFECTS));
  return errors;
}

function validateTolerationValue({ operator = '', value = '' }: Toleration, path: FieldPath): FieldError[] {
  switch (operator) {
    case 'Equal':
    case '': {
      const faults = validateLabelValue(value);
      return faults.length === 0 ? [] : [fieldErrors.invalid(path, value, faults.join(';'))];
    }
    case 'Exists':
      return value === ''
        ? []
        : [fieldErrors.invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      return [fieldErrors.notSupported(path, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [fieldErrors.notSupported(path, operator, ['Equal', 'Exists'])];
  }
}

export function validateSchedulingGates(
  gates: NonNullable<PodSpec['schedulingGates']>,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap(({ name = '' }, index) => {
    const at = path.index(index);
    const errors = validateQualified(name, at);
    if (seen.has(name)) errors.push(fieldErrors.duplicate(at, name));
    seen.add(name);
    return errors;
  });
}

export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
): FieldError[] {
  return constraints.flatMap((constraint, index) =>
    validateSpread(constraint, constraints.slice(index + 1), path.index(index)),
  );
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

function validateSpread(
  constraint: TopologySpreadConstraint,
  others: readonly TopologySpreadConstraint[],
  path: FieldPath,
): FieldError[] {
  const { maxSkew = 0, topologyKey = '', whenUnsatisfiable: action = '', labelSelector } = constraint;
  const errors = validatePositive(maxSkew, path.child('maxSkew'));
  if (topologyKey === '') errors.push(fieldErrors.required(path.child('topologyKey'), 'can not be empty'));
  if (!ACTIONS.includes(action))
    errors.push(fieldErrors.notSupported(path.child('whenUnsatisfiable'), action, ACTIONS));
  if (others.some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === action))
    errors.push(
      fieldErrors.duplicate(path.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${action}}`),
    );
  return [
    ...errors,
    ...validateMinDomains(constraint.minDomains, action, path.child('minDomains')),
    ...validateOptionalChoice(constraint.nodeAffinityPolicy, POLICIES, path.child('nodeAffinityPolicy')),
    ...validateOptionalChoice(constraint.nodeTaintsPolicy, POLICIES, path.child('nodeTaintsPolicy')),
    ...validateLabelKeys(constraint.matchLabelKeys ?? [], [], labelSelector, path),
    ...validateLabelSelectorObject(labelSelector, path.child('labelSelector')),
  ];
}

const validatePositive = (value: number, path: FieldPath): FieldError[] =>
  value > 0 ? [] : [fieldErrors.invalid(path, value, 'must be greater than zero')];

function validateMinDomains(value: number | undefined, action: string, path: FieldPath): FieldError[] {
  if (value === undefined) return [];
  const errors = validatePositive(value, path);
  if (action !== 'DoNotSchedule') {
    const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
    errors.push(fieldErrors.invalid(path, value, why));
  }
  return errors;
}
