// Type parameters and their types so far. A failed attempt of unification is undone.
import {
  CelType,
  dynType,
  isDynType,
  listType,
  mapType,
  opaqueType,
  optionalType,
  sameType,
  typeOfType,
} from '../values/types.ts';

export class Substitution {
  private readonly bound = new Map<string, CelType>();
  private log: { readonly name: string; readonly before: CelType | undefined }[] = [];
  private fresh = 0;

  newVariable(): CelType {
    return new CelType('param', `_var${this.fresh++}`);
  }

  /** A fresh copy of the types, each type parameter replaced by a new variable. */
  instantiate(types: readonly CelType[]): readonly CelType[] {
    const names = new Map<string, CelType>();
    const rename = (type: CelType): CelType => {
      if (type.kind !== 'param') return type.open ? rebuild(type, rename) : type;
      let variable = names.get(type.name);
      if (variable === undefined) names.set(type.name, (variable = this.newVariable()));
      return variable;
    };
    return types.map(rename);
  }

  private bind(param: CelType, type: CelType): void {
    this.log.push({ name: param.name, before: this.bound.get(param.name) });
    this.bound.set(param.name, type);
  }

  assignable(a: CelType, b: CelType): boolean {
    const start = this.log.length;
    return this.unify(a, b) || this.takeBack(start);
  }

  assignableAll(a: readonly CelType[], b: readonly CelType[]): boolean {
    const start = this.log.length;
    return this.unifyAll(a, b) || this.takeBack(start);
  }

  private takeBack(start: number): false {
    while (this.log.length > start) {
      const { name, before } = this.log.pop()!;
      if (before === undefined) this.bound.delete(name);
      else this.bound.set(name, before);
    }
    return false;
  }

  /** Parameters replaced by their types; on request, unbound ones become dyn. */
  resolve(type: CelType, unboundToDyn: boolean): CelType {
    if (type.kind === 'param') {
      const bound = this.bound.get(type.name);
      if (bound !== undefined) return this.resolve(bound, unboundToDyn);
      return unboundToDyn ? dynType : type;
    }
    return type.open ? rebuild(type, (param) => this.resolve(param, unboundToDyn)) : type;
  }

  private unifyAll(a: readonly CelType[], b: readonly CelType[]): boolean {
    return a.length === b.length && a.every((type, index) => this.unify(type, b[index]!));
  }

  private unify(a: CelType, b: CelType): boolean {
    if (b.kind === 'param') {
      const outcome = this.substitute(a, b);
      if (outcome !== 'free') return outcome === 'fits';
    }
    if (a.kind === 'param') return this.substitute(b, a) === 'fits';
    if (isWild(a) || isWild(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'type') return b.kind === 'type';
    if (a === b && !a.open) return true;
    if (a.kind !== b.kind || a.name !== b.name) return false;
    return this.unifyAll(a.params, b.params);
  }

  /**
   * Whether `param` can be bound to `type`: 'free' means that it is unbound and cannot be bound to this.
   */
  private substitute(type: CelType, param: CelType): 'fits' | 'clash' | 'free' {
    if (type.kind === 'param' && type.name === param.name) return 'fits';
    const bound = this.bound.get(param.name);
    if (bound !== undefined) {
      if (sameType(type, bound)) return 'fits';
      if (!this.unify(type, bound)) return 'clash';
      const general = mostGeneral(type, bound);
      if (!this.occurs(param, general)) this.bind(param, general);
      return 'fits';
    }
    if (this.occurs(param, type)) return 'free';
    this.bind(param, type);
    return 'fits';
  }

  private occurs(param: CelType, within: CelType): boolean {
    if (!within.open) return false;
    if (within.kind !== 'param') return within.params.some((part) => this.occurs(param, part));
    if (within.name === param.name) return true;
    const bound = this.bound.get(within.name);
    return bound !== undefined && this.occurs(param, bound);
  }
}

function rebuild(type: CelType, change: (param: CelType) => CelType): CelType {
  if (type.params.length === 0) return type;
  const params = type.params.map(change);
  if (params.every((param, index) => param === type.params[index])) return type;
  switch (type.kind) {
    case 'list':
      return listType(params[0]!);
    case 'map':
      return mapType(params[0]!, params[1]!);
    case 'type':
      return typeOfType(params[0]!);
    default:
      return type.name === 'optional_type' ? optionalType(params[0]!) : opaqueType(type.name, ...params);
  }
}

const isWild = (type: CelType): boolean => isDynType(type) || type.kind === 'error';

function isNullable(type: CelType): boolean {
  switch (type.kind) {
    case 'opaque':
    case 'object':
    case 'any':
    case 'duration':
    case 'timestamp':
    case 'null':
      return true;
    default:
      return type.nullable;
  }
}

/**
 * The more general of two types that unify; never null, which says nothing about the other values.
 */
export function mostGeneral(a: CelType, b: CelType): CelType {
  if (b.kind === 'null') return a;
  return saysNoMore(a, b) ? a : b;
}

function saysNoMore(a: CelType, b: CelType): boolean {
  if (a === b || isDynType(a) || a.kind === 'param') return true;
  if (isDynType(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.kind === 'list' || a.kind === 'map' || a.kind === 'opaque') {
    return (
      a.name === b.name &&
      a.params.length === b.params.length &&
      a.params.every((param, index) => saysNoMore(param, b.params[index]!))
    );
  }
  return (a.nullable && a.name === b.name) || sameType(a, b);
}
