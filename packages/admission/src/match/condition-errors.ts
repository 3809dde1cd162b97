// The errors in the matchConditions of a webhook or a policy, before it is stored.
import { boolType } from '@instar/cel';
import { validateQualifiedName } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import { admissionEnvironment } from '../cel/environment.ts';
import { compileExpression } from '../cel/expression.ts';
import type { MatchConditionSource } from './match-conditions.ts';

const MAX_CONDITIONS = 64;

/** What is invalid in the `matchConditions` of a webhook or policy. */
export function matchConditionErrors(
  conditions: readonly MatchConditionSource[],
  path: FieldPath,
  { params = false } = {},
): FieldError[] {
  const names = new Set<string>();
  const errors =
    conditions.length > MAX_CONDITIONS ? [fieldErrors.tooMany(path, conditions.length, MAX_CONDITIONS)] : [];
  conditions.forEach(({ name, expression }, index) => {
    const at = path.index(index);
    errors.push(
      ...expressionErrors(expression.trim(), at.child('expression'), params),
      ...nameErrors(name, at.child('name')),
    );
    if (name !== '' && names.has(name)) errors.push(fieldErrors.duplicate(at.child('name'), name));
    names.add(name);
  });
  return errors;
}

function expressionErrors(expression: string, path: FieldPath, params: boolean): FieldError[] {
  if (expression === '') return [fieldErrors.required(path)];
  const { error } = compileExpression(expression, admissionEnvironment({ params, authorizer: true }), [
    boolType,
  ]);
  return error === undefined ? [] : [fieldErrors.invalid(path, expression, error)];
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  return name === ''
    ? [fieldErrors.required(path)]
    : validateQualifiedName(name).map((reason) => fieldErrors.invalid(path, name, reason));
}
