// Estimates the cost of an expression before it runs: a range from minimum to maximum, from the expression
// and the sizes that the host declares. It follows upstream's estimate exactly, because rules are refused by
// it.
import type { Call, Comprehension, Expr, ListExpr, MapExpr, Select } from '../ast.ts';
import type { Checked } from '../check/checked.ts';
import type { CallEstimate, OperandNode, Overload } from '../extension.ts';
import { loopShape } from '../macros/loop-shape.ts';
import { operators } from '../operators.ts';
import { Locals, type LocalVariable } from './locals.ts';
import {
  addRange,
  type CostEstimate,
  fixed,
  listCreateCost,
  mapCreateCost,
  multiplyRange,
  one,
  type SizeEstimate,
  structCreateCost,
  unbounded,
  unionRange,
  unknownRange,
  zero,
} from './range.ts';
import { type EntrySize, sizeOfLiteral, sizeOfType, unionEntries } from './sizes.ts';
import { estimateStandardCall } from './standard-estimates.ts';

export function estimateCost(checked: Checked): CostEstimate {
  return new Estimator(checked).cost(checked.expr);
}

/** No size yet: the union with any size is that size. */
const nothing: SizeEstimate = { min: unbounded, max: 0 };

class Estimator {
  private readonly checked: Checked;
  private readonly locals = new Locals();
  private readonly paths = new Map<number, readonly string[]>();
  private readonly sizes = new Map<number, SizeEstimate>();
  private readonly entries = new Map<number, EntrySize>();

  constructor(checked: Checked) {
    this.checked = checked;
  }

  cost(expr: Expr): CostEstimate {
    switch (expr.kind) {
      case 'literal':
        return zero;
      case 'ident':
        return this.identifier(expr.id, expr.name);
      case 'select':
        return this.select(expr);
      case 'call':
        return this.call(expr);
      case 'list':
        return this.list(expr);
      case 'map':
        return this.map(expr);
      case 'struct':
        return expr.fields.reduce(
          (sum, field) => addRange(sum, this.cost(field.value)),
          fixed(structCreateCost),
        );
      case 'comprehension':
        return loopShape(expr).kind === 'bind' ? this.bind(expr) : this.loop(expr);
    }
  }

  // Paths from variables

  private identifier(id: number, name: string): CostEstimate {
    this.paths.set(id, this.locals.get(name)?.path ?? [this.checked.identifiers.get(id)?.name ?? name]);
    return one;
  }

