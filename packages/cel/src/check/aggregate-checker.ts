// List, map and message literals: what their elements have in common, and whether fields get what they are
// declared to hold.
import type { Expr, ListExpr, MapExpr, Struct } from '../ast.ts';
import {
  type CelType,
  dynType,
  errorType,
  formatType,
  isDynType,
  isOptionalType,
  listType,
  mapType,
  optionalType,
} from '../values/types.ts';
import { CheckScope } from './check-scope.ts';
import { mostGeneral } from './substitution.ts';

export abstract class AggregateChecker extends CheckScope {
  protected list(expr: ListExpr): CelType {
    let joined: CelType | undefined;
    for (const [index, element] of expr.elements.entries()) {
      const type = this.check(element);
      joined = this.join(element, joined, expr.optional.has(index) ? this.unwrapped(element, type) : type);
    }
    return listType(joined ?? this.substitution.newVariable());
  }

  protected map(expr: MapExpr): CelType {
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

  private join(at: Expr, previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (this.substitution.assignable(previous, current)) return mostGeneral(previous, current);
    if (!this.environment.settings.homogeneousLiterals) return dynType;
    this.mismatch(at, previous, current);
    return errorType;
  }

  protected struct(expr: Struct): CelType {
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
      this.report(
        field,
        `expected type of field '${field.name}' is '${formatType(declared)}' but provided type is '${shown}'`,
      );
    }
    return constructible ? type : errorType;
  }
}
