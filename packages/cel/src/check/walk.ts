// The children of a node, to walk through an expression.
import type { Expr } from '../ast.ts';

export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'comprehension':
      return [expr.iterRange, expr.accuInit, expr.loopCondition, expr.loopStep, expr.result];
  }
}

/** Calls a function for a node and every node below it. */
export function visit(expr: Expr, look: (expr: Expr) => void): void {
  look(expr);
  for (const child of childrenOf(expr)) visit(child, look);
}
