// Gives every node a type, resolves names and overloads, and reports what does not fit, in cel-go's words.
import type { Call, Comprehension, Expr, ListExpr, MapExpr, Select, Struct } from '../ast.ts';
import type { Environment, Identifier } from '../environment.ts';
import type { FunctionDeclaration } from '../extension.ts';
import { operators } from '../operators.ts';
import type { Parsed } from '../parse/parser.ts';
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  formatType,
  intType,
  isDynType,
  isOptionalType,
  listType,
  mapType,
  optionalType,
} from '../types.ts';
import { typeOf } from '../values/type-of.ts';
import { Checked } from './checked.ts';
import { resolveOverloads } from './overloads.ts';
import { qualifiedName, rootName } from './qualified-name.ts';
import { mostGeneral, Substitution } from './substitution.ts';

export function check(parsed: Parsed, environment: Environment): Checked {
  const checked = new Checked(parsed, environment);
  if (parsed.issues.size > 0) return checked;
  new Checker(checked).run();
  if (parsed.issues.size === 0) for (const validate of environment.settings.validators) validate(checked);
  return checked;
}

/**
 * Resolves names without checking types: everything is dyn, and what is not declared fails when it is evaluated.
 * For expressions that are to be run although they do not type-check.
 */
export function resolveOnly(parsed: Parsed, environment: Environment): Checked {
  const checked = new Checked(parsed, environment);
  if (parsed.issues.size === 0) new Checker(checked, true).run();
  return checked;
}

class Checker {
  private readonly checked: Checked;
  private readonly untyped: boolean;
  private readonly environment: Environment;
  private readonly types: (CelType | undefined)[];
  private readonly substitution = new Substitution();
  private readonly scopes: Map<string, CelType>[] = [];

  constructor(checked: Checked, untyped = false) {
    this.checked = checked;
    this.untyped = untyped;
    this.environment = checked.environment;
    this.types = checked.types;
  }

  run(): void {
    this.check(this.checked.expr);
    for (let id = 0; id < this.types.length; id++) {
      const type = this.types[id];
      if (type?.open === true) this.types[id] = this.substitution.resolve(type, true);
    }
  }

  private report(at: { readonly offset: number }, message: string): void {
    if (this.untyped) return;
    this.checked.issues.reportAt(at.offset, message);
  }