  private pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.locals.get(expr.name) : undefined;
    return local?.path ?? this.paths.get(expr.id) ?? [];
  }

  private select(expr: Select): CostEstimate {
    const qualified = this.checked.identifiers.get(expr.id);
    if (qualified !== undefined) return this.identifier(expr.id, qualified.name);
    const operand = this.cost(expr.operand);
    if (expr.test)
      return addRange(fixed(this.checked.environment.settings.costModel.presenceTestCost ?? 1), operand);
    this.paths.set(expr.id, [...this.pathOf(expr.operand), expr.field]);
    const { kind } = this.checked.typeOf(expr.operand);
    return kind === 'map' || kind === 'object' || kind === 'param' ? addRange(operand, one) : operand;
  }

  // Sizes

  private sizeOf(expr: Expr): SizeEstimate | undefined {
    const known = this.sizes.get(expr.id) ?? sizeOfLiteral(expr);
    if (known !== undefined) return known;
    const node: OperandNode = {
      path: this.pathOf(expr),
      type: this.checked.typeOf(expr),
      expr,
      computedSize: undefined,
    };
    const declared = this.checked.environment.settings.sizes.estimateSize(node);
    if (declared !== undefined) {
      this.sizes.set(expr.id, declared);
      return declared;
    }
    return sizeOfType(node.type) ?? (expr.kind === 'ident' ? this.locals.get(expr.name)?.size : undefined);
  }

  private sizeOrUnknown(expr: Expr): SizeEstimate {
    return this.sizeOf(expr) ?? unknownRange;
  }

  private setSize(expr: Expr, size: SizeEstimate | undefined): void {
    if (size !== undefined) this.sizes.set(expr.id, size);
  }

  private entriesOf(expr: Expr): EntrySize | undefined {
    return (
      this.entries.get(expr.id) ?? (expr.kind === 'ident' ? this.locals.get(expr.name)?.entries : undefined)
    );
  }

  private setEntries(expr: Expr, entries: EntrySize | undefined): void {
    if (entries !== undefined) this.entries.set(expr.id, entries);
  }

  /** Paths that start at an accumulator are unknown to the host. */
  private operand(expr: Expr): OperandNode {
    const path = this.pathOf(expr);
    const hidden = path.length === 0 || path[0]!.startsWith('@result') || path[0] === '__result__';
    return {
      path: hidden ? undefined : path,
      type: this.checked.typeOf(expr),
      expr,
      computedSize: this.sizeOf(expr),
    };
  }

  // Calls

  private call(expr: Call): CostEstimate {
    const { name, overloads, target } = this.checked.callOf(expr);
    if (name === 'dyn') return this.dyn(expr);
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.operand(arg));
    const targetCost = target === undefined ? zero : this.cost(target);
    const receiver = target === undefined ? undefined : this.operand(target);
    let cost: CostEstimate = nothing;
    let size: SizeEstimate | undefined;
    for (const overload of overloads) {
      const estimate = this.overload(expr, name, overload, receiver, args, argCosts);
      cost = unionRange(cost, estimate.cost);
      if (estimate.resultSize !== undefined)
        size = size === undefined ? estimate.resultSize : unionRange(size, estimate.resultSize);
      size = this.indexed(expr, overload.id, size) ?? this.sizeOf(expr);
    }
    this.setSize(expr, size);
    return addRange(targetCost, cost);
  }

  private indexed(expr: Call, overloadId: string, size: SizeEstimate | undefined): SizeEstimate | undefined {
    if (overloadId !== 'index_list' && overloadId !== 'index_map') return size;
    const container = expr.args[0]!;
    this.paths.set(expr.id, [...this.pathOf(container), overloadId === 'index_list' ? '@items' : '@values']);
    return this.entriesOf(container)?.value;
  }

  private dyn(expr: Call): CostEstimate {
    const arg = expr.args[0]!;
    const cost = this.cost(arg);
    this.setSize(expr, this.sizeOf(arg));
    this.setEntries(expr, this.entriesOf(arg));
    return addRange(one, cost);
  }

  private overload(
    expr: Call,
    name: string,
    overload: Overload,
    target: OperandNode | undefined,
    args: readonly OperandNode[],
    argCosts: readonly CostEstimate[],
  ): CallEstimate {
    const { costModel, sizes } = this.checked.environment.settings;
    const given =
      overload.estimate?.(sizes, target, args) ??
      costModel.estimateCall?.(name, overload.id)?.(sizes, target, args);
    if (given !== undefined)
      return { cost: argCosts.reduce(addRange, given.cost), resultSize: given.resultSize };
    if (name === operators.and || name === operators.or) return { cost: shortCircuit(argCosts) };
    if (name === operators.conditional) return this.conditional(expr, args, argCosts);
    if (name === operators.add)
      this.setEntries(expr, unionEntries(this.entriesOf(expr.args[0]!), this.entriesOf(expr.args[1]!)));
    const estimate = estimateStandardCall(overload.id, target, args) ?? { cost: one };
    return { cost: argCosts.reduce(addRange, estimate.cost), resultSize: estimate.resultSize };
  }

  private conditional(
    expr: Call,
    args: readonly OperandNode[],
    argCosts: readonly CostEstimate[],
  ): CallEstimate {
    const [condition, yes, no] = argCosts as [CostEstimate, CostEstimate, CostEstimate];
    this.setEntries(expr, unionEntries(this.entriesOf(expr.args[1]!), this.entriesOf(expr.args[2]!)));
    const size = unionRange(args[1]!.computedSize ?? unknownRange, args[2]!.computedSize ?? unknownRange);
    return { cost: addRange(condition, unionRange(yes, no)), resultSize: size };
  }

  // Aggregates

  private list(expr: ListExpr): CostEstimate {
    let cost = zero;
    let value = expr.elements.length === 0 ? zero : nothing;
    for (const element of expr.elements) {
      cost = addRange(cost, this.cost(element));
      value = unionRange(value, this.sizeOrUnknown(element));
    }
    this.setEntries(expr, { container: 'list', key: one, value });
    return addRange(cost, fixed(listCreateCost));
  }

  private map(expr: MapExpr): CostEstimate {
    let cost = zero;
    let key = expr.entries.length === 0 ? zero : nothing;
    let value = key;
    for (const entry of expr.entries) {
      cost = addRange(addRange(cost, this.cost(entry.key)), this.cost(entry.value));
      key = unionRange(key, this.sizeOrUnknown(entry.key));
      value = unionRange(value, this.sizeOrUnknown(entry.value));
    }
    this.setEntries(expr, { container: 'map', key, value });
    return addRange(cost, fixed(mapCreateCost));
  }

  // Loops

  private variable(expr: Expr): LocalVariable {
    return { path: this.pathOf(expr), size: this.sizeOf(expr), entries: this.entriesOf(expr) };
  }

  private bind(expr: Comprehension): CostEstimate {
    const cost = addRange(this.cost(expr.iterRange), this.cost(expr.accuInit));
    const result = this.locals.within(expr.accuVar, this.variable(expr.accuInit), () =>
      this.cost(expr.result),
    );
    // The size of the result is computed while the variable is still in scope.
    this.locals.within(expr.accuVar, this.variable(expr.accuInit), () => {
      this.setSize(expr, this.sizeOf(expr.result));
      this.setEntries(expr, this.entriesOf(expr.result));
    });
    return addRange(cost, result);
  }

  private loop(expr: Comprehension): CostEstimate {
    const before = addRange(this.cost(expr.iterRange), this.cost(expr.accuInit));
    const variables = this.iterationVariables(expr);
    const { round, result } = this.locals.within(expr.accuVar, this.variable(expr.accuInit), () => ({
      round: this.locals.withinAll(variables, () =>
        addRange(this.cost(expr.loopCondition), this.cost(expr.loopStep)),
      ),
      result: this.cost(expr.result),
    }));
    const rounds = this.sizeOrUnknown(expr.iterRange);
    if (expr.accuInit.kind === 'literal') this.setSize(expr, this.sizeOf(expr.accuInit));
    else if (expr.accuInit.kind === 'list' || expr.accuInit.kind === 'map') {
      this.setSize(expr, rounds);
      this.setEntries(expr, this.entriesOf(expr.loopStep));
    }
    return addRange(addRange(before, result), multiplyRange(rounds, round));
  }

  private iterationVariables(expr: Comprehension): readonly (readonly [string, LocalVariable])[] {
    const entries = this.entriesOf(expr.iterRange);
    const isList = (entries?.container ?? this.checked.typeOf(expr.iterRange).kind) === 'list';
    const path = this.pathOf(expr.iterRange);
    const variable = (part: string, size: SizeEstimate | undefined): LocalVariable => ({
      path: [...path, part],
      size,
      entries: undefined,
    });
    const element = variable(isList ? '@items' : '@values', entries?.value);
    if (expr.iterVar2 === undefined)
      return [[expr.iterVar, isList ? element : variable('@keys', entries?.key)]];
    return [
      [expr.iterVar, variable(isList ? '@indices' : '@keys', entries?.key)],
      [expr.iterVar2, element],
    ];
  }
}

/** The minimum is the left side, the maximum both. */
function shortCircuit([left, right]: readonly CostEstimate[]): CostEstimate {
  return { min: left!.min, max: addRange(left!, right!).max };
}
