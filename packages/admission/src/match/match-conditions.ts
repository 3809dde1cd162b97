// CEL conditions beside the rules: all must hold. If one is false, errors of the others do not matter.
import { boolType } from '@instar/cel';
import type { Activation } from '../cel/activation.ts';
import { admissionEnvironment } from '../cel/environment.ts';
import { Budget, type Evaluated, evaluate, OutOfBudget } from '../cel/evaluate.ts';
import { compileExpression, type Expression } from '../cel/expression.ts';

/** An entry of `matchConditions` as a configuration has it. */
export interface MatchConditionSource {
  readonly name: string;
  readonly expression: string;
}

export type MatchConditions = readonly Expression[];

export type ConditionsOutcome =
  | { readonly matches: boolean }
  | { readonly error: string; readonly failures: number };

/** The cost limit for all conditions of one webhook or policy. */
const BUDGET = 2_500_000;

export function compileMatchConditions(
  conditions: readonly MatchConditionSource[] | null | undefined,
  params = false,
): MatchConditions {
  // Most webhooks have none, and an environment is expensive to make.
  if (conditions == null || conditions.length === 0) return [];
  const environment = admissionEnvironment({ params, authorizer: true });
  return conditions.map(({ expression }) => compileExpression(expression, environment, [boolType]));
}

/** `failures` of an error is the number of conditions that could not be evaluated. */
export function evaluateConditions(conditions: MatchConditions, activation: Activation): ConditionsOutcome {
  const results = evaluateAll(conditions, activation);
  if (!Array.isArray(results)) return { error: results.error, failures: 0 };
  if (results.some((result) => 'value' in result && result.value === false)) return { matches: false };
  const errors = results.flatMap((result) => ('error' in result ? [result.error] : []));
  return errors.length === 0 ? { matches: true } : { error: aggregate(errors), failures: errors.length };
}

function evaluateAll(
  conditions: MatchConditions,
  activation: Activation,
): Evaluated[] | { readonly error: string } {
  const budget = new Budget(BUDGET);
  try {
    return conditions.map((condition) => evaluate(condition, activation, budget));
  } catch (error) {
    if (error instanceof OutOfBudget) return { error: error.message };
    throw error;
  }
}

/** As upstream joins several errors. */
function aggregate(errors: readonly string[]): string {
  const different = [...new Set(errors)];
  return different.length === 1 ? different[0]! : `[${different.join(', ')}]`;
}
