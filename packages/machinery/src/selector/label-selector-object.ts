// metav1.LabelSelector, the selector inside objects (matchLabels, matchExpressions): its validation, and what
// it selects.

import { quoteGo, validateLabelValue } from '@instar/go';
import { aggregateMessage, type FieldError, fieldErrors } from '../field/error.ts';
import type { FieldPath } from '../field/path.ts';
import { validateLabelName, validateLabels } from '../meta/validate-metadata.ts';
import { everyLabel, type LabelSelector, labelSelectorOf, noLabel, SelectorError } from './label.ts';
import { type LabelOperator, type LabelRequirement, validateLabelRequirement } from './label-requirement.ts';

interface LabelSelectorRequirementObject {
  key: string;
  operator: string;
  values?: string[];
}

/** A label selector as objects have it: `matchLabels` and `matchExpressions`. */
export interface LabelSelectorObject {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirementObject[];
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** No selector selects nothing; an empty one selects everything. Throws SelectorError. */
export function labelSelectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === null || object === undefined) return noLabel;
  const requirements = [
    ...Object.entries(object.matchLabels ?? {}).map(
      ([key, value]): LabelRequirement => ({ key, operator: '=', values: [value] }),
    ),
    ...(object.matchExpressions ?? []).map(requirementOf),
  ];
  if (requirements.length === 0) return everyLabel;
  for (const requirement of requirements) {
    const errors = validateLabelRequirement(requirement);
    if (errors.length > 0) throw new SelectorError(aggregateMessage(errors));
  }
  return labelSelectorOf(requirements);
}

function requirementOf({ key, operator: name, values }: LabelSelectorRequirementObject): LabelRequirement {
  const operator = OPERATORS.get(name);
  if (operator === undefined)
    throw new SelectorError(`${quoteGo(name)} is not a valid label selector operator`);
  return { key, operator, values: [...new Set(values ?? [])].sort() };
}

/** What is invalid in a label selector of an object. */
export function validateLabelSelectorObject(
  object: LabelSelectorObject | null | undefined,
  path: FieldPath,
): FieldError[] {
  const expressions = object?.matchExpressions ?? [];
  return [
    ...validateLabels(object?.matchLabels, path.child('matchLabels')),
    ...expressions.flatMap((expression, index) =>
      validateExpression(expression, path.child('matchExpressions').index(index)),
    ),
  ];
}

function validateExpression(
  { key, operator, values = [] }: LabelSelectorRequirementObject,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateValueCount(operator, values, path),
    ...validateLabelName(key ?? '', path.child('key')),
    ...values.flatMap((value, index) =>
      validateLabelValue(value).map((fault) =>
        fieldErrors.invalid(path.child('values').index(index), value, fault),
      ),
    ),
  ];
}

function validateValueCount(operator: string, values: readonly string[], path: FieldPath): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [
            fieldErrors.required(
              path.child('values'),
              "must be specified when `operator` is 'In' or 'NotIn'",
            ),
          ];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [
            fieldErrors.forbidden(
              path.child('values'),
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    default:
      return [fieldErrors.invalid(path.child('operator'), operator ?? '', 'not a valid selector operator')];
  }
}
