// Runs an expression for one request, within the limit of one call and the budget that all expressions of a
// webhook or policy share.
import { CelError, type Value } from '@instar/cel';
import { perCallLimit } from '@instar/cel/kubernetes';
import type { Activation } from './activation.ts';
import type { Expression } from './expression.ts';

export type Evaluated = { readonly value: Value } | { readonly error: string };

/** For a machine so slow that cost says nothing about time. */
const MAX_MS = 5_000;

/** All expressions of one webhook or policy share a cost limit and a deadline per request. */
export class Budget {
  /** In milliseconds, as Date.now(). */
  readonly deadline = Date.now() + MAX_MS;
  #left: number;

  constructor(cost: number) {
    this.#left = cost;
  }

  /** Throws OutOfBudget if less than that is left. */
  spend(cost: number): void {
    if (cost > this.#left) throw new OutOfBudget();
    this.#left -= cost;
  }
}

export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';

  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** Throws OutOfBudget. */
export function evaluate(
  { text, program, error }: Expression,
  activation: Activation,
  budget: Budget,
): Evaluated {
  if (program === undefined) return { error: `compilation error: ${error}` };
  const { value, cost } = program.evaluate(activation.values, {
    maxCost: perCallLimit,
    deadline: budget.deadline,
  });
  budget.spend(activation.takeVariableCost());
  budget.spend(cost);
  return value instanceof CelError
    ? { error: `expression '${text}' resulted in error: ${value.message}` }
    : { value };
}
