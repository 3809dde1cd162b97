// The paths that a rule mentions, at any depth.
import type { Expr } from '@instar/cel';
import type { JsonObject } from '@instar/machinery';
import { isPlace, operandOf, type RuleScope, type ValueRef } from './operand.ts';

export function placesIn(expr: Expr, scope: RuleScope, root: JsonObject): ValueRef[] {
  const places: ValueRef[] = [];
  const look = (one: Expr): void => {
    const operand = operandOf(one.kind === 'select' ? { ...one, test: false } : one, scope, root);
    if (isPlace(operand)) places.push(operand);
    for (const child of childrenWithin(one)) look(child);
  };
  look(expr);
  return places;
}

function childrenWithin(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'comprehension':
      return [expr.iterRange];
    default:
      return [];
  }
}
