// The abstract syntax of CEL after macro expansion. Every node has an id, unique within its expression, and
// the offset in the source (in UTF-16 units) that messages point at. Nodes are immutable once
// parsed; checking annotates them from outside.
import type { Value } from './values.ts';

interface Node {
  readonly id: number;
  readonly offset: number;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: Value;
}

export interface Ident extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** has(operand.field) */
  readonly test: boolean;
}

export interface Call extends Node {
  readonly kind: 'call';
  /** The function's name; operators have names such as `_+_`, see operators.ts. */
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices of elements written `?e`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface StructField extends Node {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface Struct extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly iterRange: Expr;
  readonly iterVar: string;
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}

export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | Struct | Comprehension;

/** The name of the variable that the built-in macros accumulate into; not writable in source. */
export const accumulator = '@result';
