// Recognizes the expansions of the macros, so that each can be compiled to a specialized loop.
import type { Comprehension, Expr } from '../ast.ts';
import { operators } from '../operators.ts';
import { mapInsert } from './two-variable.ts';

export type LoopShape =
  | { readonly kind: 'all' | 'exists' | 'existsOne'; readonly predicate: Expr }
  | {
      readonly kind: 'collect';
      readonly filter: Expr | undefined;
      readonly element: Expr;
      readonly list: Expr;
    }
  | { readonly kind: 'insert'; readonly filter: Expr | undefined; readonly entry: readonly Expr[] }
  | { readonly kind: 'bind' }
  | { readonly kind: 'general' };

export function loopShape(loop: Comprehension): LoopShape {
  const { accuInit, iterRange, loopCondition } = loop;
  if (iterRange.kind === 'list' && iterRange.elements.length === 0 && isLiteral(loopCondition, false))
    return { kind: 'bind' };
  if (isCall(loopCondition, operators.notStrictlyFalse)) return quantifier(loop);
  if (!isLiteral(loopCondition, true)) return { kind: 'general' };
  if (isLiteral(accuInit, 0)) return counter(loop);
  if (!isAccu(loop, loop.result)) return { kind: 'general' };
  if (accuInit.kind === 'list' && accuInit.elements.length === 0) return collector(loop);
  return accuInit.kind === 'map' && accuInit.entries.length === 0 ? inserter(loop) : { kind: 'general' };
}

const isLiteral = (expr: Expr, value: unknown): boolean => expr.kind === 'literal' && expr.value === value;
const isAccu = (loop: Comprehension, expr: Expr | undefined): boolean =>
  expr?.kind === 'ident' && expr.name === loop.accuVar;
const isCall = (expr: Expr, name: string): boolean =>
  expr.kind === 'call' && expr.name === name && expr.target === undefined;

function argsOf(expr: Expr, name: string): readonly Expr[] | undefined {
  return expr.kind === 'call' && expr.name === name && expr.target === undefined ? expr.args : undefined;
}

function quantifier(loop: Comprehension): LoopShape {
  const all = argsOf(loop.loopStep, operators.and);
  const exists = argsOf(loop.loopStep, operators.or);
  const args = isLiteral(loop.accuInit, true) ? all : isLiteral(loop.accuInit, false) ? exists : undefined;
  if (args === undefined || !isAccu(loop, args[0]) || !isAccu(loop, loop.result)) return { kind: 'general' };
  return { kind: all === undefined ? 'exists' : 'all', predicate: args[1]! };
}

function counter(loop: Comprehension): LoopShape {
  const step = argsOf(loop.loopStep, operators.conditional);
  const isMacro =
    step !== undefined &&
    isAccu(loop, step[2]) &&
    isCall(step[1]!, operators.add) &&
    isCall(loop.result, operators.equals);
  return isMacro ? { kind: 'existsOne', predicate: step[0]! } : { kind: 'general' };
}

/** The step without its filter, if it has one. */
function filtered(loop: Comprehension): { filter: Expr | undefined; step: Expr } {
  const args = argsOf(loop.loopStep, operators.conditional);
  return args !== undefined && isAccu(loop, args[2])
    ? { filter: args[0], step: args[1]! }
    : { filter: undefined, step: loop.loopStep };
}

function collector(loop: Comprehension): LoopShape {
  const { filter, step } = filtered(loop);
  const args = argsOf(step, operators.add);
  const list = args?.[1];
  if (
    !isAccu(loop, args?.[0]) ||
    list?.kind !== 'list' ||
    list.elements.length !== 1 ||
    list.optional.size > 0
  )
    return { kind: 'general' };
  return { kind: 'collect', filter, element: list.elements[0]!, list };
}

function inserter(loop: Comprehension): LoopShape {
  const { filter, step } = filtered(loop);
  const args = argsOf(step, mapInsert);
  return isAccu(loop, args?.[0]) ? { kind: 'insert', filter, entry: args!.slice(1) } : { kind: 'general' };
}
