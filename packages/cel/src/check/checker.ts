// Gives every node a type, resolves names and overloads, and reports issues with cel-go's messages.
import type { Call, Comprehension, Expr, Select } from '../ast.ts';
import type { Environment, Identifier } from '../environment.ts';
import type { FunctionDeclaration } from '../extension.ts';
import { operators } from '../operators.ts';
import type { Parsed } from '../parse/parser.ts';
import { typeOf } from '../values/type-of.ts';
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  formatType,
  intType,
  isDynType,
  isOptionalType,
  optionalType,
} from '../values/types.ts';
import { AggregateChecker } from './aggregate-checker.ts';
import { Checked } from './checked.ts';
import { resolveOverloads } from './overloads.ts';
import { qualifiedName, rootName } from './qualified-name.ts';

/** Checks the types of a parsed expression. */
export function check(parsed: Parsed, environment: Environment): Checked {
  const checked = new Checked(parsed, environment);
  if (parsed.issues.size > 0) return checked;
  new Checker(checked).run();
  if (parsed.issues.size === 0) for (const validate of environment.settings.validators) validate(checked);
  return checked;
}

/**
 * Resolves names without checking types: everything is dyn, and what is not declared fails when it is
 * evaluated. For expressions that are run although they do not type-check.
 */
export function resolveOnly(parsed: Parsed, environment: Environment): Checked {
  const checked = new Checked(parsed, environment);
  if (parsed.issues.size === 0) new Checker(checked, true).run();
  return checked;
}

class Checker extends AggregateChecker {
  run(): void {
    this.check(this.checked.expr);
    for (let id = 0; id < this.types.length; id++) {
      const type = this.types[id];
      if (type?.open === true) this.types[id] = this.substitution.resolve(type, true);
    }
  }

  protected check(expr: Expr): CelType {
    const found = this.typeFor(expr);
    const type = this.untyped ? dynType : found;
    this.types[expr.id] = type;
    return type;
  }

  private typeFor(expr: Expr): CelType {
    switch (expr.kind) {
      case 'literal':
        return typeOf(expr.value);
      case 'ident':
        return this.identifier(expr, expr.name);
      case 'select':
        return this.select(expr);
      case 'call':
        return this.call(expr);
      case 'list':
        return this.list(expr);
      case 'map':
        return this.map(expr);
      case 'struct':
        return this.struct(expr);
      case 'comprehension':
        return this.comprehension(expr);
    }
  }

  // Names

  private identifier(expr: Expr, name: string): CelType {
    const local = this.local(name);
    if (local !== undefined) return local;
    const found = this.environment.identifier(name);
    if (found === undefined) return this.undeclared(expr, name);
    this.checked.identifiers.set(expr.id, found);
    return found.type;
  }

  private select(expr: Select): CelType {
    const qualified = expr.test ? undefined : this.qualified(expr);
    if (qualified !== undefined) return qualified.type;
    const type = this.field(expr, expr.operand, expr.field, false);
    return expr.test ? boolType : this.substitution.resolve(type, false);
  }

  /** What `a.b.c` refers to if it is a name and no local variable `a` hides it. */
  private qualified(expr: Select): Identifier | undefined {
    const root = rootName(expr);
    if (root === undefined || !this.environment.isNamespace(root) || this.local(root) !== undefined)
      return undefined;
    const found = this.environment.identifier(qualifiedName(expr)!);
    if (found !== undefined) this.checked.identifiers.set(expr.id, found);
    return found;
  }

  private field(at: Expr, operand: Expr, name: string, optional: boolean): CelType {
    const operandType = this.substitution.resolve(this.check(operand), false);
    const target = isOptionalType(operandType) ? operandType.params[0]! : operandType;
    const type = this.fieldOf(at, target, name);
    return optional || target !== operandType ? optionalType(type) : type;
  }

