// A check beyond types, and what it is shown of the expression: an environment names validators, so that they
// know no environment.
import type { Call, Expr } from '../ast.ts';
import type { Overload } from '../extension.ts';
import type { IssueList } from '../parse/issue.ts';
import type { CelType } from '../values/types.ts';

export interface CallReference {
  /** The resolved name of the function. */
  readonly name: string;
  /** Those that fit the static types; more than one when only the run-time types can tell. */
  readonly overloads: readonly Overload[];
  /** The receiver, unless it was part of a qualified function name. */
  readonly target: Expr | undefined;
}

export interface CheckedExpression {
  readonly expr: Expr;
  readonly issues: IssueList;
  typeOf(expr: Expr): CelType;
  callOf(call: Call): CallReference;
}

/** Reports what it finds to the issues of the checked expression. */
export type ExpressionValidator = (checked: CheckedExpression) => void;
