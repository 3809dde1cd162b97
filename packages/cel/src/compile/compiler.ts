// Compiles a checked expression to closures, node by node.

import type { Call, Comprehension, Expr, Select, Struct } from '../ast.ts';
import type { Checked } from '../check/checked.ts';
import type { Identifier } from '../environment.ts';
import type { CostModel } from '../extension.ts';
import { loopShape } from '../macros/loop-shape.ts';
import { operators } from '../operators.ts';
import { CelError, noSuchOverload } from '../values/error.ts';
import { HostObject, readerOf } from '../values/host-object.ts';
import { none, Optional } from '../values/optional.ts';
import { type CelType, dynType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { listNode, mapNode, structNode } from './aggregates.ts';
import { callNode } from './call.ts';
import type { Frame } from './frame.ts';
import { conditionalNode, logicNode } from './logic.ts';
import {
  bindNode,
  collectNode,
  existsOneNode,
  generalNode,
  insertNode,
  type LoopVariables,
  quantifierNode,
} from './loops.ts';
import { constantNode, type Node, nodeOf, paying } from './node.ts';
import { specialNode } from './operators.ts';
import { indexNode, optionalIndexNode, rawOfValue, selectNode, testNode } from './select.ts';

/** Thrown if a constant part of the expression always fails; then the expression has no program. */
export class ConstantFailure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const conversions = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

interface Local {
  readonly slot: number;
  readonly type: CelType;
  /** For bound variables: their value, computed on first use. */
  readonly init: Node | undefined;
}

export class Compiler {
  /** The number of local variables in a frame. */
  locals = 0;
  private readonly checked: Checked;
  private readonly model: CostModel;
  private readonly scopes: Map<string, Local>[] = [];

  constructor(checked: Checked) {
    this.checked = checked;
    this.model = checked.environment.settings.costModel;
  }

  compile(expr: Expr): Node {
    const type = this.checked.typeOf(expr);
    switch (expr.kind) {
      case 'literal':
        return constantNode(type, expr.value);
      case 'ident':
        return this.identifier(expr.id, expr.name, type);
      case 'select':
        return this.select(expr, type);
      case 'call':
        return this.call(expr, type);
      case 'list':
        return listNode(expr, this.all(expr.elements), type);
      case 'map':
        return mapNode(
          expr,
          this.all(expr.entries.map((e) => e.key)),
          this.all(expr.entries.map((e) => e.value)),
          type,
        );
      case 'struct':
        return this.struct(expr);
      case 'comprehension':
        return this.comprehension(expr, type);
    }
  }

  private all(exprs: readonly Expr[]): readonly Node[] {
    return exprs.map((expr) => this.compile(expr));
  }

  private struct(expr: Struct): Node {
    const type = this.checked.structs.get(expr.id);
    if (type === undefined) return failingNode(`unknown type: ${expr.typeName}`);
    return structNode(expr, this.all(expr.fields.map((field) => field.value)), type);
  }

  // Names

  private identifier(id: number, name: string, type: CelType): Node {
    const found = this.checked.identifiers.get(id);
    return found === undefined ? this.local(name, type) : this.global(found);
  }

  private global(found: Identifier): Node {
    if (found.constant !== undefined) return constantNode(found.type, found.constant.value);
    const { name, type } = found;
    const read = readerOf(type);
    const missing = new CelError(`no such attribute(s): ${name}`);
    const run = (frame: Frame): Value => {
      const raw = frame.activation[name];
      return raw === undefined ? missing : read(raw);
    };
    const raw = (frame: Frame): unknown => {
      const value = frame.activation[name];
      return value instanceof HostObject ? value.raw : value === undefined ? missing : value;
    };
    const isPlain = type.kind === 'object' && type.object?.access === undefined;
    return nodeOf(type, 1, run, { attribute: { discount: 1 }, raw: isPlain ? raw : undefined });
  }

  private local(name: string, type: CelType): Node {
    const found = this.scopes.findLast((scope) => scope.has(name))?.get(name);
    if (found === undefined) return failingNode(`undeclared reference to '${name}'`);
    const { slot, init } = found;
    const run = init === undefined ? (frame: Frame): Value => frame.locals[slot]! : boundVariable(slot, init);
    const raw = type.kind === 'object' && type.object?.access === undefined ? rawOfValue(run) : undefined;
    return nodeOf(type, 1, run, { attribute: { discount: 1 }, raw });
  }

  private select(expr: Select, type: CelType): Node {
    const qualified = this.checked.identifiers.get(expr.id);
    if (qualified !== undefined) return this.global(qualified);
    const operand = this.compile(expr.operand);
    return expr.test ? testNode(operand, expr.field, this.model) : selectNode(operand, expr.field, type);
  }

  // Calls

  private call(expr: Call, type: CelType): Node {
    const { name, overloads, target } = this.checked.callOf(expr);
    switch (name) {
      case operators.and:
      case operators.or:
        return logicNode(this.all(flattened(expr, name)), name === operators.or);
      case operators.conditional:
        return conditionalNode(...(this.all(expr.args) as [Node, Node, Node]), type);
      case operators.index:
        return indexNode(...(this.all(expr.args) as [Node, Node]), type);
      case operators.optIndex:
      case operators.optSelect:
        return optionalIndexNode(...(this.all(expr.args) as [Node, Node]), type);
      default:
        break;
    }
    if (overloads.length === 0) return failingNode(`no such overload: ${name}`);
    const args = this.all(target === undefined ? expr.args : [target, ...expr.args]);
    const lazy =
      args.length === 2 ? optionalAlternative(overloads[0]!.id, args[0]!, args[1]!, type) : undefined;
    if (lazy !== undefined) return lazy;
    const node =
      specialNode({ name, overloads, args, type, model: this.model }) ??
      callNode(name, overloads, args, type, this.model);
    return conversions.has(name) && args.length === 1 && args[0]!.constant !== undefined
      ? folded(node)
      : node;
  }

  // Loops

  private slot(): number {
    return this.locals++;
  }

  private comprehension(expr: Comprehension, type: CelType): Node {
    const shape = loopShape(expr);
    const range = this.compile(expr.iterRange);
    const variables: LoopVariables = {
      first: this.slot(),
      second: expr.iterVar2 === undefined ? undefined : this.slot(),
    };
    const scope = this.loopScope(expr, variables);
    const within = (part: Expr): Node => this.inScope(scope, part);
    switch (shape.kind) {
      case 'bind':
        return this.bind(expr, type);
      case 'all':
      case 'exists':
        return quantifierNode(range, variables, within(shape.predicate), shape.kind === 'exists', type);
      case 'existsOne':
        return existsOneNode(range, variables, within(shape.predicate), type);
      case 'collect':
        return collectNode(
          range,
          variables,
          shape.filter && within(shape.filter),
          within(shape.element),
          type,
        );
      case 'insert':
        return insertNode(
          range,
          variables,
          shape.filter && within(shape.filter),
          shape.entry.map(within),
          type,
        );
      case 'general':
        return this.general(expr, range, variables, scope, type);
    }
  }

  private loopScope(expr: Comprehension, variables: LoopVariables): Map<string, Local> {
    const range = this.checked.typeOf(expr.iterRange);
    const local = (slot: number, type: CelType | undefined): Local => ({
      slot,
      type: type ?? range,
      init: undefined,
    });
    const scope = new Map([[expr.iterVar, local(variables.first, range.params[0])]]);
    if (expr.iterVar2 !== undefined) scope.set(expr.iterVar2, local(variables.second!, range.params[1]));
    return scope;
  }

  private inScope(scope: Map<string, Local>, expr: Expr): Node {
    this.scopes.push(scope);
    const node = this.compile(expr);
    this.scopes.pop();
    return node;
  }

  private bind(expr: Comprehension, type: CelType): Node {
    const init = this.compile(expr.accuInit);
    const slot = this.slot();
    const scope = new Map([[expr.accuVar, { slot, type: init.type, init }]]);
    return bindNode(slot, this.inScope(scope, expr.result), type);
  }

  private general(
    expr: Comprehension,
    range: Node,
    variables: LoopVariables,
    scope: Map<string, Local>,
    type: CelType,
  ): Node {
    const init = this.compile(expr.accuInit);
    const accu = this.slot();
    const accuScope = new Map([[expr.accuVar, { slot: accu, type: init.type, init: undefined }]]);
    this.scopes.push(accuScope);
    const condition = this.inScope(scope, expr.loopCondition);
    const step = this.inScope(scope, expr.loopStep);
    const result = this.compile(expr.result);
    this.scopes.pop();
    return generalNode({ range, variables, accu, init, condition, step, result }, type);
  }
}

/** For what is undefined in this environment; occurs only in expressions that were not checked. */
function failingNode(message: string): Node {
  const error = new CelError(message);
  return nodeOf(dynType, 0, () => error);
}

function boundVariable(slot: number, init: Node): (frame: Frame) => Value {
  const compute = paying(init);
  return (frame) => {
    const known = frame.locals[slot];
    if (known !== undefined) return known;
    const value = compute(frame);
    frame.locals[slot] = value;
    return value;
  };
}

/** The terms of `a && b && c`, regardless of how the parser nested them. */
function flattened(expr: Expr, name: string, into: Expr[] = []): readonly Expr[] {
  if (expr.kind === 'call' && expr.name === name && expr.target === undefined)
    for (const arg of expr.args) flattened(arg, name, into);
  else into.push(expr);
  return into;
}

/** `a.or(b)` and `a.orValue(b)` evaluate b only if a is none. */
function optionalAlternative(id: string, first: Node, second: Node, type: CelType): Node | undefined {
  if (id !== 'optional_or_optional' && id !== 'optional_orValue_value') return undefined;
  const unwrap = id === 'optional_orValue_value';
  const left = first.run;
  const right = paying(second);
  const run = (frame: Frame): Value => {
    const value = left(frame);
    if (!(value instanceof Optional)) return value instanceof CelError ? value : noSuchOverload();
    if (value === none || value.value === undefined) return right(frame);
    return unwrap ? value.value : value;
  };
  return nodeOf(type, first.cost, run);
}

/** A conversion of a constant is done once; one that fails always fails. */
function folded(node: Node): Node {
  const value = node.run({ charge: () => undefined } as unknown as Frame);
  if (value instanceof CelError) throw new ConstantFailure(value.message);
  return constantNode(node.type, value);
}