  private fieldOf(at: Expr, target: CelType, name: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.params[1]!;
      case 'object':
        return this.declaredField(at, target, name);
      case 'param':
        this.substitution.assignable(dynType, target);
        return dynType;
      default:
        if (!isDynType(target) && target.kind !== 'error')
          this.report(at, `type '${formatType(target)}' does not support field selection`);
        return dynType;
    }
  }

  // Calls

  private call(expr: Call): CelType {
    if (expr.name === operators.optSelect) return this.optionalSelect(expr);
    for (const arg of expr.args) this.check(arg);
    if (expr.target === undefined)
      return this.resolve(expr, this.environment.function(expr.name), expr.name, undefined);
    const namespaced = this.namespaced(expr.target, expr.name);
    if (namespaced !== undefined) return this.resolve(expr, namespaced, expr.name, undefined);
    this.check(expr.target);
    return this.resolve(expr, this.environment.function(expr.name), expr.name, expr.target);
  }

  private namespaced(target: Expr, name: string): FunctionDeclaration | undefined {
    const root = rootName(target);
    return root !== undefined && this.environment.isNamespace(root)
      ? this.environment.function(`${qualifiedName(target)}.${name}`)
      : undefined;
  }

  private optionalSelect(expr: Call): CelType {
    const [operand, field] = expr.args;
    if (field?.kind !== 'literal' || typeof field.value !== 'string') {
      this.report(field ?? expr, 'unsupported optional field selection');
      return errorType;
    }
    const type = this.field(expr, operand!, field.value, true);
    const declared = this.environment.function(expr.name);
    if (declared === undefined) return this.undeclared(expr, expr.name);
    this.checked.calls.set(expr.id, { name: expr.name, overloads: declared.overloads, target: undefined });
    return this.substitution.resolve(type, false);
  }

  private resolve(
    expr: Call,
    declared: FunctionDeclaration | undefined,
    name: string,
    target: Expr | undefined,
  ): CelType {
    if (declared === undefined) return this.undeclared(expr, name);
    const given = (target === undefined ? expr.args : [target, ...expr.args]).map(
      (arg) => this.types[arg.id]!,
    );
    const logical = declared.name === operators.and || declared.name === operators.or;
    const type = logical ? this.logical(expr, declared, given) : this.overload(expr, declared, given, target);
    if (type !== undefined) return type;
    return errorType;
  }

  private logical(expr: Call, declared: FunctionDeclaration, given: readonly CelType[]): CelType {
    let fits = true;
    for (const [index, type] of given.entries()) {
      if (this.substitution.assignable(type, boolType)) continue;
      this.report(
        expr.args[index]!,
        `expected type 'bool' but found '${formatType(this.substitution.resolve(type, false))}'`,
      );
      fits = false;
    }
    this.checked.calls.set(expr.id, {
      name: declared.name,
      overloads: declared.overloads,
      target: undefined,
    });
    return fits ? boolType : errorType;
  }

  private overload(
    expr: Call,
    declared: FunctionDeclaration,
    given: readonly CelType[],
    target: Expr | undefined,
  ): CelType | undefined {
    const found = resolveOverloads(declared.overloads, given, target !== undefined, this.substitution);
    if (found === undefined) this.noOverload(expr, declared.name, given, target !== undefined);
    else this.checked.calls.set(expr.id, { name: declared.name, overloads: found.overloads, target });
    return found?.result;
  }

  private noOverload(expr: Call, name: string, given: readonly CelType[], member: boolean): void {
    const shown = given.map((type) => formatType(this.substitution.resolve(type, true)));
    const signature = member ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    this.report(expr, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  // Loops

  private comprehension(expr: Comprehension): CelType {
    const range = this.substitution.resolve(this.check(expr.iterRange), false);
    const accu = this.check(expr.accuInit);
    const [first, second] = this.iterationTypes(expr, range);
    this.scopes.push(new Map([[expr.accuVar, accu]]));
    const loop = new Map([[expr.iterVar, first]]);
    if (expr.iterVar2 !== undefined) loop.set(expr.iterVar2, second);
    this.scopes.push(loop);
    this.assert(expr.loopCondition, boolType);
    this.assert(expr.loopStep, accu);
    this.scopes.pop();
    const result = this.check(expr.result);
    this.scopes.pop();
    return this.substitution.resolve(result, false);
  }

  private assert(expr: Expr, expected: CelType): void {
    const type = this.check(expr);
    if (!this.substitution.assignable(expected, type)) this.mismatch(expr, expected, type);
  }

  private iterationTypes(expr: Comprehension, range: CelType): readonly [CelType, CelType] {
    const two = expr.iterVar2 !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [intType, range.params[0]!] : [range.params[0]!, dynType];
      case 'map':
        return [range.params[0]!, range.params[1]!];
      case 'dyn':
      case 'any':
      case 'error':
      case 'param':
        this.substitution.assignable(dynType, range);
        return [dynType, dynType];
      default:
        this.report(
          expr.iterRange,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [errorType, errorType];
    }
  }
}
