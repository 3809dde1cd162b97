// A check beyond types, and what it sees of the expression. An environment lists validators, so they must not
// depend on the environment.
import type { Call, Expr } from '../ast.ts';
import type { Overload } from '../extension.ts';
import type { IssueList } from '../parse/issue.ts';
import type { CelType } from '../values/types.ts';

/** The function and the overloads that a call refers to. */
export interface CallReference {
  /** The resolved name of the function. */
  readonly name: string;
  /** Those that match the static types; more than one if the run-time types decide. */
  readonly overloads: readonly Overload[];
  /** The receiver, unless it was part of a qualified function name. */
  readonly target: Expr | undefined;
}

/** A checked expression as validators see it. */
export interface CheckedExpression {
  readonly expr: Expr;
  readonly issues: IssueList;
  typeOf(expr: Expr): CelType;
  callOf(call: Call): CallReference;
}

/** Adds what it finds to the issues of the checked expression. */
export type ExpressionValidator = (checked: CheckedExpression) => void;
