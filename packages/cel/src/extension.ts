// How a library extends the language: types, constants, functions with overloads, macros, and the cost of
// each call. The standard library, every extension and the host's own functions use this interface.
import type { Expr } from './ast.ts';
import type { CostEstimate, SizeEstimate } from './cost/range.ts';
import type { CelType } from './values/types.ts';
import type { Value } from './values.ts';

/**
 * Gets its arguments (the receiver first) as values of the declared types, never errors: those are returned
 * before the call. Under `dyn` the run-time types have been matched with the overload's parameters.
 * Returns a CelError to fail. A function whose work grows with its arguments reports it through work() of
 * meter.ts.
 */
export type Implementation = (...args: Value[]) => Value;

/**
 * The cost of one call that has been made; undefined defers to the next model, and finally to 1.
 */
export type CallCost = (args: readonly Value[], result: Value) => number | undefined;

/** What the estimator knows about an operand before anything runs. */
export interface OperandNode {
  /**
   * How the operand is reached from a variable: its name, then field names, `@items`, `@keys`, `@values`,
   * `@indices`.
   */
  readonly path: readonly string[] | undefined;
  readonly type: CelType;
  readonly expr: Expr;
  /** Known from the expression itself (literals, concatenations, …) or from the host before. */
  readonly computedSize: SizeEstimate | undefined;
}

/** What a call is expected to cost, and how large its result is. */
export interface CallEstimate {
  readonly cost: CostEstimate;
  /** For results that have a size. */
  readonly resultSize?: SizeEstimate | undefined;
}

/** Asks the host for the declared size of an operand whose size does not follow from the expression. */
export interface SizeProvider {
  estimateSize(node: OperandNode): SizeEstimate | undefined;
}

/** The estimate of one call, without the cost of its arguments; undefined defers to the next model. */
export type CallEstimator = (
  sizes: SizeProvider,
  target: OperandNode | undefined,
  args: readonly OperandNode[],
) => CallEstimate | undefined;

/** One signature of a function, with its implementation and cost. */
export interface Overload {
  /** Unique in the environment; cost models and checkers refer to it. */
  readonly id: string;
  /** True for `x.f(y)`: the receiver is the first parameter. */
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly call: Implementation;
  readonly cost?: CallCost;
  readonly estimate?: CallEstimator;
  /** Called with any values under `dyn`; it checks them itself. */
  readonly unguarded?: boolean;
}

/** A function with its overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** A named value of a library. */
export interface Constant {
  readonly name: string;
  readonly type: CelType;
  readonly value: Value;
}

/** Creates nodes at the position of the macro call. */
export interface MacroContext {
  literal(value: Value): Expr;
  ident(name: string): Expr;
  accu(): Expr;
  select(operand: Expr, field: string): Expr;
  test(operand: Expr, field: string): Expr;
  call(name: string, ...args: Expr[]): Expr;
  memberCall(name: string, target: Expr, ...args: Expr[]): Expr;
  list(...elements: Expr[]): Expr;
  map(...entries: (readonly [key: Expr, value: Expr])[]): Expr;
  comprehension(parts: {
    range: Expr;
    iterVar: string;
    iterVar2?: string;
    accuVar?: string;
    init: Expr;
    condition: Expr;
    step: Expr;
    result: Expr;
  }): Expr;
  /** A copy with fresh ids, for a node that the expansion uses twice. */
  copy(expr: Expr): Expr;
  /** Fails with an error at the node (or at the macro call). */
  fail(message: string, at?: Expr): never;
}

/** A call that is expanded when it is parsed. */
export interface Macro {
  readonly name: string;
  readonly receiver: boolean;
  /** The number of arguments, or undefined for any. */
  readonly args: number | undefined;
  /** Undefined: the call is not expanded. */
  expand(context: MacroContext, target: Expr | undefined, args: readonly Expr[]): Expr | undefined;
}

/** Types, constants, functions and macros that an environment can include. */
export interface Library {
  readonly name: string;
  readonly types?: readonly CelType[];
  /**
   * Further names for types: `google.protobuf.Int64Value` is a nullable int. A type with an object
   * declaration can be constructed by it.
   */
  readonly typeNames?: Readonly<Record<string, CelType>>;
  readonly constants?: readonly Constant[];
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Enables `a.?b`, `a[?i]`, `{?k: v}` and `[?e]`. */
  readonly optionalSyntax?: boolean;
}

/**
 * Costs by function and overload, for hosts that define costs of functions of other libraries. Looked up once
 * for each call site, at compile time.
 */
export interface CostModel {
  callCost?(name: string, overloadId: string): CallCost | undefined;
  estimateCall?(name: string, overloadId: string): CallEstimator | undefined;
  /** In Kubernetes has() costs nothing; by default it costs 1. */
  readonly presenceTestCost?: 0 | 1;
}

/** Declares a function. */
export const functionOf = (name: string, ...overloads: Overload[]): FunctionDeclaration => ({
  name,
  overloads,
});

/** Declares an overload that is called as a function. */
export function overload(
  id: string,
  params: readonly CelType[],
  result: CelType,
  call: Implementation,
  more: Pick<Overload, 'cost' | 'estimate'> = {},
): Overload {
  return { id, member: false, params, result, call, ...more };
}

/** Declares an overload that is called as a method of its first parameter. */
export function memberOverload(
  id: string,
  params: readonly CelType[],
  result: CelType,
  call: Implementation,
  more: Pick<Overload, 'cost' | 'estimate'> = {},
): Overload {
  return { id, member: true, params, result, call, ...more };
}
