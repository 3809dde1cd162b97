// The state that all parts of the checker share: the types found so far, the variables in scope, and the
// reported issues.
import type { Expr } from '../ast.ts';
import type { Environment } from '../environment.ts';
import { type CelType, errorType, formatType } from '../values/types.ts';
import type { Checked } from './checked.ts';
import { Substitution } from './substitution.ts';

export abstract class CheckScope {
  protected readonly checked: Checked;
  protected readonly untyped: boolean;
  protected readonly environment: Environment;
  protected readonly types: (CelType | undefined)[];
  protected readonly substitution = new Substitution();
  protected readonly scopes: Map<string, CelType>[] = [];

  constructor(checked: Checked, untyped = false) {
    this.checked = checked;
    this.untyped = untyped;
    this.environment = checked.environment;
    this.types = checked.types;
  }

  protected abstract check(expr: Expr): CelType;

  protected report(at: { readonly offset: number }, message: string): void {
    if (this.untyped) return;
    this.checked.issues.reportAt(at.offset, message);
  }

  protected mismatch(at: Expr, expected: CelType, found: CelType): void {
    const show = (type: CelType) => formatType(this.substitution.resolve(type, false));
    this.report(at, `expected type '${show(expected)}' but found '${show(found)}'`);
  }

  protected local(name: string): CelType | undefined {
    for (let index = this.scopes.length - 1; index >= 0; index--) {
      const type = this.scopes[index]!.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  protected undeclared(expr: Expr, name: string): CelType {
    this.report(
      expr,
      `undeclared reference to '${name}' (in container '${this.environment.settings.container}')`,
    );
    return errorType;
  }

  protected declaredField(at: { readonly offset: number }, target: CelType, name: string): CelType {
    const field = target.object?.field(name);
    if (field !== undefined) return field.type;
    this.report(at, `undefined field '${name}'`);
    return errorType;
  }
}
