// Which nodes: the selector of the affinity of volumes and of slices of devices, and taints with tolerations.
import { nameIsDnsSubdomain, validateLabelValue } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors, validateLabelName } from '@instar/machinery';
import { invalidFor } from './checks.ts';

interface NodeSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}

export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[] | null;
}

export function validateNodeSelector(
  { nodeSelectorTerms: terms }: NodeSelector,
  path: FieldPath,
): FieldError[] {
  const at = path.child('nodeSelectorTerms');
  if ((terms ?? []).length === 0)
    return [fieldErrors.required(at, 'must have at least one node selector term')];
  return terms!.flatMap((term, index) => validateTerm(term, at.index(index)));
}

const validateTerm = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, path: FieldPath) => [
  ...matchExpressions.flatMap((each, index) =>
    validateExpression(each, path.child('matchExpressions').index(index)),
  ),
  ...matchFields.flatMap((each, index) => validateFieldMatch(each, path.child('matchFields').index(index))),
];

const NO_OPERATOR = 'not a valid selector operator';

function validateExpression(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): FieldError[] {
  const at = path.child('values');
  return [
    ...validateOperator(operator, values.length, path),
    ...validateLabelName(key, path.child('key')),
    ...values.flatMap((value, index) => invalidFor(at.index(index), value, validateLabelValue(value))),
  ];
}

function validateOperator(operator: string, count: number, path: FieldPath): FieldError[] {
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
      return [fieldErrors.invalid(path.child('operator'), operator, NO_OPERATOR)];
  }
}

/** Only the name of the node can be selected by its fields. */
function validateFieldMatch(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('values');
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(fieldErrors.invalid(path.child('operator'), operator, NO_OPERATOR));
  else if (values.length !== 1)
    errors.push(
      fieldErrors.required(
        at,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  if (key !== 'metadata.name')
    return [...errors, fieldErrors.invalid(path.child('key'), key, 'not a valid field selector key')];
  return [
    ...errors,
    ...values.flatMap((value, index) => invalidFor(at.index(index), value, nameIsDnsSubdomain(value, false))),
  ];
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTaintEffect(effect: string, path: FieldPath): FieldError[] {
  if (effect === '') return [fieldErrors.required(path)];
  return EFFECTS.includes(effect) ? [] : [fieldErrors.notSupported(path, effect, EFFECTS)];
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

const ALL_KEYS = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';

export const validateTolerations = (tolerations: readonly Toleration[], path: FieldPath): FieldError[] =>
  tolerations.flatMap((toleration, index) => validateToleration(toleration, path.index(index)));

function validateToleration(
  { key = '', operator = '', value = '', effect = '', tolerationSeconds }: Toleration,
  path: FieldPath,
): FieldError[] {
  const errors = key === '' ? [] : validateLabelName(key, path.child('key'));
  if (key === '' && operator !== 'Exists')
    errors.push(fieldErrors.invalid(path.child('operator'), operator, ALL_KEYS));
  if (tolerationSeconds !== undefined && effect !== 'NoExecute')
    errors.push(
      fieldErrors.invalid(
        path.child('effect'),
        effect,
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      ),
    );
  errors.push(...validateTolerationValue(operator, value, path.child('operator')));
  return effect === '' ? errors : [...errors, ...validateTaintEffect(effect, path.child('effect'))];
}

function validateTolerationValue(operator: string, value: string, path: FieldPath): FieldError[] {
  if (operator === 'Exists')
    return value === ''
      ? []
      : [fieldErrors.invalid(path, value, "value must be empty when `operator` is 'Exists'")];
  if (operator === 'Lt' || operator === 'Gt')
    return [fieldErrors.notSupported(path, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
  if (operator !== '' && operator !== 'Equal')
    return [fieldErrors.notSupported(path, operator, ['Equal', 'Exists'])];
  const reasons = validateLabelValue(value);
  return reasons.length === 0 ? [] : [fieldErrors.invalid(path, value, reasons.join(';'))];
}
