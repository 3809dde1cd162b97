// The selectors of an access review: how they are validated, and what authorizers get to see of them. A
// selector that cannot be understood is ignored, which can only make the answer stricter.
import { type FieldError, FieldPath, fieldErrors, validateLabelSelectorObject } from '@instar/machinery';
import type { SelectorRequirement } from './authorizer.ts';
import { fieldRequirementsOf, labelRequirementsOf } from './selector-requirements.ts';

export interface ReviewSelector {
  readonly rawSelector?: string;
  readonly requirements?: readonly { key?: string; operator?: string; values?: string[] }[];
}

interface ReadSelector {
  readonly requirements: readonly SelectorRequirement[];
  readonly isFaulty: boolean;
}

const PATH = FieldPath.of('spec', 'resourceAttributes');
const OPERATORS = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

export function selectorFaults(
  field: ReviewSelector | undefined,
  label: ReviewSelector | undefined,
): FieldError[] {
  return [
    ...(field === undefined ? [] : faultsOf(field, PATH.child('fieldSelector'), fieldRequirementFaults)),
    ...(label === undefined ? [] : faultsOf(label, PATH.child('labelSelector'), labelRequirementFaults)),
  ];
}

type Requirement = NonNullable<ReviewSelector['requirements']>[number];

function faultsOf(
  { rawSelector = '', requirements = [] }: ReviewSelector,
  path: FieldPath,
  requirementFaults: (requirement: Requirement, path: FieldPath) => FieldError[],
): FieldError[] {
  const faults: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0)
    faults.push(
      fieldErrors.invalid(
        path.child('rawSelector'),
        rawSelector,
        'may not specified at the same time as requirements',
      ),
    );
  if (rawSelector === '' && requirements.length === 0)
    faults.push(
      fieldErrors.required(
        path.child('requirements'),
        `when ${path.toString()} is specified, requirements or rawSelector is required`,
      ),
    );
  const list = path.child('requirements');
  return [...faults, ...requirements.flatMap((item, index) => requirementFaults(item, list.index(index)))];
}

function fieldRequirementFaults(
  { key = '', operator, values = [] }: Requirement,
  path: FieldPath,
): FieldError[] {
  const faults = key === '' ? [fieldErrors.required(path.child('key'), 'must be specified')] : [];
  const at = path.child('values');
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    faults.push(fieldErrors.required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    faults.push(
      fieldErrors.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    );
  return faults;
}

/** An unknown operator is not a fault here: later versions may have more. */
function labelRequirementFaults(
  { key = '', operator = '', values = [] }: Requirement,
  path: FieldPath,
): FieldError[] {
  const known = OPERATORS.has(operator) ? operator : values.length > 0 ? 'In' : 'Exists';
  const selector = { matchExpressions: [{ key, operator: known, values }] };
  const inside = FieldPath.of('matchExpressions').index(0).toString();
  return validateLabelSelectorObject(selector, FieldPath.root).map((fault) => ({
    ...fault,
    field: `${path.toString()}${fault.field.slice(inside.length)}`,
  }));
}

export function readFieldSelector({ rawSelector, requirements = [] }: ReviewSelector): ReadSelector {
  if (rawSelector !== undefined) return readRaw(() => fieldRequirementsOf(rawSelector));
  const usable = requirements.filter(
    ({ operator, values = [] }) => values.length === 1 && (operator === 'In' || operator === 'NotIn'),
  );
  return { requirements: usable.map(complete), isFaulty: usable.length < requirements.length };
}

export function readLabelSelector({ rawSelector, requirements = [] }: ReviewSelector): ReadSelector {
  if (rawSelector !== undefined) return readRaw(() => labelRequirementsOf(rawSelector));
  const usable = requirements.filter(({ operator }) => OPERATORS.has(operator ?? ''));
  return { requirements: usable.map(complete), isFaulty: usable.length < requirements.length };
}

const complete = ({ key = '', operator = '', values = [] }: Requirement): SelectorRequirement => ({
  key,
  operator,
  values,
});

function readRaw(read: () => SelectorRequirement[]): ReadSelector {
  try {
    return { requirements: read(), isFaulty: false };
  } catch {
    return { requirements: [], isFaulty: true };
  }
}
