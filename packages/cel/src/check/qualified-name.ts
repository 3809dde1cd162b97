// Names that are written as selections.
import type { Expr } from '../ast.ts';

/** `a.b.c` as a name, when the expression is nothing but names and selections. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** The `a` of `a.b.c`. */
export function rootName(expr: Expr): string | undefined {
  let inner = expr;
  while (inner.kind === 'select' && !inner.test) inner = inner.operand;
  return inner.kind === 'ident' ? inner.name : undefined;
}
