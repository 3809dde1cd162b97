// The abstract syntax of CEL after macro expansion. Every node has an id, unique within its expression, and
// the offset in the source (in UTF-16 units) that messages point at. Nodes are immutable once
// parsed; checking annotates them from outside.
import type { Value } from './values.ts';

interface Node {
  readonly id: number;
  readonly offset: number;
}

/** A constant. */
export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: Value;
}

/** The name of a variable. */
export interface Ident extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

/** The selection of a field: `a.b`, or `has(a.b)`. */
export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** has(operand.field) */
  readonly test: boolean;
}

/** A call of a function, a method or an operator. */
export interface Call extends Node {
  readonly kind: 'call';
  /** The function's name; operators have names such as `_+_`, see operators.ts. */
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** A list: `[a, b]`. */
export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices of elements written `?e`. */
  readonly optional: ReadonlySet<number>;
}

/** A key and its value in a map. */
export interface MapEntry extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A map: `{k: v}`. */
export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

/** A field and its value in the construction of an object. */
export interface StructField extends Node {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** The construction of an object: `Name{field: value}`. */
export interface Struct extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** A loop over a list or map, as macros expand to it. */
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

/** A node of the syntax tree. */
export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | Struct | Comprehension;

/** The name of the variable that the built-in macros accumulate into; not writable in source. */
export const accumulator = '@result';
