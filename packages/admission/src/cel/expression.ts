// One admission expression: compiled once against its variables and allowed result types, and run within the
// limit of one call.
import {
  CelError,
  type CelType,
  CompileError,
  compile,
  type Environment,
  type Program,
  sameType,
  type Value,
} from '@instar/cel';
import { perCallLimit } from '@instar/cel/kubernetes';
import type { Activation } from './activation.ts';

export interface Expression {
  readonly text: string;
  readonly program: Program | undefined;
  /** Why it did not compile, in upstream's words. */
  readonly error: string | undefined;
}

export function compileExpression(
  text: string,
  environment: Environment,
  results: readonly CelType[],
): Expression {
  try {
    const program = compile(text, environment);
    if (results.length === 0 || results.some((type) => sameType(program.type, type)))
      return { text, program, error: undefined };
    return {
      text,
      program: undefined,
      error: `must evaluate to ${listed(results)} but got ${goName(program.type)}`,
    };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const stage = error.stage === 'program' ? 'program instantiation failed: ' : 'compilation failed: ';
    return { text, program: undefined, error: stage + error.message };
  }
}

function listed(types: readonly CelType[]): string {
  return types.length === 1 ? goName(types[0]!) : `one of [${types.map(goName).join(' ')}]`;
}

/** A type as Go prints it: by its runtime name. */
function goName({ name, params, nullable }: CelType): string {
  const own = nullable ? `wrapper(${name})` : name;
  return params.length === 0 ? own : `${own}(${params.map(goName).join(', ')})`;
}

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
