// Creates the nodes of macro expansions: new nodes have the position of the macro call, copies keep their
// own.
import { accumulator, type Comprehension, type Expr, type MapEntry } from '../ast.ts';
import type { MacroContext } from '../extension.ts';
import type { Value } from '../values.ts';

/** Thrown by MacroContext.fail and caught where the macro is expanded. */
export class MacroFailure {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

export class Expansion implements MacroContext {
  private readonly offset: number;
  private readonly nextId: () => number;

  constructor(offset: number, nextId: () => number) {
    this.offset = offset;
    this.nextId = nextId;
  }

  literal(value: Value): Expr {
    return { id: this.nextId(), offset: this.offset, kind: 'literal', value };
  }

  ident(name: string): Expr {
    return { id: this.nextId(), offset: this.offset, kind: 'ident', name };
  }

  accu(): Expr {
    return this.ident(accumulator);
  }

  select(operand: Expr, field: string): Expr {
    return { id: this.nextId(), offset: this.offset, kind: 'select', operand, field, test: false };
  }

  test(operand: Expr, field: string): Expr {
    return { id: this.nextId(), offset: this.offset, kind: 'select', operand, field, test: true };
  }

  call(name: string, ...args: Expr[]): Expr {
    return { id: this.nextId(), offset: this.offset, kind: 'call', name, target: undefined, args };
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Expr {
    return { id: this.nextId(), offset: this.offset, kind: 'call', name, target, args };
  }

  list(...elements: Expr[]): Expr {
    return { id: this.nextId(), offset: this.offset, kind: 'list', elements, optional: new Set() };
  }

  map(...entries: (readonly [Expr, Expr])[]): Expr {
    const made: MapEntry[] = entries.map(([key, value]) => ({
      id: this.nextId(),
      offset: this.offset,
      key,
      value,
      optional: false,
    }));
    return { id: this.nextId(), offset: this.offset, kind: 'map', entries: made };
  }

  comprehension(parts: Parameters<MacroContext['comprehension']>[0]): Comprehension {
    return {
      id: this.nextId(),
      offset: this.offset,
      kind: 'comprehension',
      iterRange: parts.range,
      iterVar: parts.iterVar,
      iterVar2: parts.iterVar2,
      accuVar: parts.accuVar ?? accumulator,
      accuInit: parts.init,
      loopCondition: parts.condition,
      loopStep: parts.step,
      result: parts.result,
    };
  }

  fail(message: string, at?: Expr): never {
    throw new MacroFailure(message, at?.offset ?? this.offset);
  }

  copy(expr: Expr): Expr {
    const id = this.nextId();
    const again = (child: Expr): Expr => this.copy(child);
    switch (expr.kind) {
      case 'literal':
      case 'ident':
        return { ...expr, id };
      case 'select':
        return { ...expr, id, operand: again(expr.operand) };
      case 'call':
        return { ...expr, id, target: expr.target && again(expr.target), args: expr.args.map(again) };
      case 'list':
        return { ...expr, id, elements: expr.elements.map(again) };
      case 'map':
        return {
          ...expr,
          id,
          entries: expr.entries.map((e) => ({
            ...e,
            id: this.nextId(),
            key: again(e.key),
            value: again(e.value),
          })),
        };
      case 'struct':
        return {
          ...expr,
          id,
          fields: expr.fields.map((f) => ({ ...f, id: this.nextId(), value: again(f.value) })),
        };
      case 'comprehension':
        return {
          ...expr,
          id,
          iterRange: again(expr.iterRange),
          accuInit: again(expr.accuInit),
          loopCondition: again(expr.loopCondition),
          loopStep: again(expr.loopStep),
          result: again(expr.result),
        };
    }
  }
}