  private check(expr: Expr): CelType {
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

  private local(name: string): CelType | undefined {
    for (let index = this.scopes.length - 1; index >= 0; index--) {
      const type = this.scopes[index]!.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  private identifier(expr: Expr, name: string): CelType {
    const local = this.local(name);
    if (local !== undefined) return local;
    const found = this.environment.identifier(name);
    if (found === undefined) return this.undeclared(expr, name);
    this.checked.identifiers.set(expr.id, found);
    return found.type;
  }

  private undeclared(expr: Expr, name: string): CelType {
    this.report(expr, `undeclared reference to '${name}' (in container '${this.environment.settings.container}')`);
    return errorType;
  }

  private select(expr: Select): CelType {
    const qualified = expr.test ? undefined : this.qualified(expr);
    if (qualified !== undefined) return qualified.type;
    const type = this.field(expr, expr.operand, expr.field, false);
    return expr.test ? boolType : this.substitution.resolve(type, false);
  }

  /** What `a.b.c` stands for if it is a name, and no local variable `a` hides it. */
  private qualified(expr: Select): Identifier | undefined {
    const root = rootName(expr);
    if (root === undefined || !this.environment.isNamespace(root) || this.local(root) !== undefined) return undefined;
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
        if (!isDynType(target) && target.kind !== 'error') this.report(at, `type '${formatType(target)}' does not support field selection`);
        return dynType;
    }
  }

  private declaredField(at: { readonly offset: number }, target: CelType, name: string): CelType {
    const field = target.object?.field(name);
    if (field !== undefined) return field.type;
    this.report(at, `undefined field '${name}'`);
    return errorType;
  }

  // Calls

  private call(expr: Call): CelType {
    if (expr.name === operators.optSelect) return this.optionalSelect(expr);
    for (const arg of expr.args) this.check(arg);
    if (expr.target === undefined) return this.resolve(expr, this.environment.function(expr.name), expr.name, undefined);
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

  private resolve(expr: Call, declared: FunctionDeclaration | undefined, name: string, target: Expr | undefined): CelType {
    if (declared === undefined) return this.undeclared(expr, name);
    const given = (target === undefined ? expr.args : [target, ...expr.args]).map((arg) => this.types[arg.id]!);
    const logical = declared.name === operators.and || declared.name === operators.or;
    const type = logical ? this.logical(expr, declared, given) : this.overload(expr, declared, given, target);
    if (type !== undefined) return type;
    return errorType;
  }

  private logical(expr: Call, declared: FunctionDeclaration, given: readonly CelType[]): CelType {
    let fits = true;
    for (const [index, type] of given.entries()) {
      if (this.substitution.assignable(type, boolType)) continue;
      this.report(expr.args[index]!, `expected type 'bool' but found '${formatType(this.substitution.resolve(type, false))}'`);
      fits = false;
    }
    this.checked.calls.set(expr.id, { name: declared.name, overloads: declared.overloads, target: undefined });
    return fits ? boolType : errorType;
  }

  private overload(expr: Call, declared: FunctionDeclaration, given: readonly CelType[], target: Expr | undefined): CelType | undefined {
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

  // Aggregates

  private list(expr: ListExpr): CelType {
    let joined: CelType | undefined;
    for (const [index, element] of expr.elements.entries()) {
      const type = this.check(element);
      joined = this.join(element, joined, expr.optional.has(index) ? this.unwrapped(element, type) : type);
    }
    return listType(joined ?? this.substitution.newVariable());
  }

  private map(expr: MapExpr): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.join(entry.key, key, this.check(entry.key));
      const type = this.check(entry.value);
      value = this.join(entry.value, value, entry.optional ? this.unwrapped(entry.value, type) : type);
    }
    return mapType(key ?? this.substitution.newVariable(), value ?? this.substitution.newVariable());
  }

  /** The type within the optional that an optional element or entry must be. */
  private unwrapped(at: Expr, type: CelType): CelType {
    const resolved = this.substitution.resolve(type, false);
    if (isOptionalType(resolved)) return resolved.params[0]!;
    if (!isDynType(resolved)) this.mismatch(at, optionalType(resolved), resolved);
    return resolved;
  }

  private mismatch(at: Expr, expected: CelType, found: CelType): void {
    const show = (type: CelType) => formatType(this.substitution.resolve(type, false));
    this.report(at, `expected type '${show(expected)}' but found '${show(found)}'`);
  }

  private join(at: Expr, previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (this.substitution.assignable(previous, current)) return mostGeneral(previous, current);
    if (!this.environment.settings.homogeneousLiterals) return dynType;
    this.mismatch(at, previous, current);
    return errorType;
  }

  private struct(expr: Struct): CelType {
    const type = this.environment.type(expr.typeName);
    if (type === undefined) return this.undeclared(expr, expr.typeName);
    const constructible = type.object !== undefined;
    if (!constructible) this.report(expr, `'${formatType(type)}' is not a message type`);
    else this.checked.structs.set(expr.id, type);
    for (const field of expr.fields) {
      const given = this.check(field.value);
      const value = field.optional ? this.unwrapped(field.value, given) : given;
      if (!constructible) continue;
      const declared = this.declaredField(field, type, field.name);
      if (this.substitution.assignable(declared, value)) continue;
      const shown = formatType(this.substitution.resolve(value, false));
      this.report(field, `expected type of field '${field.name}' is '${formatType(declared)}' but provided type is '${shown}'`);
    }
    return constructible ? type : errorType;
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
