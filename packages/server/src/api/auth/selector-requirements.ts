// Selectors as authorizers get them: requirements with the operators of SubjectAccessReview.
import { parseFieldSelector, parseLabelSelector } from '@instar/machinery';
import type { SelectorRequirement } from './authorizer.ts';

/** Throws SelectorError. */
export function fieldRequirementsOf(text: string): SelectorRequirement[] {
  return parseFieldSelector(text).requirements.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
}

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

/** Throws SelectorError. Comparisons of numbers are left out: reviews cannot express them. */
export function labelRequirementsOf(text: string): SelectorRequirement[] {
  return parseLabelSelector(text).requirements.flatMap(({ key, operator, values }) => {
    const known = OPERATORS.get(operator);
    return known === undefined ? [] : [{ key, operator: known, values: [...values] }];
  });
}
